import type { Database } from '../../storage/database.ts';
import { ERASED_TITLE, tasks } from './record.ts';

/** Removes titles that were copied from an erased trace. */
export function eraseTitles(
  database: Database,
  { application, ids, at }: { application: number; ids: readonly string[]; at: number },
): void {
  for (const id of ids) tasks.update(database, { application, id, at }, { title: ERASED_TITLE });
}
