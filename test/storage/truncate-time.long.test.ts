import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TRUNCATE_UNITS, type TruncateUnit } from '../../src/storage/dialect.ts';
import { truncateTime } from '../../src/storage/sqlite/truncate-time.ts';
import { effort } from '../support/effort.ts';

const truncate = truncateTime();
const at = (text: string): number => Date.parse(text);

describe('truncate_time', () => {
  it.each<[time: string, unit: TruncateUnit, zone: string, start: string]>([
    ['2026-05-14T13:45:12.345Z', 'hour', 'UTC', '2026-05-14T13:00:00Z'],
    ['2026-05-14T13:45:12.345Z', 'day', 'UTC', '2026-05-14T00:00:00Z'],
    ['2026-05-14T13:45:12.345Z', 'week', 'UTC', '2026-05-11T00:00:00Z'],
    ['2026-05-14T13:45:12.345Z', 'month', 'UTC', '2026-05-01T00:00:00Z'],
    ['2026-05-14T13:45:12.345Z', 'quarter', 'UTC', '2026-04-01T00:00:00Z'],
    ['2026-05-14T13:45:12.345Z', 'year', 'UTC', '2026-01-01T00:00:00Z'],
    ['2026-12-31T23:59:59.999Z', 'quarter', 'UTC', '2026-10-01T00:00:00Z'],
    ['2026-08-31T22:00:00Z', 'month', 'Europe/Berlin', '2026-08-31T22:00:00Z'],
    // Weeks begin on Monday: a Sunday is their last day, also over the turn of a year.
    ['2026-05-17T23:59:59.999Z', 'week', 'UTC', '2026-05-11T00:00:00Z'],
    ['2026-05-18T00:00:00Z', 'week', 'UTC', '2026-05-18T00:00:00Z'],
    ['2027-01-03T12:00:00Z', 'week', 'UTC', '2026-12-28T00:00:00Z'],
    // Clocks put forward: a day of 23 hours.
    ['2026-03-29T21:30:00Z', 'day', 'Europe/Berlin', '2026-03-28T23:00:00Z'],
    ['2026-03-29T22:00:00Z', 'day', 'Europe/Berlin', '2026-03-29T22:00:00Z'],
    // Clocks put back: a day of 25 hours, and an hour that is shown twice.
    ['2026-10-25T22:59:59Z', 'day', 'Europe/Berlin', '2026-10-24T22:00:00Z'],
    ['2026-10-25T00:30:00Z', 'hour', 'Europe/Berlin', '2026-10-25T00:00:00Z'],
    ['2026-10-25T01:30:00Z', 'hour', 'Europe/Berlin', '2026-10-25T01:00:00Z'],
    // Half hours and three quarters from UTC.
    ['2026-05-14T13:45:00Z', 'hour', 'Asia/Kolkata', '2026-05-14T13:30:00Z'],
    ['2026-05-14T18:29:59Z', 'day', 'Asia/Kolkata', '2026-05-13T18:30:00Z'],
    ['2026-05-14T18:30:00Z', 'day', 'Asia/Kolkata', '2026-05-14T18:30:00Z'],
    ['2026-05-14T18:30:00Z', 'day', 'Asia/Kathmandu', '2026-05-14T18:15:00Z'],
    // A day without midnight begins with its first moment: clocks went from 00:00 to 01:00.
    ['2018-11-04T12:00:00Z', 'day', 'America/Sao_Paulo', '2018-11-04T03:00:00Z'],
    // A midnight that struck twice counts from the first: clocks went from 00:01 to 23:01.
    ['2010-11-07T02:30:30Z', 'day', 'America/St_Johns', '2010-11-07T02:30:00Z'],
    ['2010-11-07T12:00:00Z', 'day', 'America/St_Johns', '2010-11-07T02:30:00Z'],
    ['2010-11-07T02:45:00Z', 'day', 'America/St_Johns', '2010-11-06T02:30:00Z'],
    // A day that was left out.
    ['2011-12-30T10:00:00Z', 'day', 'Pacific/Apia', '2011-12-30T10:00:00Z'],
    ['2011-12-30T09:59:59Z', 'day', 'Pacific/Apia', '2011-12-29T10:00:00Z'],
    // Before 1970, and by the sun's time with its seconds.
    ['1969-12-31T23:30:00Z', 'hour', 'UTC', '1969-12-31T23:00:00Z'],
    ['1969-12-31T23:30:00Z', 'week', 'UTC', '1969-12-29T00:00:00Z'],
    ['1880-06-01T12:00:00Z', 'day', 'Europe/Berlin', '1880-05-31T23:06:32Z'],
  ])('%s by %s in %s is %s', (time, unit, zone, start) => {
    expect(new Date(truncate(at(time), unit, zone) ?? Number.NaN)).toEqual(new Date(start));
  });

  it('leaves NULL as it is', () => {
    expect(truncate(null, 'day', 'UTC')).toBeNull();
  });

  it('says what the clocks of any zone say', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    const anyZone = fc.constantFrom(...zones);
    const anyTime = fc.integer({ min: at('1995-01-01T00:00:00Z'), max: at('2045-01-01T00:00:00Z') });
    fc.assert(
      fc.property(anyTime, fc.constantFrom(...TRUNCATE_UNITS), anyZone, (time, unit, zone) => {
        expect([zone, unit, truncate(time, unit, zone)]).toEqual([zone, unit, slowly(time, unit, zone)]);
      }),
      { numRuns: effort(40) },
    );
  });

  it('says what clocks say around each change of them', () => {
    for (const zone of CHANGING) {
      const changes = changesOf(zone, at('2005-01-01T00:00:00Z'), at('2020-01-01T00:00:00Z'));
      expect(changes.length, zone).toBeGreaterThan(0);
      for (const change of changes)
        for (const unit of ['hour', 'day', 'month'] as const)
          for (const minutes of [-1440, -90, -31, -1, 0, 1, 29, 61, 1439]) {
            const time = change + minutes * 60_000;
            expect([zone, time, unit, truncate(time, unit, zone)]).toEqual([
              zone,
              time,
              unit,
              slowly(time, unit, zone),
            ]);
          }
    }
  });
});

