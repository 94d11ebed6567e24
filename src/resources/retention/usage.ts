/** The table `stored_day`: stored traces by the day of their arrival. */
import type { Database } from '../../storage/database.ts';
import { inTime, totalOf } from '../../storage/dialect.ts';
import { type StoredAmount, withIndexes } from '../../traces/stored-amount.ts';
import { dayOf, dayOfKey, firstKeyOf } from '../../traces/trace-keys.ts';

/** Most days of one application; older ones count with the first of them. */
const MAX_DAYS = 4_000;
/** Share of the budget that is left after a run, so that not every new trace deletes an old one. */
const FILLED = 0.95;
/** Blocks that one query measures. */
const PAGE_BLOCKS = 5_000;

export interface StoredDay extends StoredAmount {
  day: number;
  measuredAt: number;
}

interface Place {
  tkey: number;
  seq: number;
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

export const sumOf = (amounts: readonly StoredAmount[]): StoredAmount =>
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

/** Counts some of the blocks of a day, those after a place; `last` is null when no block follows. */
export function measureDay(
  database: Database,
  { application, day, after }: OfDay & { after: Place | null },
): StoredAmount & { last: Place | null } {
  const { tkey, seq } = after ?? { tkey: firstKeyOf(day), seq: -1 };
  const blocks = database.all<Place & { head: Buffer; bytes: number }>(
    `SELECT tkey, seq, substr(skeleton, 3, 2) AS head, length(skeleton) + length(payload) AS bytes FROM chunk
     WHERE application = :application AND (tkey, seq) > (:tkey, :seq) AND tkey < :end AND ${inTime('tkey')}
     ORDER BY tkey, seq LIMIT ${PAGE_BLOCKS}`,
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
  const end = blocks.at(-1);
  return {
    traces,
    spans,
    bytes,
    last: end && blocks.length === PAGE_BLOCKS ? { tkey: end.tkey, seq: end.seq } : null,
  };
}

/** Stores the numbers of a day; nothing when they are those that are stored, so that an idle server commits nothing. */
export function saveStoredDay(
  database: Database,
  { application, day, at, traces, spans, bytes }: OfDay & StoredAmount & { at: number },
): void {
  if (traces === 0) {
    database.run('DELETE FROM stored_day WHERE application = :application AND day = :day', {
      application,
      day,
    });
    return;
  }
  database.run(
    `INSERT INTO stored_day (application, day, traces, spans, bytes, measured_at)
     VALUES (:application, :day, :traces, :spans, :bytes, :at)
     ON CONFLICT (application, day) DO UPDATE SET traces = excluded.traces, spans = excluded.spans,
       bytes = excluded.bytes, measured_at = excluded.measured_at`,
    { application, day, at, traces, spans, bytes },
  );
}
