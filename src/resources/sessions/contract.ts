import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { filterLine } from '../../filter/query.ts';
import { several } from '../../contract/query.ts';
import { dateTime, givenTime, uuid } from '../../contract/values.ts';
import { listedTrace, usage } from '../traces/trace-record.ts';
import { name } from '../traces/contract.ts';

export const sessionPath = z.object({
  id: name.describe('Id of the session in its traces, percent-encoded.'),
});

export const sessionsQuery = z.object({
  ...paging(['lastAt', 'firstAt']),
  q: filterLine,
  userId: several(name).describe('Sessions with a trace of one of these users.'),
  search: name
    .optional()
    .describe('Sessions with this text in their id, ignoring case; no character has a special meaning.'),
  startDate: givenTime.optional().describe('Sessions with a trace that began at this time or later.'),
  endDate: givenTime
    .optional()
    .describe(
      'Sessions with a trace that began at this time or earlier; with `startDate`, between the two times.',
    ),
});

const count = z.int();

export const session = namedObject('Session', {
  id: z.string(),
  orgId: z.string(),
  applicationId: uuid,
  userIds: z.array(z.string()).describe('At most 20.'),
  traceCount: count,
  firstAt: dateTime.describe('Start of its first trace.'),
  lastAt: dateTime.describe('Start of its last trace.'),
  durationMs: z.number().describe('Time from the start of the first trace to the last end.'),
  usage: usage.pick({ promptTokens: true, completionTokens: true, totalTokens: true }),
  cost: z.number().nullable().describe('Cost in US dollars.'),
  errorCount: count.describe('Number of traces with an error.'),
  models: z.array(z.string()).describe('At most 64.'),
  input: z.string().nullable().describe('Input of its first trace.'),
  output: z.string().nullable().describe('Output of its last trace.'),
  lastTraceId: uuid.describe(
    'Last trace of the session. Evals of the conversation up to that trace belong to it.',
  ),
  testIds: z.array(uuid).describe('At most 20.'),
});

export const sessionWithTraces = session.extend({
  traces: z.array(listedTrace).describe('Traces in order of time, at most 1000.'),
  tracesTruncated: z.boolean(),
});
