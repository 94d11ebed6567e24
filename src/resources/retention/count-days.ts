/** Counts the traces of the days that changed since they were last counted. */
import type { Read, Write } from '../../storage/calls.ts';
import { dayOf } from '../../traces/trace-keys.ts';
import { type StoredAmount, withIndexes } from '../../traces/stored-amount.ts';
import {
  daysToMeasure,
  measureBlocks,
  measureLogs,
  measureWaitingLogs,
  saveStoredDay,
  storedDays,
} from './calls.ts';
import { type MeasuredPage, type CountPosition, type StoredDay, sumOfAmounts } from './usage.ts';

/** Calls by which traces are measured. */
export interface MeasureDeps {
  read: Read;
  write: Write;
  now: () => number;
  isStopped: () => boolean;
}

/** A count that continues where it was stopped, so that it ends however short its turns are. */
export interface DayCount {
  application: number;
  /** Time from which on all numbers are right once the count has ended. */
  begunAt: number;
  /** Days that are left; the first of them may have been begun. */
  days: number[];
  begun: BegunDay | null;
}

/** Parts of a day, each counted in pages. */
const PARTS_OF_DAY = [measureBlocks, measureLogs, measureWaitingLogs] as const;

interface BegunDay {
  day: number;
  /** Time of the begin. */
  at: number;
  /** The day as it was stored then; undefined if it was not. */
  before: StoredDay | undefined;
  counted: StoredAmount;
  /** Parts that are left, and the place in the first of them. */
  parts: (typeof PARTS_OF_DAY)[number][];
  after: CountPosition | null;
}

/** Begins a count of the days of an application that changed. */
async function beginCount({ read, now }: MeasureDeps, application: number): Promise<DayCount> {
  const begunAt = now();
  const days = await read(daysToMeasure, { application, now: begunAt });
  return { application, begunAt, days: [...days], begun: null };
}

/** Counts until nothing is left, or until it is stopped; returns whether nothing is left. */
async function advanceCount(deps: MeasureDeps, count: DayCount): Promise<boolean> {
  const { application } = count;
  for (let day = count.days[0]; day !== undefined; day = count.days[0]) {
    if (deps.isStopped()) return false;
    count.begun ??= await beginDay(deps, application, day);
    if (!(await countDay(deps, application, count.begun))) return false;
    await save(deps, application, count.begun);
    count.days.shift();
    count.begun = null;
  }
  return true;
}

async function beginDay({ read, now }: MeasureDeps, application: number, day: number): Promise<BegunDay> {
  const at = now();
  const before = (await read(storedDays, { application })).find((stored) => stored.day === day);
  return {
    day,
    at,
    before,
    counted: { traces: 0, spans: 0, bytes: 0 },
    parts: [...PARTS_OF_DAY],
    after: null,
  };
}

/** Counts the rest of a day; returns false if it was stopped. */
async function countDay(
  { read, isStopped }: MeasureDeps,
  application: number,
  begun: BegunDay,
): Promise<boolean> {
  for (let part = begun.parts[0]; part !== undefined; part = begun.parts[0]) {
    if (isStopped()) return false;
    const page: MeasuredPage = await read(part, { application, day: begun.day, after: begun.after });
    begun.counted = sumOfAmounts([begun.counted, page]);
    begun.after = page.last;
    if (page.last === null) begun.parts.shift();
  }
  return true;
}

/** Stores the numbers of a day, unless they are those that are stored: an idle server commits nothing. */
async function save(
  { write }: MeasureDeps,
  application: number,
  { day, at, before, counted }: BegunDay,
): Promise<void> {
  const isSame =
    before !== undefined &&
    // A marked day is stored without its mark.
    before.measuredAt > 0 &&
    before.traces === counted.traces &&
    before.spans === counted.spans &&
    before.bytes === withIndexes(counted);
  // A day that is over is stored once more, so that it need not be counted again.
  if (isSame && dayOf(at) <= day + 1) return;
  const measuredBefore = before?.measuredAt ?? null;
  await write(saveStoredDay, { application, day, at, measuredBefore, ...counted });
}

/** Counts the days that changed. Returns the time from which on all numbers are right; null if it was stopped before. */
export async function measureDays(deps: MeasureDeps, application: number): Promise<number | null> {
  const count = await beginCount(deps, application);
  return (await advanceCount(deps, count)) ? count.begunAt : null;
}

/** Applications whose unfinished counts are kept; the one that was begun first is dropped. */
const MAX_UNFINISHED = 1_000;

/** Counts for requests: each continues with the count that the request before could not finish. */
export class RequestedCounts {
  private readonly unfinished = new Map<number, DayCount>();
  private readonly running = new Map<number, Promise<number | null>>();

  /** Does as `measure` does. Requests at the same time share one count. */
  measure(deps: MeasureDeps, application: number): Promise<number | null> {
    const running = this.running.get(application);
    if (running) return running;
    const started = this.advance(deps, application).finally(() => this.running.delete(application));
    this.running.set(application, started);
    return started;
  }

  private async advance(deps: MeasureDeps, application: number): Promise<number | null> {
    const count = this.unfinished.get(application) ?? (await beginCount(deps, application));
    this.unfinished.delete(application);
    if (await advanceCount(deps, count)) return count.begunAt;
    const [oldest] = this.unfinished.keys();
    if (oldest !== undefined && this.unfinished.size >= MAX_UNFINISHED) this.unfinished.delete(oldest);
    this.unfinished.set(application, count);
    return null;
  }
}
