import { isJudgedType } from '../../contract/judged-types.ts';
import type { Database } from '../../storage/database.ts';
import { refillOutcomes } from './fill-store.ts';

interface VerifiedJudges {
  application: number;
  /** Ids of definitions whose judge people have verified. */
  definitionIds: readonly string[];
}

/** Stores which judges of an application are blocking. Outcomes of tests by judges that have changed are computed again. */
export function storeVerifiedJudges(
  database: Database,
  { application, definitionIds }: VerifiedJudges,
): void {
  const now = new Set(definitionIds);
  const before = new Set(verifiedJudges(database, application));
  const added = [...now].filter((id) => !before.has(id));
  const removed = [...before].filter((id) => !now.has(id));
  for (const definitionId of added)
    database.run(
      'INSERT INTO verified_judge (application, definition_id) VALUES (:application, :definitionId)',
      {
        application,
        definitionId,
      },
    );
  for (const definitionId of removed)
    database.run(
      'DELETE FROM verified_judge WHERE application = :application AND definition_id = :definitionId',
      { application, definitionId },
    );
  for (const definitionId of [...added, ...removed]) refillOutcomes(database, { application, definitionId });
}

/** Returns the ids of the definitions of an application whose judges are blocking. */
export const verifiedJudges = (database: Database, application: number): string[] =>
  database
    .all<{ id: string }>('SELECT definition_id AS id FROM verified_judge WHERE application = :application', {
      application,
    })
    .map(({ id }) => id);

/** Returns a function that reports whether a definition of an application can fail a test: every rule, and verified judges. */
export function blockingDefinitions(
  database: Database,
  application: number,
): (definition: { id: string; type: string }) => boolean {
  const verified = new Set(verifiedJudges(database, application));
  return ({ id, type }) => !isJudgedType(type) || verified.has(id);
}
