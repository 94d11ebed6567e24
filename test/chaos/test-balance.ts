/** Compares the tests in the store with what the app knows of them. */
import type Sqlite from 'better-sqlite3';
import { listed } from './balance.ts';
import { type AppRecord, DEFINITIONS, type TestedApp } from './tested-app.ts';

interface StoredTest {
  id: string;
  status: string;
  phase: string;
  code: string | null;
  isOpen: number;
  evals: number;
  current: number;
  definitions: number;
  completed: number;
}

/** Tests that have not ended, or about which something is still to be decided. */
export const OPEN_TESTS = `SELECT (SELECT count(*) FROM test WHERE status NOT IN ('COMPLETED', 'FAILED') OR check_at IS NOT NULL)
  + (SELECT count(*) FROM test_touch) + (SELECT count(*) FROM job WHERE state <> 'dead')`;

/** Checks each test and returns how many ended how. `kills` is the number of times that the server ended in the midst of work. */
export function checkTests(
  database: Sqlite.Database,
  app: TestedApp,
  kills: number,
  differences: string[],
): Record<string, number> {
  const tests = database
    .prepare(
      `SELECT id, status, phase, failure ->> 'code' AS code, check_at IS NOT NULL AS isOpen,
         count(eval.eval_id) AS evals, count(*) FILTER (WHERE superseded = 0) AS current,
         count(DISTINCT definition_id) AS definitions, count(*) FILTER (WHERE eval_status = 'COMPLETED') AS completed
       FROM test LEFT JOIN (SELECT id AS eval_id, test_id, definition_id, superseded, status AS eval_status FROM eval) AS eval
         ON eval.test_id = test.id GROUP BY test.id`,
    )
    .all() as StoredTest[];
  const byFault = Map.groupBy(tests, (test) => faultOf(test, app.records.get(test.id), kills));
  for (const [fault, faulty] of byFault)
    if (fault !== null)
      differences.push(
        `${faulty.length} tests ${fault}: ${listed(faulty.map((test) => describe(test, app.records.get(test.id))))}`,
      );
  const ids = new Set(tests.map(({ id }) => id));
  const lost = app.triggered.filter((id) => !ids.has(id));
  if (lost.length > 0) differences.push(`${lost.length} triggered tests are not stored: ${listed(lost)}`);
  const unknown = [...app.records.keys()].filter((id) => !ids.has(id));
  if (unknown.length > 0)
    differences.push(`the app received ${unknown.length} tests that are not stored: ${listed(unknown)}`);
  differences.push(...app.faults);
  const dead = database.prepare(`SELECT kind, key, reason FROM job WHERE state = 'dead'`).all();
  if (dead.length > 0) differences.push(`jobs failed for good: ${JSON.stringify(dead.slice(0, 5))}`);
  return Object.fromEntries(
    Map.groupBy(tests, ({ status, code }) => code ?? status)
      .entries()
      .map(([end, ended]) => [end, ended.length]),
  );
}

/** Returns what is wrong with a test; null if nothing is. */
function faultOf(test: StoredTest, record: AppRecord | undefined, kills: number): string | null {
  if (record && record.requests > 1) return 'were run by the app more than once';
  if (!['COMPLETED', 'FAILED'].includes(test.status) || test.phase !== 'done' || test.isOpen)
    return 'have not ended';
  if (test.status === 'COMPLETED') {
    if (!record?.isSpanAcknowledged) return 'are completed, but the app sent no span';
    if (test.definitions !== DEFINITIONS || test.current !== DEFINITIONS) return `do not have each eval once`;
    return test.completed === test.evals ? null : 'have evals without verdict';
  }
  if (test.evals > 0) return 'failed and have evals';
  if (record?.isSpanAcknowledged) return 'failed, although their span was acknowledged';
  switch (test.code) {
    case 'trace_missing':
      return record?.status === 200 ? null : 'miss a trace, but the app did not respond with 200';
    case 'webhook_status':
      return record?.status === 500 ? null : 'failed by a status that the app did not send';
    case 'delivery_unknown':
      return kills > 0 ? null : 'were interrupted, but the server was never killed';
    default:
      return `should not have ended as ${test.code}`;
  }
}

const describe = (test: StoredTest, record: AppRecord | undefined): string =>
  `${test.id} (${test.code ?? `${test.status} ${test.phase}`}, ${test.evals} evals; app: ${
    record
      ? `${record.requests} requests, response ${record.status}, span ${record.isSpanAcknowledged ? 'acknowledged' : 'not acknowledged'}`
      : 'never'
  })`;
