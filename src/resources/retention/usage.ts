/** The table `stored_day`: stored traces by the day of their arrival. */
import type { Database } from '../../storage/database.ts';
import { inTime, lesser, totalOf } from '../../storage/dialect.ts';
import { bytesOfLogs, type StoredAmount, withIndexes } from '../../traces/stored-amount.ts';
import { dayOf, dayOfKey, firstKeyOf } from '../../traces/trace-keys.ts';

const DAY_MS = 86_400_000;
/** Most days of one application; older ones count with the first of them. */
const MAX_DAYS = 4_000;
/** Share of the budget that is left after a run, so that not every new trace deletes an old one. */
const FILLED = 0.95;
/** Blocks, or log records, that one query measures. */
const PAGE_ROWS = 5_000;

export interface StoredDay extends StoredAmount {
  day: number;
  measuredAt: number;
}

/** Place of a block or of a log record in the order in which a day is counted. */
export interface CountPosition {
  tkey: number;
  /** Number of the block, or id of the record. */
  seq: number;
}

/** Amounts of a part of a day; `last` is null when nothing follows. */
export interface MeasuredPage extends StoredAmount {
  last: CountPosition | null;
}

interface OfDay {
  application: number;
  day: number;
}

/** Returns the measured days of an application, oldest first. */
export const storedDays = (database: Database, { application }: { application: number }): StoredDay[] =>
  database
    .all<StoredDay>(
      `SELECT day, traces, spans, bytes, measured_at AS "measuredAt" FROM stored_day
       WHERE application = :application ORDER BY day`,
      { application },
    )
    .map((stored) => ({ ...stored, bytes: withIndexes(stored) }));

/** Returns the bytes of the traces of each organisation that has some, as last counted. */
export const storedByOrganisation = (database: Database, _args: null): { orgId: string; bytes: number }[] =>
  database
    .all<StoredAmount & { orgId: string }>(
      `SELECT org_id AS "orgId", ${totalOf('traces')} AS traces, ${totalOf('spans')} AS spans, ${totalOf('bytes')} AS bytes
       FROM stored_day JOIN application ON application.application = stored_day.application GROUP BY org_id`,
    )
    .map(({ orgId, ...amount }) => ({ orgId, bytes: withIndexes(amount) }));

/** Returns the bytes that a run deletes; 0 when the traces fit. */
export const excessOf = (bytes: number, maxBytes: number): number =>
  bytes <= maxBytes ? 0 : bytes - FILLED * maxBytes;

export const sumOfAmounts = (amounts: readonly StoredAmount[]): StoredAmount =>
  amounts.reduce(
    (sum, { traces, spans, bytes }) => ({
      traces: sum.traces + traces,
      spans: sum.spans + spans,
      bytes: sum.bytes + bytes,
    }),
    { traces: 0, spans: 0, bytes: 0 },
  );

/** Returns the days whose traces must be counted again: of the last two days, and those never counted. */
export function daysToMeasure(
  database: Database,
  { application, now }: { application: number; now: number },
): number[] {
  const known = new Map(
    database
      .all<{ day: number; at: number }>(
        'SELECT day, measured_at AS at FROM stored_day WHERE application = :application',
        { application },
      )
      .map(({ day, at }) => [day, at]),
  );
  const present = daysWithTraces(database, application);
  if (hasWaitingLogs(database, application))
    for (const day of [dayOf(now) - 1, dayOf(now)]) if (!present.includes(day)) present.push(day);
  const isSettled = (day: number): boolean => dayOf(known.get(day) ?? 0) > day + 1;
  const gone = [...known.keys()].filter((day) => !present.includes(day));
  return [...gone, ...present.filter((day) => day >= dayOf(now) - 1 || !isSettled(day))];
}

/** Finds the days on which stored traces arrived, each by one look into the index. */
function daysWithTraces(database: Database, application: number): number[] {
  const days: number[] = [];
  let from = 0;
  while (days.length < MAX_DAYS) {
    const next = database.get<{ tkey: number }>(
      'SELECT tkey FROM chunk WHERE application = :application AND tkey >= :from ORDER BY tkey LIMIT 1',
      { application, from },
    );
    if (!next) break;
    const day = dayOfKey(next.tkey);
    days.push(day);
    from = firstKeyOf(day + 1);
  }
  return days;
}

/** Returns whether log records wait for their trace, for a day at most. */
const hasWaitingLogs = (database: Database, application: number): boolean =>
  database.get('SELECT 1 FROM span_log WHERE application = :application AND tkey IS NULL LIMIT 1', {
    application,
  }) !== undefined;

interface MeasurePage extends OfDay {
  after: CountPosition | null;
}

