import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isoTime } from '../contract/values.ts';
import type { MadeCopy } from '../resources/erasures/contract.ts';
import { databaseOf, type StorePlace } from './database.ts';

/** Files of a data folder that have an earlier state of the store: from before a migration, a restoration or a repair. */
const SNAPSHOT = /^touchstone\.db\.|\.backup(\.part)?$/;
/** Folders to which a restoration moves the store that was there. */
const REPLACED = /^replaced-/;

/** Returns the files in the data folder with an earlier state of the store. */
export function findSnapshots(place: StorePlace): MadeCopy[] {
  // Copies of a database are unknown to its servers.
  if (databaseOf(place) !== null) return [];
  const folder = place.dataDir;
  return readdirSync(folder).flatMap((name) => {
    const found = REPLACED.test(name) ? `${name}/touchstone.db` : SNAPSHOT.test(name) ? name : null;
    const stat = found === null ? undefined : statSync(join(folder, found), { throwIfNoEntry: false });
    return found !== null && stat?.isFile()
      ? [{ kind: 'SNAPSHOT', name: found, createdAt: isoTime(Math.floor(stat.mtimeMs)), createdBy: null }]
      : [];
  });
}
