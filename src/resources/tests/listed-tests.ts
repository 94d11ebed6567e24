import { isoTime } from '../../contract/values.ts';
import type { Owner } from '../../contract/owner.ts';
import { NO_RESULT, resultsOf } from '../../evaluate/results.ts';
import type { Database } from '../../storage/database.ts';
import type { Failure } from '../../tests/failures.ts';
import type { ListedTest } from './contract.ts';

type Kept = Exclude<
  keyof ListedTest,
  'orgId' | 'applicationId' | 'failure' | 'createdAt' | 'modifiedAt' | 'result'
>;
export interface TestRow extends Pick<ListedTest, Kept> {
  failure: string | null;
  createdAt: number;
  modifiedAt: number;
}

const COLUMNS = `id, task_id AS taskId, run_id AS runId, run_type AS runType, status, phase, failure,
  example_index AS exampleIndex, experiment_id AS experimentId, experiment_variant_id AS experimentVariantId,
  created_at AS createdAt, modified_at AS modifiedAt`;
export const TEST_COLUMNS = `${COLUMNS}, prompt`;
export const LISTED_TEST_COLUMNS = `${COLUMNS}, substr(prompt, 1, 300) AS prompt`;

/** The records of these rows, in their order. */
export function testRecords(
  database: Database,
  { application, orgId, applicationId }: Owner,
  rows: readonly TestRow[],
): ListedTest[] {
  const results = resultsOf(database, { application, by: 'id', ids: rows.map(({ id }) => id) });
  return rows.map((row) => ({
    ...row,
    orgId,
    applicationId,
    failure: row.failure === null ? null : (JSON.parse(row.failure) as Failure),
    createdAt: isoTime(row.createdAt),
    modifiedAt: isoTime(row.modifiedAt),
    result: results.get(row.id) ?? NO_RESULT,
  }));
}
