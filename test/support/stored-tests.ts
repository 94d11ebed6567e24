/** Tests and runs put into a store as they are after whatever has happened to them. */
import { randomBytes } from 'node:crypto';
import { addEvent } from '../../src/deliver/test-store.ts';
import type { Failure, TestPhase, TestStatus } from '../../src/deliver/test-state.ts';
import type { Database } from '../../src/storage/sqlite/database.ts';

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
  failure?: Failure;
  prompt?: string;
  exampleIndex?: number;
  metadata?: unknown;
  experimentId?: string;
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
    `INSERT INTO task (id, application, title, description, type, status, input_examples, is_verified, created_at,
       modified_at) VALUES (?, ?, 'Task', '', 'STATIC', ?, '["one","two"]', 0, 0, 0)`,
    id,
    application,
    status,
  );
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

/** Nothing is due for it: it stays as it is. */
export function storeTest(database: Database, application: number, test: StoredTest): void {
  const { id, run, createdAt } = test;
  database.run(
    `INSERT INTO test (id, application, task_id, run_id, run_type, status, phase, failure, prompt, example_index, metadata,
       experiment_id, experiment_variant_id, trace_id, created_at, modified_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    application,
    run.taskId,
    run.id,
    run.type ?? 'MANUAL',
    test.status ?? 'PENDING',
    test.phase ?? 'queued',
    test.failure === undefined ? null : JSON.stringify(test.failure),
    test.prompt ?? 'Hello?',
    test.exampleIndex ?? null,
    test.metadata === undefined ? null : JSON.stringify(test.metadata),
    test.experimentId ?? null,
    run.experimentVariantId ?? null,
    randomBytes(16),
    createdAt,
    test.modifiedAt ?? createdAt,
  );
  for (const { at, phase, detail } of test.timeline ?? [])
    addEvent(database, application, id, at, phase, detail);
}
