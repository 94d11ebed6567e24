import type { ById } from '../../contract/owner.ts';
import { judgeCalls } from '../../evaluate/judge/call-record.ts';
import type { Database } from '../../storage/database.ts';
import type { ShownJudgeCall } from './judge-calls-contract.ts';
import { evals } from './record.ts';

/** More calls than any eval needs: nine votes of four questions, each asked twice. */
const MAX_CALLS = 100;

/** Returns the calls of judge models that an eval made, in their order. Throws `not_found` for the eval. */
export function listJudgeCalls(
  database: Database,
  { owner: { application }, id }: ById,
): { data: ShownJudgeCall[] } {
  evals.requireAll(database, application, [id]);
  const calls = judgeCalls.all(
    database,
    application,
    'eval_id = :id ORDER BY repeat, created_at, hash LIMIT :limit',
    { id, limit: MAX_CALLS },
  );
  return {
    data: calls.map(({ hash: _hash, evalId: _evalId, runId: _runId, request, ...call }) => ({
      ...call,
      request: request === null ? null : requestOf(request),
    })),
  };
}

function requestOf(json: string): NonNullable<ShownJudgeCall['request']> {
  const { system, inputs, leftOut, mistake } = JSON.parse(json) as NonNullable<ShownJudgeCall['request']>;
  return { system, inputs, leftOut, mistake };
}
