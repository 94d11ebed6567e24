import { z } from 'zod';
import { ID } from '../../contract/example-values.ts';
import { ownerOf } from '../../contract/owner.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import type { CheckInputs } from '../../evaluate/check-inputs.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { traceIdCandidates } from '../../traces/ids.ts';
import { taskIdOf } from '../examples/trace-names.ts';
import type { JsonValue } from '../../traces/span-wire.ts';
import { tracePath } from '../traces/contract.ts';
import { getPromptSchema } from '../examples/calls.ts';
import { makeTraceExample, readTraceTexts } from './calls.ts';
import { example, updateExampleBody } from '../examples/contract.ts';
import { exampleExample } from '../examples/example.ts';
import { isObject } from '../../contract/is-object.ts';
import { requireValidInput } from '../examples/require-valid-input.ts';
import type { TraceExample, TraceTexts } from './store.ts';

interface TraceExampleDeps extends StoreCalls {
  checkInputs: CheckInputs;
}

const traceExampleBody = z.object({
  taskId: uuid
    .optional()
    .describe('Task that gets the example. Default: a new task, the same for each request about the trace.'),
  expected: updateExampleBody.shape.expected.describe(
    'Expected output, any JSON. Default: the `correctedOutput` of the latest annotation that has one.',
  ),
  useOutput: z
    .boolean()
    .default(false)
    .describe(
      '`true` to expect the output of the trace where neither `expected` nor a corrected output is given.',
    ),
});

export const traceExampleRoute = ({ read, write, now, checkInputs }: TraceExampleDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/traces/{id}/example',
    operationId: 'makeTraceExample',
    group: 'Examples',
    summary: 'Make an example of a trace',
    description:
      'The input of the trace becomes the input of an example. Repeating the request returns the same example: its key is `trace:` and the id of the trace. A given `expected` changes it, and so does a corrected output if it expects nothing; an archived example becomes active again. The example remains when the trace is deleted.',
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
    errors: ['not_found'],
    handler: async ({ principal, params, body }) => {
      const owner = ownerOf(principal);
      const { application } = owner;
      const trace = await read(readTraceTexts, { application, traceIds: traceIdCandidates(params.id) });
      if (trace === null) throw new AppError('not_found', 'trace not found');
      const { id, input, output, correctedOutput } = trace;
      const { expected, replaces } = expectationOf(body, { output, correctedOutput });
      const { taskId = taskIdOf(owner.applicationId, id) } = body;
      const isOwnTask = body.taskId === undefined;
      if (!isOwnTask) {
        const schema = await read(getPromptSchema, { application, taskId });
        if (isObject(input)) await requireValidInput(checkInputs, { application, schema, input });
      }
      const args = { owner, trace: { id, input }, taskId, isOwnTask, expected, replaces, at: now() };
      return { data: await write(makeTraceExample, args) };
    },
  });

/** Returns what an example of a trace expects: what the request says, else a correction, else perhaps the output. */
function expectationOf(
  { expected, useOutput }: z.output<typeof traceExampleBody>,
  { output, correctedOutput }: Pick<TraceTexts, 'output' | 'correctedOutput'>,
): Pick<TraceExample, 'expected' | 'replaces'> {
  if (expected !== undefined) return { expected: expected as JsonValue, replaces: 'always' };
  if (correctedOutput !== null) return { expected: correctedOutput, replaces: 'if missing' };
  return { expected: useOutput ? output : null, replaces: 'never' };
}
