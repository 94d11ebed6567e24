/** Definitions put into a store, and evals to be saved by them. */
import { randomUUID } from 'node:crypto';
import type { SavedEval } from '../../src/evaluate/eval-record.ts';
import type { Database } from '../../src/storage/database.ts';
import type { StoredTest } from './stored-tests.ts';

export function storeDefinition(
  database: Database,
  application: number,
  {
    id,
    name = 'Definition',
    type = 'CUSTOM',
    config = { criterion: 'Is it kind?' },
  }: { id: string; name?: string; type?: string; config?: object },
): void {
  database.run(
    `INSERT INTO definition (id, application, name, type, status, global_config, version, repeats, created_at, modified_at)
     VALUES (?, ?, ?, ?, 'ACTIVE', ?, 1, 1, 0, 0)`,
    id,
    application,
    name,
    type,
    JSON.stringify(config),
  );
}

/** One that nothing was decided in yet, of no test. */
export const PENDING_EVAL: Omit<SavedEval, 'id' | 'definitionId'> = {
  definitionVersion: 1,
  definitionType: 'CUSTOM',
  testId: null,
  traceId: null,
  taskId: null,
  runId: null,
  runType: 'MONITORING',
  inputHash: 'hash',
  status: 'PENDING',
  score: null,
  normalised: null,
  passed: null,
  results: null,
  reason: null,
  judge: null,
  cost: null,
  latencyMs: null,
};

/** An eval of a test. */
export const evalOf = (
  { id: testId, run }: StoredTest,
  definitionId: string,
  more: Partial<SavedEval> = {},
): SavedEval => ({
  ...PENDING_EVAL,
  id: randomUUID(),
  definitionId,
  testId,
  taskId: run.taskId,
  runId: run.id,
  runType: (run.type ?? 'MANUAL') as SavedEval['runType'],
  ...more,
});

/** Fields that give an eval a verdict; `normalised` is its score on a scale from 0 to 1. */
export const verdict = (
  passed: boolean,
  normalised = Number(passed),
): Pick<SavedEval, 'status' | 'score' | 'normalised' | 'passed'> => ({
  status: 'COMPLETED',
  score: normalised,
  normalised,
  passed,
});
