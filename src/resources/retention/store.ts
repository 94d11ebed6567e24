import { isoTime } from '../../contract/values.ts';
import type { Database } from '../../storage/database.ts';
import { COUNT_PAGES, PAGE_BYTES, RELEASE_PAGE } from '../../storage/dialect.ts';
import { locking } from '../../storage/operations.ts';
import type { DayHooks } from '../../traces/earlier-days.ts';
import { dayOf } from '../../traces/trace-keys.ts';
import {
  DEFAULT_KEPT_RUN_SETS,
  DEFAULT_PINNED_DAYS,
  type Retention,
  type RetentionLimits,
} from './contract.ts';
import { dueTraces } from './due-traces.ts';
import {
  daysToMeasure,
  markDays,
  measureBlocks,
  measureLogs,
  measureWaitingLogs,
  saveStoredDay,
  storedByOrganisation,
  type StoredDay,
  storedDays,
  excessOf,
  sumOfAmounts,
} from './usage.ts';

const DAY_MS = 86_400_000;
/** Complete days whose mean is the growth. */
const GROWTH_DAYS = 7;

interface OfApplication {
  application: number;
}

/** Limits and last run of an application. */
export interface Policy {
  days: number | null;
  maxBytes: number | null;
  pinnedDays: number;
  keptRunSets: number;
  ranAt: number | null;
  deletedTraces: number;
  deletedBytes: number;
  isOver: number;
  evalsUntil: number;
}

const NO_POLICY: Policy = {
  days: null,
  maxBytes: null,
  pinnedDays: DEFAULT_PINNED_DAYS,
  keptRunSets: DEFAULT_KEPT_RUN_SETS,
  ranAt: null,
  deletedTraces: 0,
  deletedBytes: 0,
  isOver: 0,
  evalsUntil: 0,
};

const readPolicy = (database: Database, { application }: OfApplication): Policy =>
  database.get<Policy>(
    `SELECT days, max_bytes AS "maxBytes", pinned_days AS "pinnedDays", kept_run_sets AS "keptRunSets", ran_at AS "ranAt",
       deleted_traces AS "deletedTraces", deleted_bytes AS "deletedBytes", is_over AS "isOver", evals_until AS "evalsUntil"
     FROM retention WHERE application = :application`,
    { application },
  ) ?? NO_POLICY;

interface GetRetention {
  limits: RetentionLimits;
  now: number;
  /** Time of a measurement just before; null if that could not end. Default: that of the last stored one. */
  measuredAt?: number | null;
}

/** Returns what an application keeps and stores; `limits` replaces its limits, to show what others would delete. */
function getRetention(
  database: Database,
  { application, limits, now, measuredAt }: OfApplication & GetRetention,
): Retention {
  const policy = readPolicy(database, { application });
  const { days, maxBytes, pinnedDays, keptRunSets } = { ...policy, ...limits };
  const stored = storedDays(database, { application });
  const usage = sumOfAmounts(stored);
  const bytesPerDay = growth(stored, now);
  const before = days === null ? null : dayOf(now) - days;
  const oldest = stored[0];
  return {
    days,
    maxBytes,
    pinnedDays,
    keptRunSets,
    usage: {
      ...usage,
      bytesPerDay,
      oldestDay: oldest ? isoDay(oldest.day) : null,
      measuredAt: timeOf(measuredAt ?? lastMeasured(stored)),
      isMeasuring: measuredAt === null,
    },
    due: {
      ...sumOfAmounts(dueDays(stored, { before, maxBytes })),
      before: before === null ? null : isoDay(before),
    },
    daysLeft:
      maxBytes === null || bytesPerDay === 0 ? null : Math.max(0, (maxBytes - usage.bytes) / bytesPerDay),
    lastRun:
      policy.ranAt === null
        ? null
        : {
            at: isoTime(policy.ranAt),
            deletedTraces: policy.deletedTraces,
            deletedBytes: policy.deletedBytes,
          },
    isOverBudget: policy.isOver === 1,
  };
}

const timeOf = (at: number | null): string | null => (at === null ? null : isoTime(at));

/** Returns the time of the count of the last day, which is counted last; null if there was none, or if it changed since. */
function lastMeasured(stored: readonly StoredDay[]): number | null {
  const last = stored.at(-1)?.measuredAt ?? 0;
  return last > 0 ? last : null;
}

const isoDay = (day: number): string => isoTime(day * DAY_MS).slice(0, 10);

/** Mean bytes of the last complete days, counted from the first day with traces. */
function growth(stored: readonly StoredDay[], now: number): number {
  const today = dayOf(now);
  const first = stored[0]?.day ?? today;
  const days = Math.min(GROWTH_DAYS, today - first);
  if (days <= 0) return 0;
  return Math.round(
    sumOfAmounts(stored.filter(({ day }) => day >= today - days && day < today)).bytes / days,
  );
}

