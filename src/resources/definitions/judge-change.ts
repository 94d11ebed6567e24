import type { Database } from '../../storage/database.ts';
import { jsonField } from '../../storage/dialect.ts';
import type { OfJudge } from './verdict-store.ts';

interface JudgedEval {
  judgeVersion: string;
  createdAt: number;
  /** Models and fingerprints of its responses, as JSON; null if they were deleted with its trace. */
  served: string | null;
}

/**
 * Explains that the judge of the newest eval is another one than before; null if no other one has judged this version of the
 * definition.
 */
export function judgeChange(database: Database, of: OfJudge): string | null {
  const { judgeVersion } = of;
  if (judgeVersion === null) return null;
  const before = newestEval(database, of, 'judge_version <> :judgeVersion');
  const now = newestEval(database, of, 'judge_version = :judgeVersion');
  if (!before || !now) return null;
  const [earlier, later] = [servedBy(before), servedBy(now)];
  const models =
    earlier === later || earlier === '' || later === ''
      ? 'its settings or prompts have changed'
      : `${later} answers instead of ${earlier}`;
  return `Another judge has judged since ${new Date(before.createdAt).toISOString().slice(0, 10)}: ${models}. Its measurement starts again.`;
}

/** Returns the version of the judge that made the newest completed eval before this one judged; null if there was none. */
export const earlierJudgeVersion = (database: Database, of: OfJudge): string | null =>
  of.judgeVersion === null
    ? null
    : (newestEval(database, of, 'judge_version <> :judgeVersion')?.judgeVersion ?? null);

const newestEval = (database: Database, of: OfJudge, condition: string): JudgedEval | undefined =>
  database.get<JudgedEval>(
    `SELECT judge_version AS "judgeVersion", created_at AS "createdAt", ${jsonField('judge', 'served')} AS served FROM eval
     WHERE application = :application AND definition_id = :definitionId AND definition_version = :version
       AND status = 'COMPLETED' AND ${condition}
     ORDER BY created_at DESC LIMIT 1`,
    { ...of },
  );

/** Names the models that served an eval; empty if they are unknown. */
function servedBy({ served }: JudgedEval): string {
  const models = JSON.parse(served ?? '[]') as { model: string; fingerprint: string | null }[];
  return models
    .map(({ model, fingerprint }) => (fingerprint === null ? model : `${model} (${fingerprint})`))
    .join(', ');
}
