import type { Database } from '../../storage/database.ts';
import { locking } from '../../storage/operations.ts';
import { type MaskingRules, NO_RULES } from '../../masking/rules.ts';
import { type MaskedCount, OTHER_ATTRIBUTES } from '../../masking/tally.ts';
import { MAX_REPORT_ROWS } from './contract.ts';

interface OfApplication {
  application: number;
}

/** Most attributes that one day of an application counts by name. */
const MAX_ATTRIBUTES = 500;
/** Days for which counts are kept. */
const KEPT_DAYS = 400;

const getMasking = (database: Database, { application }: OfApplication): MaskingRules => {
  const row = database.get<{ rules: string }>('SELECT rules FROM masking WHERE application = :application', {
    application,
  });
  return row ? { ...NO_RULES, ...(JSON.parse(row.rules) as MaskingRules) } : NO_RULES;
};

/** Sets rules; absent ones keep their values. */
function setMasking(
  database: Database,
  { application, rules, at }: OfApplication & { rules: Partial<MaskingRules>; at: number },
): MaskingRules {
  const all = { ...getMasking(database, { application }), ...rules };
  database.run(
    `INSERT INTO masking (application, rules, modified_at) VALUES (:application, :rules, :at)
     ON CONFLICT (application) DO UPDATE SET rules = excluded.rules, modified_at = excluded.modified_at`,
    { application, rules: JSON.stringify(all), at },
  );
  return all;
}

interface RecordMasked extends OfApplication {
  /** Days since 1970-01-01 (UTC). */
  day: number;
  counts: readonly MaskedCount[];
}

/** Adds to the counts of a day, and removes those of days long past. */
function recordMasked(database: Database, { application, day, counts }: RecordMasked): void {
  database.run('DELETE FROM masked_value WHERE application = :application AND day < :before', {
    application,
    before: day - KEPT_DAYS,
  });
  let known =
    database.get<{ n: number }>(
      'SELECT count(*) AS n FROM masked_value WHERE application = :application AND day = :day',
      { application, day },
    )?.n ?? 0;
  for (const { detector, attribute, count } of counts) {
    const added = database.run(
      `UPDATE masked_value SET count = count + :count
       WHERE application = :application AND day = :day AND detector = :detector AND attribute = :attribute`,
      { application, day, detector, attribute, count },
    );
    if (added > 0) continue;
    known += 1;
    database.run(
      `INSERT INTO masked_value (application, day, detector, attribute, count)
       VALUES (:application, :day, :detector, :attribute, :count)
       ON CONFLICT (application, day, detector, attribute) DO UPDATE SET count = masked_value.count + excluded.count`,
      {
        application,
        day,
        detector,
        attribute: known > MAX_ATTRIBUTES ? OTHER_ATTRIBUTES : attribute,
        count,
      },
    );
  }
}

/** Returns the counts from a day on, newest and largest first. */
const maskedValues = (
  database: Database,
  { application, from }: OfApplication & { from: number },
): (MaskedCount & { day: number })[] =>
  database.all<MaskedCount & { day: number }>(
    `SELECT day, detector, attribute, count FROM masked_value WHERE application = :application AND day >= :from
     ORDER BY day DESC, count DESC, detector, attribute LIMIT ${MAX_REPORT_ROWS}`,
    { application, from },
  );

export const maskingCommands = locking('application', { setMasking, recordMasked });
export const maskingQueries = { getMasking, maskedValues };
