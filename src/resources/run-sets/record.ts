import { asIs, json, nullable, number, text, time } from '../../storage/column.ts';
import { record } from '../../storage/record.ts';
import type { TriggerPosition } from '../../deliver/trigger.ts';
import type { ChosenExamples } from '../../deliver/task-examples.ts';
import type { RecordedDecision } from './decision-contract.ts';

export const RUN_SET_STATUSES = ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
export type RunSetStatus = (typeof RUN_SET_STATUSES)[number];

/** Everything that one CI build or one person started together. */
export const runSets = record('run_set', 'run set', {
  title: nullable(text),
  commitId: nullable(text),
  branch: nullable(text),
  pullRequest: nullable(text),
  buildUrl: nullable(text),
  author: nullable(text),
  metadata: nullable(json<Record<string, unknown>>()),
  status: asIs<RunSetStatus>(),
  repeat: number,
  /** Seed of the prompts that a model writes; null if no prompt model is configured. */
  promptSeed: nullable(number),
  /** Choice of examples; null if its tests take the examples in turn. */
  examples: nullable(json<ChosenExamples>()),
  /** Number of examples that are tested between two looks; null if all are tested at once. */
  batchExamples: nullable(number),
  plannedTests: number,
  /** Number of planned tests that have not ended, started or not. */
  openTests: number,
  /** Tasks, and where to continue its start; null when all tests have been started. */
  position: nullable(json<{ taskIds: string[]; next: TriggerPosition }>()),
  baselineId: nullable(text),
  /** Ids of the runs that it is compared with; null without a baseline. */
  baselineRuns: nullable(json<string[]>()),
  /** Last decision that was recorded. */
  decision: nullable(json<RecordedDecision>()),
  decidedAt: nullable(time),
  /** Time when it last was the baseline of a decision that was recorded. */
  usedAt: nullable(time),
});
