import type { ById } from '../../contract/owner.ts';
import type { Database } from '../../storage/database.ts';
import { runs } from '../../tests/record.ts';
import { modelCallsOf } from '../evals/judge-calls.ts';
import type { ShownJudgeCall } from '../evals/judge-calls-contract.ts';

/** Returns the calls of the prompt model for a run. Throws `not_found` for the run. */
function listPromptCalls(
  database: Database,
  { owner: { application }, id }: ById,
): { data: ShownJudgeCall[] } {
  runs.requireAll(database, application, [id]);
  return { data: modelCallsOf(database, { application, subjectId: id }) };
}

export const promptCallQueries = { listPromptCalls };
