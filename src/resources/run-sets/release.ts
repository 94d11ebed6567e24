import { clearTextsOfRuns } from '../../evaluate/prune-judge-texts.ts';
import type { Database } from '../../storage/database.ts';
import { IS_PINNED_SET } from '../../tests/pinned-runs.ts';
import { runIdsOf } from './baseline.ts';

interface ReleaseRunSet {
  application: number;
  /** Start of the run sets, in Unix milliseconds: earlier ones may be released. */
  before: number;
  keptRunSets: number;
  /** Unix milliseconds; earlier run sets are not pinned. */
  pinnedFrom: number;
  at: number;
}

/**
 * Deletes the texts of the judges of one run set that was pinned and no longer is: when others lost theirs, they were kept. Returns
 * whether there was one.
 */
function releaseRunSet(
  database: Database,
  { application, before, keptRunSets, pinnedFrom, at }: ReleaseRunSet,
): boolean {
  const found = database.get<{ id: string }>(
    `SELECT id FROM run_set WHERE application = :application AND created_at < :before AND released_at IS NULL
       AND (decided_at IS NOT NULL OR used_at IS NOT NULL) AND (created_at < :pinnedFrom OR NOT ${IS_PINNED_SET})
     ORDER BY created_at LIMIT 1`,
    { application, before, keptRunSets, pinnedFrom },
  );
  if (!found) return false;
  clearTextsOfRuns(database, { application, runIds: runIdsOf(database, application, found.id) });
  database.run('UPDATE run_set SET released_at = :at WHERE application = :application AND id = :id', {
    application,
    at,
    id: found.id,
  });
  return true;
}

export const releaseCommands = { releaseRunSet };
