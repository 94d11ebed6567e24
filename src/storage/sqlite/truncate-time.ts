import type { TruncateUnit } from '../dialect.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Offset from UTC that no zone has ever exceeded. */
const MAX_OFFSET = 16 * HOUR;
/** Limits of the caches: zones, days with offsets per zone, and starts of units per zone. */
const MAX_ZONES = 32;
const MAX_KEPT = 20_000;

/**
 * Creates the SQL function `truncate_time(time, unit, zone)`, which returns the start of the hour, day, week (from
 * Monday), month, quarter or year that contains `time` in an IANA zone. Times are Unix milliseconds; NULL stays NULL.
 * When clocks go back, the repeated hour counts as two hours, and a day begins at its first midnight. When clocks go
 * forward over a midnight, the day begins at the change.
 */
export function truncateTime(): (time: number | null, unit: TruncateUnit, zone: string) => number | null {
  const zones = new Map<string, Zone>();
  return (time, unit, name) => {
    if (time === null) return null;
    let zone = zones.get(name);
    if (!zone) {
      zone = new Zone(name);
      keep(zones, MAX_ZONES, name, zone);
    }
    const offset = zone.offsetAt(time);
    const shown = time + offset;
    return unit === 'hour' ? shown - modulo(shown, HOUR) - offset : zone.firstShowing(startOf(shown, unit));
  };
}

/** Returns the start of the calendar unit; both times are local, in milliseconds as if the zone were UTC. */
function startOf(shown: number, unit: Exclude<TruncateUnit, 'hour'>): number {
  const day = shown - modulo(shown, DAY);
  if (unit === 'day') return day;
  // 1 January 1970 was a Thursday.
  if (unit === 'week') return day - modulo(day + 3 * DAY, 7 * DAY);
  const date = new Date(day);
  const month = {
    month: date.getUTCMonth(),
    quarter: date.getUTCMonth() - (date.getUTCMonth() % 3),
    year: 0,
  };
  return date.setUTCMonth(month[unit], 1);
}

/** Clock of a zone: its offsets from UTC, in milliseconds. */
class Zone {
  private readonly format: Intl.DateTimeFormat;
  private readonly days = new Map<number, OffsetDay>();
  private readonly firsts = new Map<number, number>();

  constructor(name: string) {
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  offsetAt(time: number): number {
    const start = time - modulo(time, DAY);
    let day = this.days.get(start);
    if (!day) {
      day = this.dayFrom(start);
      keep(this.days, MAX_KEPT, start, day);
    }
    return time < day.change ? day.before : day.after;
  }

  /** Returns the first time at which the local time is `shown`, or skips over it. */
  firstShowing(shown: number): number {
    const known = this.firsts.get(shown);
    if (known !== undefined) return known;
    const first = this.findFirstShowing(shown);
    keep(this.firsts, MAX_KEPT, shown, first);
    return first;
  }

  private findFirstShowing(shown: number): number {
    const [low, high] = [shown - MAX_OFFSET, shown + MAX_OFFSET];
    const [before, after] = [this.offsetAt(low), this.offsetAt(high)];
    if (before === after) return shown - before;
    const change = firstThat(low, high, (time) => this.offsetAt(time) !== before);
    return shown - before < change ? shown - before : Math.max(change, shown - after);
  }

  /** Returns the offsets of a day. A zone changes its clocks at most once a day. */
  private dayFrom(start: number): OffsetDay {
    const [before, after] = [this.readOffset(start), this.readOffset(start + DAY)];
    if (before === after) return { before, after, change: start };
    const change = firstThat(start, start + DAY, (time) => this.readOffset(time) !== before);
    return { before, after, change };
  }

  private readOffset(time: number): number {
    const parts = new Map(this.format.formatToParts(time).map(({ type, value }) => [type, value]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
    const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year');
    const shown = new Date(0);
    shown.setUTCFullYear(year, part('month') - 1, part('day'));
    shown.setUTCHours(part('hour'), part('minute'), part('second'));
    return shown.getTime() - (time - modulo(time, 1000));
  }
}

/** Offset of a UTC day before and after a change of the clocks. */
interface OffsetDay {
  before: number;
  after: number;
  change: number;
}

/**
 * Returns the first millisecond in (low, high] for which `holds` is true; it is false before and true from then on.
 */
function firstThat(low: number, high: number, holds: (time: number) => boolean): number {
  let [no, yes] = [low, high];
  while (yes - no > 1) {
    const middle = Math.floor((no + yes) / 2);
    if (holds(middle)) yes = middle;
    else no = middle;
  }
  return yes;
}

/** Adds an entry to a cache; a full cache is cleared first. */
function keep<K, V>(cache: Map<K, V>, most: number, key: K, value: V): void {
  if (cache.size >= most) cache.clear();
  cache.set(key, value);
}

const modulo = (value: number, divisor: number): number => ((value % divisor) + divisor) % divisor;