/** With odd changes: of half an hour, at midnight, a minute after it, by a complete day, for a month in the middle of summer. */
const CHANGING = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'America/St_Johns',
  'America/Havana',
  'Atlantic/Azores',
  'Asia/Beirut',
  'Asia/Pyongyang',
  'America/Caracas',
  'Pacific/Apia',
  'Africa/Casablanca',
  'Antarctica/Troll',
];

const formats = new Map<string, Intl.DateTimeFormat>();

/** What clocks show, as `2026-05-14 13:45`. */
function shownAt(time: number, zone: string): string {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
    formats.set(zone, format);
  }
  return format.format(time);
}

/** What all moments of a unit have in common on the clocks. */
function label(time: number, unit: Exclude<TruncateUnit, 'hour'>, zone: string): string {
  const date = shownAt(time, zone).slice(0, 10);
  if (unit === 'day') return date;
  if (unit === 'year') return date.slice(0, 4);
  if (unit === 'month') return date.slice(0, 7);
  if (unit === 'quarter') return `${date.slice(0, 4)} ${Math.floor((Number(date.slice(5, 7)) - 1) / 3)}`;
  const monday = new Date(`${date}T00:00:00Z`);
  while (monday.getUTCDay() !== 1) monday.setUTCDate(monday.getUTCDate() - 1);
  return monday.toISOString().slice(0, 10);
}

const QUARTER = 15 * 60_000;

/** Walks back in time, and looks at the clock at every step. */
function slowly(time: number, unit: TruncateUnit, zone: string): number {
  const minute = Math.floor(time / 60_000) * 60_000;
  if (unit === 'hour') return minute - Number(shownAt(minute, zone).slice(14)) * 60_000;
  const wanted = label(minute, unit, zone);
  let first = minute;
  // The label may be left and come back within the two hours after a clock was put back over midnight.
  const walk = (step: number, most: number): void => {
    for (let back = step, miss = 0; miss < most; back += step) {
      if (label(minute - back, unit, zone) === wanted) [first, miss] = [minute - back, 0];
      else miss += step;
    }
  };
  if (unit === 'day') walk(QUARTER, 8 * QUARTER);
  else walk(24 * 4 * QUARTER, 3 * 24 * 4 * QUARTER);
  for (let miss = 0, moment = first; miss < 120; moment -= 60_000, miss++)
    if (label(moment, unit, zone) === wanted) [first, miss] = [moment, -1];
  return first;
}

/** Minutes from which on the zone has another offset. */
function changesOf(zone: string, from: number, until: number): number[] {
  const offset = (time: number): number => at(`${shownAt(time, zone).replace(' ', 'T')}:00Z`) - time;
  const changes: number[] = [];
  for (let time = from; time < until; time += 24 * 4 * QUARTER) {
    if (offset(time) === offset(time + 24 * 4 * QUARTER)) continue;
    let minute = time;
    while (offset(minute) === offset(time)) minute += 60_000;
    changes.push(minute);
  }
  return changes;
}
