import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/storage/database.ts';
import { traceBytes } from './spans.ts';

/** Inserts a current eval of a trace: completed if it has a verdict, skipped otherwise. */
export function insertEval(
  database: Database,
  application: number,
  {
    definitionId,
    trace,
    passed,
    normalised,
    testId = null,
  }: {
    definitionId: string;
    trace: number | null;
    passed: number | null;
    normalised: number | null;
    testId?: string | null;
  },
): void {
  database.run(
    `INSERT INTO eval (id, application, definition_id, definition_version, definition_type, test_id, trace_id, run_type, status, score,
       normalised, passed, version, superseded, created_at, modified_at, input_hash)
     VALUES (?, ?, ?, 1, 'CUSTOM', ?, ?, 'MONITORING', ?, ?, ?, ?, 1, 0, 0, 0, 'hash')`,
    randomUUID(),
    application,
    definitionId,
    testId,
    trace === null ? null : traceBytes(trace),
    passed === null ? 'SKIPPED' : 'COMPLETED',
    normalised,
    normalised,
    passed,
  );
}
