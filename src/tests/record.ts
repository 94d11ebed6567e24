import {
  asIs,
  bytes,
  computedText,
  flag,
  json,
  nullable,
  number,
  startOfText,
  text,
} from '../storage/column.ts';
import { record } from '../storage/record.ts';
import type { Failure } from './failures.ts';
import { inputOf } from './input-of.ts';
import type { RunType, TestPhase, TestStatus } from './states.ts';

const columns = {
  taskId: text,
  runId: text,
  runType: asIs<RunType>(),
  status: asIs<TestStatus>(),
  phase: asIs<TestPhase>(),
  failure: nullable(json<Failure>()),
  prompt: text,
  promptObject: nullable(json<unknown>()),
  exampleIndex: nullable(number),
  exampleId: nullable(text),
  /** Version of the example that it sends; null if it sends none. */
  exampleVersion: nullable(number),
  /** Run set by whose definitions, as they were at its start, it is judged; null if it is judged by those of today. */
  snapshotId: nullable(text),
  metadata: nullable(json<unknown>()),
  experiment: nullable(json<unknown>()),
  experimentId: nullable(text),
  experimentVariantId: nullable(text),
  /** Id of the trace that its deliveries begin, 16 bytes. */
  traceId: bytes,
  deliveredAt: nullable(number),
  unknownSince: nullable(number),
  /** Time when its last spans arrived. */
  lastSpanAt: nullable(number),
  /** Time of the next check for completion or failure. */
  checkAt: nullable(number),
  /** Number of its current evals that are COMPLETED, and the number of those that passed. */
  finishedEvals: number,
  passedEvals: number,
  /** Contribution to pass rates. */
  countedEvals: number,
  countedPassed: number,
  /** True if the test failed for a reason outside the app. */
  hasError: flag,
  /** True if a trace that was linked to the test has been deleted, so that nothing can be judged by it any more. */
  traceDeleted: flag,
};

/** One run of one task against the app. Spans carry its id as the test id. */
export const tests = record('test', 'test', columns);

/** Columns for inserts, with JSON as text. All counts begin at 0. */
export const newTests = record('test', 'test', {
  ...columns,
  promptObject: nullable(text),
  metadata: nullable(text),
  experiment: nullable(text),
}).omit('finishedEvals', 'passedEvals', 'countedEvals', 'countedPassed', 'hasError', 'traceDeleted');

const SHOWN = [
  'id',
  'createdAt',
  'modifiedAt',
  'taskId',
  'runId',
  'runType',
  'status',
  'phase',
  'failure',
  'prompt',
  'inputDigest',
  'exampleIndex',
  'exampleId',
  'exampleVersion',
  'experimentId',
  'experimentVariantId',
] as const;
const shown = { ...columns, inputDigest: computedText(inputOf) };
export const shownTests = record('test', 'test', shown).pick(...SHOWN, 'metadata');
/** Columns that lists show. */
export const listedTests = record('test', 'test', { ...shown, prompt: startOfText(300) }).pick(...SHOWN);

/** The tests that one trigger started for one task. */
export const runs = record('run', 'run', {
  taskId: text,
  type: asIs<RunType>(),
  experimentVariantId: nullable(text),
  /** Seed of the prompts that a model wrote; null for a run of a task with examples. */
  promptSeed: nullable(number),
  /** Run set that it belongs to; null if it was started alone. */
  runSetId: nullable(text),
});
