import { asIs, bytes, flag, json, nullable, number, text } from '../storage/column.ts';
import { type NewOf, record, type WrittenOf } from '../storage/record.ts';

export const EVAL_STATUSES = ['PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'SKIPPED'] as const;
export type EvalStatus = (typeof EVAL_STATUSES)[number];

/** A definition applied to a test, or to a trace without a test, with its status and its result. */
export const evals = record('eval', 'eval', {
  definitionId: text,
  definitionVersion: number,
  definitionType: text,
  /** Id of the test; null for an eval of a trace. */
  testId: nullable(text),
  /** Id of the trace, or of the first trace of the test, 16 bytes; null when the test has none. */
  traceId: nullable(bytes),
  taskId: nullable(text),
  runId: nullable(text),
  runType: asIs<'MANUAL' | 'SCHEDULED' | 'EXPERIMENT' | 'MONITORING'>(),
  /** Hash of the input; empty until the input is read. */
  inputHash: text,
  status: asIs<EvalStatus>(),
  /** Score on the scale of the definition's type. Every COMPLETED eval has it, `normalised` (0 to 1) and `passed`. */
  score: nullable(number),
  normalised: nullable(number),
  passed: nullable(flag),
  results: nullable(json<Readonly<Record<string, unknown>>>()),
  reason: nullable(text),
  judge: nullable(json<Readonly<Record<string, unknown>>>()),
  /** Hash of all that decides how the judge model judges; null if no model was called. */
  judgeVersion: nullable(text),
  /** Cost in US dollars. */
  cost: nullable(number),
  latencyMs: nullable(number),
  /** Version among the evals of the same test or trace by the same definition. */
  version: number,
  /** True if a newer version exists. */
  superseded: flag,
});

type NewEval = Omit<NewOf<typeof evals>, 'version' | 'superseded'>;
/** Fields that all evals of a test or trace share. */
export type EvalSubject = Pick<
  WrittenOf<typeof evals>,
  'testId' | 'traceId' | 'taskId' | 'runId' | 'runType'
>;
/** An eval to store. A new id creates a new version, which supersedes the current one. */
export type SavedEval = NewEval & EvalSubject;
