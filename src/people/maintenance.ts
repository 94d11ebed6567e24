import type { Log } from '../runtime/log.ts';
import { startTicker, type Ticker } from '../runtime/ticker.ts';
import type { Read, Write } from '../storage/calls.ts';
import { applicationsWithOldEntries, hasExpiredLogins, purgeAudit, purgeLogins } from './calls.ts';

const TICK_MS = 10 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Rows that one command deletes. */
const BATCH = 500;
/** Commands of one tick. */
const MAX_COMMANDS = 1_000;
/** Audit entries that are kept for one application, however new they are. */
const MAX_ENTRIES = 1_000_000;

interface PeopleMaintenanceOptions {
  read: Read;
  write: Write;
  log: Log;
  now: () => number;
  settings: { auditDays: number };
  /** Returns whether the clock is right, as far as the server can tell; by a wrong one nothing is deleted. */
  isClockBelieved: () => boolean;
}

/** Deletes expired logins, links and invitations, and audit entries that are no longer kept. */
export function startPeopleMaintenance(options: PeopleMaintenanceOptions): Ticker {
  return startTicker(TICK_MS, async () => {
    if (!options.isClockBelieved()) return;
    try {
      await purge(options);
    } catch (error) {
      options.log.warn('expired logins and audit entries were not deleted; retrying later', { error });
    }
  });
}

/** Returns the number of rows that were deleted. */
export async function purge({
  read,
  write,
  now,
  settings,
}: Omit<PeopleMaintenanceOptions, 'log' | 'isClockBelieved'>) {
  const at = now();
  const kept = { before: at - settings.auditDays * DAY_MS, most: MAX_ENTRIES };
  let commands = 0;
  let deleted = 0;
  const deleteAll = async (deleteSome: () => Promise<number>): Promise<void> => {
    for (let last = BATCH; last >= BATCH && commands < MAX_COMMANDS; commands++) {
      last = await deleteSome();
      deleted += last;
    }
  };
  if (await read(hasExpiredLogins, { at })) await deleteAll(() => write(purgeLogins, { at, limit: BATCH }));
  for (const application of await read(applicationsWithOldEntries, kept))
    await deleteAll(() => write(purgeAudit, { application, ...kept, limit: BATCH }));
  return deleted;
}
