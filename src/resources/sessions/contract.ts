import { z } from 'zod';
import { paging } from '../../contract/paging.ts';
import { several } from '../../contract/query.ts';
import { dateTime } from '../../contract/values.ts';
import { name } from '../traces/contract.ts';

export const sessionPath = z.object({
  id: name.describe('The session, as its traces name it, percent-encoded.'),
});

export const sessionsQuery = z.object({
  ...paging(['lastAt', 'firstAt']),
  userId: several(name).describe('Sessions in which one of these users took part.'),
  search: name
    .optional()
    .describe(
      'Sessions with this text in their id. Upper and lower case are the same; no character has a special meaning.',
    ),
  startDate: dateTime.optional().describe('Sessions with a trace that began at this time or later.'),
  endDate: dateTime
    .optional()
    .describe(
      'Sessions with a trace that began at this time or earlier; together with `startDate`, between the two.',
    ),
});
