import { randomUUID } from 'node:crypto';
import { invalid, issuesOf } from '../../contract/errors.ts';
import type { Owner } from '../../contract/owner.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { findStoredTrace } from '../../traces/load.ts';
import { OpenTrace } from '../../traces/open-trace.ts';
import { traceUuid } from '../../traces/read.ts';
import type { JsonValue } from '../../traces/span-wire.ts';
import { createTaskBody } from '../tasks/contract.ts';
import { tasks } from '../tasks/record.ts';
import { insertTask } from '../tasks/store.ts';
import { requireTrace } from '../traces/trace-reference.ts';
import { annotations } from '../human-annotations/record.ts';
import { createExampleBody, type Example } from '../examples/contract.ts';
import { examples } from '../examples/record.ts';
import { keyOfTrace } from '../examples/trace-names.ts';
import { titleOf } from '../examples/trace-title.ts';
import { changeExample, insertExample, nextPosition, shown } from '../examples/store.ts';

export interface TraceTexts {
  /** The trace as a uuid. */
  id: string;
  input: JsonValue;
  output: JsonValue;
  /** Output that the latest annotation with one says would have been right; null if there is none. */
  correctedOutput: JsonValue;
}

const corrections = annotations.pick('id', 'correctedOutput');

/** Returns the texts of a trace, or null if there is no such trace. */
function readTraceTexts(
  database: Database,
  { application, traceIds }: { application: number; traceIds: Uint8Array[] },
): TraceTexts | null {
  const stored = findStoredTrace(database, application, traceIds);
  if (!stored) return null;
  const trace = new OpenTrace(database, stored);
  const [annotation] = corrections.all(
    database,
    application,
    'trace_id = :traceId AND corrected_output IS NOT NULL ORDER BY modified_at DESC, id DESC LIMIT 1',
    { traceId: stored.traceId },
  );
  return {
    id: traceUuid(stored),
    input: trace.content('input'),
    output: trace.content('output'),
    correctedOutput: (annotation?.correctedOutput ?? null) as JsonValue,
  };
}

export interface TraceExample {
  owner: Owner;
  trace: Pick<TraceTexts, 'id' | 'input'>;
  /** Task of the example, and whether it is created if it does not exist. */
  taskId: string;
  isOwnTask: boolean;
  /** Expected value of a new example. */
  expected: JsonValue;
  /** Condition under which an existing example gets it too. */
  replaces: 'always' | 'if missing' | 'never';
  /** Subset of a new example. */
  split?: string | null;
  at: number;
}

/**
 * Makes an example of a trace, or returns the one that was made of it before. Throws `not_found` for the trace and the
 * task, and `invalid` for an input that no example can have.
 */
export function makeTraceExample(
  database: Database,
  { owner, trace, taskId, isOwnTask, expected, replaces, split = null, at }: TraceExample,
): Example {
  const { application } = owner;
  const traceId = requireTrace(database, application, trace.id);
  const key = keyOfTrace(trace.id);
  if (isOwnTask && !tasks.find(database, application, taskId)) {
    const title = titleOf(textOf(trace.input));
    insertTask(database, {
      owner,
      id: taskId,
      fields: createTaskBody.parse({ title, type: 'STATIC' }),
      at,
    });
  }
  const { simulatedPromptSchema } = tasks.require(database, application, taskId);
  const [known] = examples.all(database, application, 'task_id = :taskId AND key = :key', { taskId, key });
  const id = known?.id ?? randomUUID();
  if (known) {
    const isExpected = replaces === 'always' || (replaces === 'if missing' && known.expected === null);
    const changes = { status: 'ACTIVE' as const, ...(isExpected && { expected }) };
    changeExample(database, { application, id, at }, changes);
  } else {
    const input = simulatedPromptSchema === null ? textOf(trace.input) : trace.input;
    const parsed = createExampleBody.safeParse({ input, expected, key, split });
    if (!parsed.success) throw invalid(issuesOf(parsed.error));
    const position = nextPosition(database, { application, taskId });
    insertExample(database, { application, taskId, id, position, traceId, at }, parsed.data);
  }
  return shown(examples.get(database, { owner, id }));
}

function textOf(input: JsonValue): string {
  if (input === null || input === '') throw new AppError('invalid', 'The trace has no input');
  return typeof input === 'string' ? input : JSON.stringify(input);
}

export const traceExampleCommands = { makeTraceExample };
export const traceExampleQueries = { readTraceTexts };
