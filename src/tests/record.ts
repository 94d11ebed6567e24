import { asIs, bytes, flag, json, nullable, number, startOfText, text } from '../storage/column.ts';
import { record } from '../storage/record.ts';
import type { Failure } from './failures.ts';
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
  metadata: nullable(json<unknown>()),
  experiment: nullable(json<unknown>()),
  experimentId: nullable(text),
  experimentVariantId: nullable(text),
  /** The trace that its deliveries begin, 16 bytes. */
  traceId: bytes,
  deliveredAt: nullable(number),
  unknownSince: nullable(number),
  /** Time when the last spans of it arrived. */
  lastSpanAt: nullable(number),
  /** Time of the next check whether it is complete or has failed. */
  checkAt: nullable(number),
  /** Number of its current evals that are COMPLETED, and how many of them passed. */
  finishedEvals: number,
  passedEvals: number,
  /** Contribution to pass rates. */
  countedEvals: number,
  countedPassed: number,
  /** True if it failed in a way that says nothing about the app. */
  hasError: flag,
};

/** One run of one task against the app. Its id is the test id that spans carry. */
export const tests = record('test', 'test', columns);

/** Columns for insertion, with JSON as text. The counts begin at 0. */
export const newTests = record('test', 'test', {
  ...columns,
  promptObject: nullable(text),
  metadata: nullable(text),
  experiment: nullable(text),
}).omit('finishedEvals', 'passedEvals', 'countedEvals', 'countedPassed', 'hasError');

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
  'exampleIndex',
  'experimentId',
  'experimentVariantId',
] as const;
export const shownTests = tests.pick(...SHOWN, 'metadata');
/** Columns that lists show. */
export const listedTests = record('test', 'test', { ...columns, prompt: startOfText(300) }).pick(...SHOWN);

/** The tests that one trigger started for one task. */
export const runs = record('run', 'run', {
  taskId: text,
  type: asIs<RunType>(),
  experimentVariantId: nullable(text),
});
