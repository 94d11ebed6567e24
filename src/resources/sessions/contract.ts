import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { several } from '../../contract/query.ts';
import { dateTime, uuid } from '../../contract/values.ts';
import { listedTrace, usage } from '../traces/trace-record.ts';
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

const count = z.int();

export const session = namedObject('Session', {
  id: z.string(),
  orgId: z.string(),
  applicationId: uuid,
  userIds: z.array(z.string()).describe('At most 20.'),
  traceCount: count,
  firstAt: dateTime.describe('When its first trace began.'),
  lastAt: dateTime.describe('When its last trace began.'),
  durationMs: z.number().describe('From the beginning of the first trace to the last end.'),
  usage: usage.pick({ promptTokens: true, completionTokens: true, totalTokens: true }),
  cost: z.number().nullable().describe('In US dollars.'),
  errorCount: count.describe('Traces with an error.'),
  models: z.array(z.string()).describe('At most 64.'),
  input: z.string().nullable().describe('Of its first trace.'),
  output: z.string().nullable().describe('Of its last trace.'),
  testIds: z.array(uuid).describe('At most 20.'),
});

export const sessionWithTraces = session.extend({
  traces: z.array(listedTrace).describe('In order of time, at most 1000.'),
  tracesTruncated: z.boolean(),
});
