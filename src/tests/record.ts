import { asIs, flag, json, nullable, number, text } from '../storage/column.ts';
import { record } from '../storage/record.ts';
import type { Failure } from './failures.ts';
import type { RunType, TestPhase, TestStatus } from './states.ts';

/** One run of one task against the app. Its id is the test id that spans carry. */
export const tests = record('test', 'test', {
  taskId: text,
  runId: text,
  runType: asIs<RunType>(),
  status: asIs<TestStatus>(),
  phase: asIs<TestPhase>(),
  failure: nullable(json<Failure>()),
  prompt: text,
  /** JSON text, as metadata and experiment are. */
  promptObject: nullable(text),
  exampleIndex: nullable(number),
  metadata: nullable(text),
  experiment: nullable(text),
  experimentId: nullable(text),
  experimentVariantId: nullable(text),
  /** The trace that its deliveries begin, 16 bytes. */
  traceId: asIs<Uint8Array>(),
  deliveredAt: nullable(number),
  unknownSince: nullable(number),
  /** When the last spans of it arrived. */
  lastSpanAt: nullable(number),
  /** When to check whether it is complete or has failed. */
  checkAt: nullable(number),
  /** Its current evals that are COMPLETED, and how many of them passed. */
  finishedEvals: number,
  passedEvals: number,
  /** What it adds to pass rates. */
  countedEvals: number,
  countedPassed: number,
  /** Whether it failed in a way that says nothing about the app. */
  hasError: flag,
});

/** The tests that one trigger started for one task. */
export const runs = record('run', 'run', {
  taskId: text,
  type: asIs<RunType>(),
  experimentVariantId: nullable(text),
});
