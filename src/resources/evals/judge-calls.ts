import type { ById } from '../../contract/owner.ts';
import { judgeCalls, judgePrompts } from '../../evaluate/judge/call-record.ts';
import type { Database } from '../../storage/database.ts';
import { valuesOf } from '../../storage/dialect.ts';
import type { ShownJudgeCall } from './judge-calls-contract.ts';
import { evalsWithReferences } from './record.ts';

/** More calls than any eval needs: nine votes of four questions, each asked twice. */
const MAX_CALLS = 100;

/** Returns the calls of judge models that an eval made, in their order. Throws `not_found` for the eval. */
export function listJudgeCalls(
  database: Database,
  { owner: { application }, id }: ById,
): { data: ShownJudgeCall[] } {
  evalsWithReferences.requireAll(database, application, [id]);
  return { data: modelCallsOf(database, { application, subjectId: id }) };
}

/** Returns the calls of models about an eval, or for the prompts of a run, in their order. */
export function modelCallsOf(
  database: Database,
  { application, subjectId }: { application: number; subjectId: string },
): ShownJudgeCall[] {
  const calls = judgeCalls.all(
    database,
    application,
    'subject_id = :subjectId ORDER BY repeat, created_at, hash LIMIT :limit',
    { subjectId, limit: MAX_CALLS },
  );
  const hashes = new Set(calls.flatMap(({ promptHash }) => promptHash ?? []));
  const known = judgePrompts.all(database, application, `hash IN ${valuesOf(':hashes')}`, {
    hashes: JSON.stringify([...hashes]),
  });
  const systemOf = new Map(known.map(({ hash, system }) => [hash, system]));
  return calls.map(({ hash: _hash, subjectId: _subjectId, runId: _runId, promptHash, request, ...call }) => ({
    ...call,
    request: request === null ? null : requestOf(request, systemOf.get(promptHash ?? '')),
  }));
}

/** Earlier versions stored the instructions in each request. */
function requestOf(json: string, instructions: string | undefined): NonNullable<ShownJudgeCall['request']> {
  const { system, inputs, leftOut, mistake } = JSON.parse(json) as NonNullable<ShownJudgeCall['request']>;
  return { system: instructions ?? system, inputs, leftOut, mistake };
}