/** Returns the days, of the last one perhaps a part, that both limits delete. */
function dueDays(
  stored: readonly StoredDay[],
  { before, maxBytes }: { before: number | null; maxBytes: number | null },
): StoredDay[] {
  const byAge = stored.filter(({ day }) => before !== null && day < before);
  const rest = stored.slice(byAge.length);
  let excess = maxBytes === null ? 0 : excessOf(sumOfAmounts(rest).bytes, maxBytes);
  const due = [...byAge];
  for (const day of rest) {
    if (excess <= 0) break;
    const part = Math.min(1, excess / Math.max(1, day.bytes));
    due.push({
      ...day,
      traces: Math.ceil(day.traces * part),
      spans: Math.ceil(day.spans * part),
      bytes: Math.ceil(day.bytes * part),
    });
    excess -= day.bytes;
  }
  return due;
}

/** Sets limits; absent ones keep their values. */
function setRetention(
  database: Database,
  { application, limits, at }: OfApplication & { limits: RetentionLimits; at: number },
): Retention {
  const { days, maxBytes, pinnedDays, keptRunSets } = {
    ...readPolicy(database, { application }),
    ...limits,
  };
  database.run(
    `INSERT INTO retention (application, days, max_bytes, pinned_days, kept_run_sets, modified_at)
     VALUES (:application, :days, :maxBytes, :pinnedDays, :keptRunSets, :at)
     ON CONFLICT (application) DO UPDATE SET days = excluded.days, max_bytes = excluded.max_bytes,
       pinned_days = excluded.pinned_days, kept_run_sets = excluded.kept_run_sets, modified_at = excluded.modified_at, is_over = 0`,
    { application, days, maxBytes, pinnedDays, keptRunSets, at },
  );
  return getRetention(database, { application, limits: {}, now: at });
}

interface RetentionRun extends OfApplication {
  at: number;
  deletedTraces: number;
  deletedBytes: number;
  isOver: boolean;
}

/** Stores what a run has deleted; a run that deleted nothing changes only whether the budget is exceeded. */
function noteRetentionRun(database: Database, { isOver, ...run }: RetentionRun): void {
  const { application, deletedTraces } = run;
  database.run(
    'UPDATE retention SET is_over = :isOver WHERE application = :application AND is_over <> :isOver',
    { application, isOver: Number(isOver) },
  );
  if (deletedTraces === 0) return;
  database.run(
    `UPDATE retention SET ran_at = :at, deleted_traces = :deletedTraces, deleted_bytes = :deletedBytes
     WHERE application = :application`,
    { ...run },
  );
}

/** Stores up to which creation the requests of evals to judges were removed. */
function noteEvalsUntil(database: Database, { application, until }: OfApplication & { until: number }): void {
  database.run('UPDATE retention SET evals_until = :until WHERE application = :application', {
    application,
    until,
  });
}

/** Pages that one command gives back at most. */
const MAX_RELEASED = 500;

/** Gives some unused pages of the file back to the disk, all but `keep`; returns how many. */
function releasePages(database: Database, { keep }: { keep: number }): number {
  const { unused } = countPages(database, null);
  const count = Math.min(MAX_RELEASED, unused - keep);
  for (let released = 0; released < count; released++) database.run(RELEASE_PAGE);
  return Math.max(0, count);
}

/** Returns the pages of the file, and those that are unused. */
const countPages = (database: Database, _args: null): { pages: number; unused: number } =>
  database.get<{ pages: number; unused: number }>(COUNT_PAGES) ?? { pages: 0, unused: 0 };

/** Growth of the complete store, and its unused bytes. */
function storeGrowth(
  database: Database,
  { now }: { now: number },
): { bytesPerDay: number; unusedBytes: number } {
  const bytesPerDay = applicationsWithTraces(database, null)
    .map((application) => netGrowth(database, application, now))
    .reduce((sum, bytes) => sum + bytes, 0);
  return { bytesPerDay, unusedBytes: countPages(database, null).unused * PAGE_BYTES };
}

/** Growth of an application; 0 when its limits delete as much as arrives. */
function netGrowth(database: Database, application: number, now: number): number {
  const { days, maxBytes } = readPolicy(database, { application });
  const stored = storedDays(database, { application });
  const oldest = stored[0]?.day ?? Infinity;
  const isSteady =
    (days !== null && oldest <= dayOf(now) - days) ||
    (maxBytes !== null && sumOfAmounts(stored).bytes > 0.9 * maxBytes);
  return isSteady ? 0 : growth(stored, now);
}

/** Returns the applications that have traces or log records, or had some when they were last measured. */
const applicationsWithTraces = (database: Database, _args: null): number[] =>
  database
    .all<{ application: number }>(
      `SELECT application FROM application
       WHERE EXISTS (SELECT 1 FROM chunk WHERE chunk.application = application.application)
         OR EXISTS (SELECT 1 FROM span_log WHERE span_log.application = application.application)
         OR EXISTS (SELECT 1 FROM stored_day WHERE stored_day.application = application.application)
       ORDER BY application`,
    )
    .map(({ application }) => application);

export const retentionCommands = {
  ...locking('application', { setRetention, noteRetentionRun, noteEvalsUntil, saveStoredDay }),
  ...locking('leader', { releasePages }),
};
export const retentionQueries = {
  getRetention,
  readPolicy,
  storedDays,
  storedByOrganisation,
  daysToMeasure,
  measureBlocks,
  measureLogs,
  measureWaitingLogs,
  dueTraces,
  countPages,
  storeGrowth,
  applicationsWithTraces,
};
export const retentionHooks = { onDaysChanged: [markDays] } satisfies DayHooks;
