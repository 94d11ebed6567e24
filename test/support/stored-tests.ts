/** Tests and runs put into a store as they are after whatever has happened to them. */
import { uuid } from './spans.ts';
import { storeExamples } from './stored-examples.ts';
import { randomBytes } from 'node:crypto';
import { markMetricsOfTest } from '../../src/evaluate/due-quality-metrics.ts';
import type { Database } from '../../src/storage/database.ts';
import type { Failure, FailureCode } from '../../src/tests/failures.ts';
import type { TestPhase, TestState, TestStatus } from '../../src/tests/states.ts';
import { findTest, storeEvalCounts, type TestKey } from '../../src/tests/store.ts';
import { addEntry } from '../../src/tests/timeline.ts';
import type { Stage } from '../../src/tests/transitions.ts';

export interface StoredRun {
  id: string;
  taskId: string;
  type?: string;
  experimentVariantId?: string | null;
  createdAt: number;
  modifiedAt?: number;
}

export interface StoredTest {
  id: string;
  run: StoredRun;
  status?: TestStatus;
  phase?: TestPhase;
  failure?: Failure | null;
  prompt?: string;
  exampleIndex?: number;
  /** Default: that of `exampleIdOf`. */
  exampleId?: string;
  metadata?: unknown;
  experimentId?: string;
  deliveredAt?: number | null;
  unknownSince?: number | null;
  lastSpanAt?: number | null;
  createdAt: number;
  modifiedAt?: number;
  timeline?: readonly { at: number; phase: TestPhase; detail: string }[];
}

/** The integer key of an application. */
export function applicationKey(database: Database, applicationId: string): number {
  const row = database.get<{ application: number }>(
    'SELECT application FROM application WHERE id = ?',
    applicationId,
  );
  return (row as { application: number }).application;
}

export function storeTask(database: Database, application: number, id: string, status = 'ACTIVE'): void {
  database.run(
    `INSERT INTO task (id, application, title, description, type, status, is_verified, created_at,
       modified_at) VALUES (?, ?, 'Task', '', 'STATIC', ?, 0, 0, 0)`,
    id,
    application,
    status,
  );
  storeExamples(database, application, id, ['one', 'two']);
}

export function storeRun(database: Database, application: number, run: StoredRun): void {
  database.run(
    `INSERT INTO run (id, application, task_id, type, experiment_variant_id, created_at, modified_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    run.id,
    application,
    run.taskId,
    run.type ?? 'MANUAL',
    run.experimentVariantId ?? null,
    run.createdAt,
    run.modifiedAt ?? run.createdAt,
  );
}

/**
 * Stores the contribution of a test to pass rates, after its row was changed by hand, and marks the metrics that
 * include it.
 */
export function recount(database: Database, key: TestKey): void {
  const { finishedEvals = 0, passedEvals = 0 } = findTest(database, key) ?? {};
  if (storeEvalCounts(database, { ...key, at: 0 }, { finishedEvals, passedEvals }))
    markMetricsOfTest(database, key);
}

/** Id of the example at this place; the same in every task. */
export const exampleIdOf = (index: number): string => uuid(0x0e3a_0000 + index);

/** Nothing is due for it: it stays as it is. */
export function storeTest(database: Database, application: number, test: StoredTest): void {
  const { id, run, createdAt } = test;
  database.run(
    `INSERT INTO test (id, application, task_id, run_id, run_type, status, phase, failure, prompt, example_index, example_id, metadata,
       experiment_id, experiment_variant_id, trace_id, delivered_at, unknown_since, last_span_at, created_at, modified_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    application,
    run.taskId,
    run.id,
    run.type ?? 'MANUAL',
    test.status ?? 'PENDING',
    test.phase ?? 'queued',
    test.failure ? JSON.stringify(test.failure) : null,
    test.prompt ?? (test.exampleIndex === undefined ? 'Hello?' : `Hello ${test.exampleIndex}?`),
    test.exampleIndex ?? null,
    test.exampleId ?? (test.exampleIndex === undefined ? null : exampleIdOf(test.exampleIndex)),
    test.metadata === undefined ? null : JSON.stringify(test.metadata),
    test.experimentId ?? null,
    run.experimentVariantId ?? null,
    randomBytes(16),
    test.deliveredAt ?? null,
    test.unknownSince ?? null,
    test.lastSpanAt ?? null,
    createdAt,
    test.modifiedAt ?? createdAt,
  );
  recount(database, { application, testId: id });
  for (const entry of test.timeline ?? []) addEntry(database, { application, testId: id }, entry);
}

const inPhase = (phase: TestPhase, more: Partial<TestState> = {}): TestState => ({
  status: 'IN_PROGRESS',
  phase,
  failure: null,
  deliveredAt: null,
  unknownSince: null,
  ...more,
});
const failedWith = (code: FailureCode): TestState =>
  inPhase('done', { status: 'FAILED', failure: { code, message: 'It failed.', hint: 'Try again.' } });

/** A test in each stage. Times are in milliseconds after 1970. */
export const STATES: Readonly<Record<Stage, TestState>> = {
  queued: inPhase('queued', { status: 'PENDING' }),
  delivering: inPhase('delivering'),
  interrupted: inPhase('delivering', { unknownSince: 40 }),
  retrying: inPhase('queued'),
  delivered: inPhase('delivered', { deliveredAt: 50 }),
  trace_received: inPhase('trace_received', { deliveredAt: 50 }),
  evaluating: inPhase('evaluating', { deliveredAt: 50 }),
  completed: inPhase('done', { status: 'COMPLETED', deliveredAt: 50 }),
  failed: failedWith('webhook_status'),
  failed_without_trace: { ...failedWith('trace_missing'), deliveredAt: 50 },
  failed_evaluation: { ...failedWith('evaluation_error'), deliveredAt: 50 },
};

/** Returns the time of the next check of a test; null for none. */
export const checkAt = (database: Database, id: string): number | null | undefined =>
  database.get<{ at: number | null }>('SELECT check_at AS at FROM test WHERE id = ?', id)?.at;
