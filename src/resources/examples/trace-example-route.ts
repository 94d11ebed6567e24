import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ID } from '../../contract/example-values.ts';
import { ownerOf } from '../../contract/owner.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import type { Call } from '../../storage/operations.ts';
import { otelTraceUuid, traceIdCandidates } from '../../traces/ids.ts';
import type { JsonValue } from '../../traces/span-wire.ts';
import { tracePath } from '../traces/contract.ts';
import { example, updateExampleBody } from './contract.ts';
import { exampleExample } from './example.ts';
import type { traceExampleCommands, traceExampleQueries } from './trace-example-store.ts';

interface TraceExampleDeps {
  read: Call<typeof traceExampleQueries>;
  write: Call<ReturnType<typeof traceExampleCommands>>;
  now: () => number;
}

const traceExampleBody = z.object({
  taskId: uuid
    .optional()
    .describe('Task that gets the example. Default: a new task, the same for each request about the trace.'),
  expected: updateExampleBody.shape.expected.describe(
    'Expected output, any JSON, such as the corrected output.',
  ),
  useOutput: z
    .boolean()
    .default(false)
    .describe('`true` to expect the output of the trace where `expected` is not given.'),
});

export const traceExampleRoute = ({ read, write, now }: TraceExampleDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/traces/{id}/example',
    operationId: 'makeTraceExample',
    group: 'Examples',
    summary: 'Make an example of a trace',
    description:
      'The input of the trace becomes the input of an example. Repeating the request returns the same example: its key is `trace:` and the id of the trace. A given `expected` changes it; an archived example becomes active again. The example remains when the trace is deleted.',
    scope: 'write',
    params: tracePath,
    body: traceExampleBody,
    response: z.object({ data: example }),
    example: {
      body: { expected: exampleExample.expected },
      response: {
        data: { ...exampleExample, key: `trace:${ID.trace}`, tags: [], split: null, traceId: ID.trace },
      },
    },
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params, body }) => {
      const owner = ownerOf(scope);
      const { application } = owner;
      const trace = await read('readTraceTexts', { application, traceIds: traceIdCandidates(params.id) });
      if (trace === null) throw new AppError('not_found', 'trace not found');
      const { id, input, output } = trace;
      const isGiven = body.expected !== undefined;
      const expected = isGiven ? (body.expected as JsonValue) : body.useOutput ? output : null;
      const { taskId = taskIdOf(owner.applicationId, id) } = body;
      const isOwnTask = body.taskId === undefined;
      const args = { owner, trace: { id, input }, taskId, isOwnTask, expected, isGiven, at: now() };
      return { data: await write('makeTraceExample', args) };
    },
  });

/** Returns the id of the task that a trace gets if no other is named. */
const taskIdOf = (applicationId: string, traceId: string): string =>
  otelTraceUuid(createHash('sha256').update(`task ${applicationId} ${traceId}`).digest().subarray(0, 16));