/** Counts some of the blocks of a day, those after a place. */
export function measureBlocks(database: Database, { application, day, after }: MeasurePage): MeasuredPage {
  const { tkey, seq } = after ?? { tkey: firstKeyOf(day), seq: -1 };
  const blocks = database.all<CountPosition & { head: Buffer; bytes: number }>(
    `SELECT tkey, seq, substr(skeleton, 3, 2) AS head, length(skeleton) + length(payload) AS bytes FROM chunk
     WHERE application = :application AND (tkey, seq) > (:tkey, :seq) AND tkey < :end AND ${inTime('tkey')}
     ORDER BY tkey, seq LIMIT ${PAGE_ROWS}`,
    { application, tkey, seq, end: firstKeyOf(day + 1) },
  );
  let traces = 0;
  let spans = 0;
  let bytes = 0;
  let previous = after?.tkey ?? -1;
  for (const block of blocks) {
    if (block.tkey !== previous) traces += 1;
    previous = block.tkey;
    spans += block.head.readUInt16LE();
    bytes += block.bytes;
  }
  return { traces, spans, bytes, last: lastOf(blocks) };
}

/** Returns the place of the last row if others may follow it. */
function lastOf(rows: readonly CountPosition[]): CountPosition | null {
  const end = rows.at(-1);
  return end && rows.length === PAGE_ROWS ? { tkey: end.tkey, seq: end.seq } : null;
}

/** Counts some of the log records of the traces of a day, those after a place. */
export function measureLogs(database: Database, { application, day, after }: MeasurePage): MeasuredPage {
  const { tkey, seq } = after ?? { tkey: firstKeyOf(day), seq: -1 };
  const rows = database.all<CountPosition & { bytes: number }>(
    `SELECT tkey, id AS seq, length(record) AS bytes FROM span_log
     WHERE application = :application AND (tkey, id) > (:tkey, :seq) AND tkey < :end AND ${inTime('tkey')}
     ORDER BY tkey, id LIMIT ${PAGE_ROWS}`,
    { application, tkey, seq, end: firstKeyOf(day + 1) },
  );
  return { traces: 0, spans: 0, bytes: bytesOfRows(rows), last: lastOf(rows) };
}

/** Counts some of the log records that arrived on a day and wait for their trace, those after a place. */
export function measureWaitingLogs(
  database: Database,
  { application, day, after }: MeasurePage,
): MeasuredPage {
  const rows = database.all<CountPosition & { bytes: number }>(
    `SELECT 0 AS tkey, id AS seq, length(record) AS bytes FROM span_log
     WHERE application = :application AND tkey IS NULL AND id > :seq AND received_at >= :from AND received_at < :until
       AND ${inTime('id')}
     ORDER BY id LIMIT ${PAGE_ROWS}`,
    { application, seq: after?.seq ?? -1, from: day * DAY_MS, until: (day + 1) * DAY_MS },
  );
  return { traces: 0, spans: 0, bytes: bytesOfRows(rows), last: lastOf(rows) };
}

const bytesOfRows = (rows: readonly { bytes: number }[]): number =>
  bytesOfLogs({ records: rows.length, bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0) });

interface SaveStoredDay extends OfDay, StoredAmount {
  at: number;
  /** `measuredAt` of the day before it was counted; null if it was not stored. */
  measuredBefore: number | null;
}

/** Stores the numbers of a day. A day that was marked while it was counted stays marked, and is counted again. */
export function saveStoredDay(database: Database, { traces, spans, bytes, at, ...day }: SaveStoredDay): void {
  if (traces === 0 && bytes === 0) {
    database.run(
      `DELETE FROM stored_day WHERE application = :application AND day = :day AND measured_at = :measuredBefore`,
      day,
    );
    return;
  }
  database.run(
    `INSERT INTO stored_day (application, day, traces, spans, bytes, measured_at)
     VALUES (:application, :day, :traces, :spans, :bytes, :at)
     ON CONFLICT (application, day) DO UPDATE SET traces = excluded.traces, spans = excluded.spans,
       bytes = excluded.bytes,
       measured_at = CASE WHEN stored_day.measured_at = :measuredBefore
         THEN excluded.measured_at ELSE stored_day.measured_at END`,
    { ...day, at, traces, spans, bytes },
  );
}

/**
 * Marks days as changed, so that their traces are counted again: `measured_at` becomes negative, another number with each
 * mark, so that a count in progress sees those that arrive meanwhile.
 */
export function markDays(
  database: Database,
  { application, days }: { application: number; days: readonly number[] },
): void {
  for (const day of days)
    database.run(
      `INSERT INTO stored_day (application, day, traces, spans, bytes, measured_at)
       VALUES (:application, :day, 0, 0, 0, -1)
       ON CONFLICT (application, day) DO UPDATE SET measured_at = ${lesser('stored_day.measured_at', '0')} - 1`,
      { application, day },
    );
}
