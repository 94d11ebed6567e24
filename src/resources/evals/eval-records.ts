import { isoTime } from '../../contract/values.ts';
import type { Owner } from '../../contract/owner.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import { definitionsById } from '../definitions/definition-records.ts';
import type { Definition } from '../definitions/contract.ts';
import type { Evaluation, ListedEval } from './contract.ts';
import { shownTraceId, traceColumns, type TraceColumns } from '../traces/trace-reference.ts';

type Kept =
  | 'id'
  | 'definitionVersion'
  | 'testId'
  | 'taskId'
  | 'runId'
  | 'status'
  | 'score'
  | 'normalisedScore'
  | 'version'
  | 'inputHash'
  | 'reason'
  | 'cost'
  | 'latencyMs';
export interface ListedEvalRow extends Pick<ListedEval, Kept> {
  definitionId: string;
  traceId: TraceColumns['traceId'] | null;
  native: number | null;
  passed: number | null;
  superseded: number;
  createdAt: number;
  modifiedAt: number;
}
export interface EvalRow extends ListedEvalRow {
  results: string | null;
  judge: string | null;
}

const COLUMNS = `id, definition_id AS definitionId, definition_version AS definitionVersion, test_id AS testId,
  ${traceColumns('eval')}, task_id AS taskId, run_id AS runId, status, score, normalised AS normalisedScore, passed,
  version, superseded, input_hash AS inputHash, cost, latency_ms AS latencyMs, created_at AS createdAt,
  modified_at AS modifiedAt`;
export const LISTED_EVAL_COLUMNS = `${COLUMNS}, substr(reason, 1, 300) AS reason`;
export const EVAL_COLUMNS = `${COLUMNS}, reason, results, judge`;

/** The records of these rows, in their order, as lists show them. */
export function listedEvals(database: Database, owner: Owner, rows: readonly ListedEvalRow[]): ListedEval[] {
  const definitions = definitionsOf(database, owner, rows);
  return rows.map((row) => listedEval(row, owner, definitions));
}

/** The whole records of these rows, in their order. */
export function evalRecords(database: Database, owner: Owner, rows: readonly EvalRow[]): Evaluation[] {
  const definitions = definitionsOf(database, owner, rows);
  return rows.map(({ results, judge, ...row }) => ({
    ...listedEval(row, owner, definitions),
    results: parsed(results),
    judge: parsed(judge),
  }));
}

function listedEval(
  { definitionId, traceId, native, ...row }: ListedEvalRow,
  { orgId, applicationId }: Owner,
  definitions: ReadonlyMap<string, Definition>,
): ListedEval {
  return {
    ...row,
    orgId,
    applicationId,
    createdAt: isoTime(row.createdAt),
    modifiedAt: isoTime(row.modifiedAt),
    // What has results is archived, never removed.
    definition: definitions.get(definitionId) as Definition,
    traceId: traceId && shownTraceId({ traceId, native: native ?? 0 }),
    passed: row.passed === null ? null : row.passed === 1,
    superseded: row.superseded === 1,
  };
}

const definitionsOf = (
  database: Database,
  owner: Owner,
  rows: readonly ListedEvalRow[],
): Map<string, Definition> =>
  definitionsById(
    database,
    owner,
    rows.map(({ definitionId }) => definitionId),
  );

const parsed = (json: string | null): Record<string, unknown> | null =>
  json === null ? null : (JSON.parse(json) as Record<string, unknown>);
