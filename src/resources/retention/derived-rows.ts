import type { DerivedRows } from '../../storage/derived-rows.ts';
import { firstKeyOf } from '../../traces/trace-keys.ts';
import { markDays } from './usage.ts';

interface Day {
  application: number;
  day: number;
  stored: number;
  counted: number;
}

const DAY_MS = 86_400_000;
/** Keys of the traces of one day. */
const KEYS = firstKeyOf(1);

/**
 * Numbers of traces by the day of their arrival, of days that were counted after they were over and have not changed since.
 * Bytes are left out, because maintenance may store blocks again in fewer bytes.
 */
const storedDays: DerivedRows<Day> = {
  what: 'numbers of stored traces',
  find: (database, limit) =>
    database.all<Day>(
      `SELECT application, day, stored, counted FROM (
         SELECT stored_day.application, day, traces AS stored, (
           SELECT count(DISTINCT tkey) FROM chunk WHERE chunk.application = stored_day.application
             AND tkey >= day * ${KEYS} AND tkey < (day + 1) * ${KEYS}) AS counted
         FROM stored_day WHERE measured_at >= (day + 2) * ${DAY_MS}) AS days
       WHERE stored <> counted LIMIT :limit`,
      { limit },
    ),
  describe: ({ application, day, stored, counted }) => ({
    of: `day ${new Date(day * DAY_MS).toISOString().slice(0, 10)} of application ${application}`,
    fault: `its row counts ${stored} traces, and ${counted} are stored`,
  }),
  repair: (database, { application, day }) => markDays(database, { application, days: [day] }),
};

export const DERIVED_OF_RETENTION = [storedDays] as DerivedRows[];
