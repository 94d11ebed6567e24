import type { Database } from '../../storage/database.ts';
import { verifiedJudges } from '../../tests/outcome/verified-judges.ts';
import { judgeStandings } from './standing.ts';

/** Definitions of one application with a gate, at most. */
const MAX_GATED = 1_000;

/** An application whose blocking judges differ from those that are stored. */
export interface ChangedJudges {
  application: number;
  /** Ids of the definitions whose judges are verified now. */
  definitionIds: string[];
}

/** Returns the applications in which a judge has become verified or has lost that. */
function changedJudges(database: Database, { now }: { now: number }): ChangedJudges[] {
  const applications = database.all<{ application: number }>(
    `SELECT DISTINCT application FROM definition WHERE gate_min_kappa IS NOT NULL
     UNION SELECT DISTINCT application FROM verified_judge`,
  );
  return applications.flatMap(({ application }) => {
    const verified = verifiedIn(database, application, now);
    const stored = verifiedJudges(database, application).sort();
    return verified.join() === stored.join() ? [] : [{ application, definitionIds: verified }];
  });
}

function verifiedIn(database: Database, application: number, now: number): string[] {
  const gated = database.all<{ id: string }>(
    `SELECT id FROM definition WHERE application = :application AND gate_min_kappa IS NOT NULL
     ORDER BY id LIMIT ${MAX_GATED}`,
    { application },
  );
  if (gated.length === 0) return [];
  const ids = gated.map(({ id }) => id);
  return [...judgeStandings(database, { application, ids, now }).gated.keys()].sort();
}

export const verifiedJudgeQueries = { changedJudges };
