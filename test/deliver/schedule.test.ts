import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  catchUp,
  CRITICALITIES,
  type Criticality,
  frequencyFault,
  isCron,
  isTimezone,
  nextRun,
} from '../../src/deliver/schedule.ts';
import { effort } from '../support/effort.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const WEEK = 7 * DAY;
const PERIOD: Record<Criticality, number> = { HIGH: DAY, MEDIUM: WEEK, LOW: 2 * WEEK };
const TASK = '0c3f6a4e-6a53-4c37-9f0c-2f1a7d5b8e01';
const TASKS = Array.from({ length: 400 }, (_, index) => `task ${index}`);

const at = (time: string): number => Date.parse(time);
const iso = (time: number): string => new Date(time).toISOString();

/** What the moments of `cron` are, whose spread of this task is left out. */
const spread = (taskId: string): number => {
  const rhythm = { taskId, criticality: 'HIGH', cron: '0 0 * * *', timezone: 'UTC' } as const;
  return nextRun({ ...rhythm, after: 0 }) % DAY;
};

/** The first `count` moments after `after`, without the spread. */
function moments(
  criticality: Criticality,
  cron: string,
  timezone: string,
  after: string,
  count: number,
): string[] {
  const found: string[] = [];
  let time = at(after);
  for (let i = 0; i < count; i++) {
    time = nextRun({ taskId: TASK, criticality, cron, timezone, after: time });
    found.push(iso(time - spread(TASK)));
  }
  return found;
}

describe('without a cron expression', () => {
  const rhythm = (taskId: string, criticality: Criticality) =>
    ({ taskId, criticality, cron: null, timezone: 'UTC' }) as const;

  it.each(CRITICALITIES)('a %s task runs once a period, always at its own moment of it', (criticality) => {
    const first = nextRun({ ...rhythm(TASK, criticality), after: at('2026-03-28T12:00:00Z') });
    const second = nextRun({ ...rhythm(TASK, criticality), after: first });
    expect(first).toBeGreaterThan(at('2026-03-28T12:00:00Z'));
    expect(first).toBeLessThanOrEqual(at('2026-03-28T12:00:00Z') + PERIOD[criticality]);
    expect(second - first).toBe(PERIOD[criticality]);
    // Whenever it is asked between the two.
    expect(nextRun({ ...rhythm(TASK, criticality), after: second - 1 })).toBe(second);
  });

  it.each(CRITICALITIES)('%s tasks spread over the complete period', (criticality) => {
    const slots = TASKS.map((taskId) =>
      Math.floor((nextRun({ ...rhythm(taskId, criticality), after: 0 }) / PERIOD[criticality]) * 8),
    );
    for (let slot = 0; slot < 8; slot++)
      expect(slots.filter((found) => found % 8 === slot).length, `eighth ${slot}`).toBeGreaterThan(20);
  });
});

describe('with a cron expression', () => {
  it.each<[string, Criticality, string, string, string, string[]]>([
    [
      'Berlin, clocks go forward: 02:30 is not there, 03:00 is',
      'HIGH',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-03-28T00:00:00Z',
      ['2026-03-28T01:30:00.000Z', '2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z'],
    ],
    [
      'Berlin, clocks go back: 02:30 comes twice, the first is taken',
      'HIGH',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-10-24T00:00:00Z',
      ['2026-10-24T00:30:00.000Z', '2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'],
    ],
    [
      'Berlin, 09:00 stays 09:00 in summer',
      'HIGH',
      '0 9 * * *',
      'Europe/Berlin',
      '2026-03-27T12:00:00Z',
      ['2026-03-28T08:00:00.000Z', '2026-03-29T07:00:00.000Z'],
    ],
    [
      'New York, clocks go forward',
      'HIGH',
      '30 2 * * *',
      'America/New_York',
      '2026-03-07T00:00:00Z',
      ['2026-03-07T07:30:00.000Z', '2026-03-08T07:00:00.000Z', '2026-03-09T06:30:00.000Z'],
    ],
    [
      'New York, clocks go back',
      'HIGH',
      '30 1 * * *',
      'America/New_York',
      '2026-10-31T00:00:00Z',
      ['2026-10-31T05:30:00.000Z', '2026-11-01T05:30:00.000Z', '2026-11-02T06:30:00.000Z'],
    ],
    [
      'Santiago, clocks go forward at midnight',
      'HIGH',
      '0 0 * * *',
      'America/Santiago',
      '2026-09-05T00:00:00Z',
      ['2026-09-05T04:00:00.000Z', '2026-09-06T04:00:00.000Z', '2026-09-07T03:00:00.000Z'],
    ],
    [
      'a leap day',
      'HIGH',
      '0 12 * * *',
      'UTC',
      '2028-02-28T00:00:00Z',
      ['2028-02-28T12:00:00.000Z', '2028-02-29T12:00:00.000Z', '2028-03-01T12:00:00.000Z'],
    ],
    [
      'no leap day',
      'HIGH',
      '0 12 * * *',
      'UTC',
      '2100-02-28T00:00:00Z',
      ['2100-02-28T12:00:00.000Z', '2100-03-01T12:00:00.000Z'],
    ],
    [
      'a week with a leap day in it',
      'MEDIUM',
      '0 12 * * THU',
      'UTC',
      '2028-02-20T00:00:00Z',
      ['2028-02-24T12:00:00.000Z', '2028-03-02T12:00:00.000Z'],
    ],
    [
      'a week of 167 hours',
      'MEDIUM',
      '30 2 * * SUN',
      'Europe/Berlin',
      '2026-03-20T00:00:00Z',
      ['2026-03-22T01:30:00.000Z', '2026-03-29T01:00:00.000Z', '2026-04-05T00:30:00.000Z'],
    ],
  ])('%s', (_definition, criticality, cron, timezone, after, expected) => {
    expect(moments(criticality, cron, timezone, after, expected.length)).toEqual(expected);
  });

  it.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC'])(
    'a LOW task runs on the same day of every second week for years, in %s',
    (timezone) => {
      const local = new Intl.DateTimeFormat('sv', { timeZone: timezone, dateStyle: 'short' });
      const days = moments('LOW', '30 2 * * SUN', timezone, '2023-06-01T00:00:00Z', 120).map((time) =>
        Date.parse(local.format(new Date(time))),
      );
      expect(new Set(days.map((day) => new Date(day).getUTCDay()))).toEqual(new Set([0]));
      days.slice(1).forEach((day, index) => expect(day - (days[index] as number)).toBe(2 * WEEK));
    },
  );

  it('LOW tasks are split between the two weeks', () => {
    const after = at('2026-06-01T00:00:00Z');
    const rhythm = { criticality: 'LOW', cron: '0 9 * * MON', timezone: 'UTC' } as const;
    const soon = TASKS.filter((taskId) => nextRun({ taskId, ...rhythm, after }) < after + WEEK);
    expect(soon.length).toBeGreaterThan(150);
    expect(soon.length).toBeLessThan(250);
  });

  it('tasks of one moment start within five minutes after it', () => {
    const rhythm = { criticality: 'HIGH', cron: '0 9 * * *', timezone: 'UTC' } as const;
    const after = at('2026-06-01T08:59:59.999Z');
    const delays = TASKS.map((taskId) => nextRun({ taskId, ...rhythm, after }) - after);
    expect(Math.min(...delays)).toBeGreaterThan(0);
    expect(Math.max(...delays)).toBeLessThanOrEqual(5 * MINUTE);
    expect(new Set(delays.map((delay) => Math.floor(delay / MINUTE))).size).toBe(5);
  });

  it('a task asked within its own delay still runs', () => {
    const rhythm = { taskId: TASK, criticality: 'HIGH', cron: '0 9 * * *', timezone: 'UTC' } as const;
    const moment = at('2026-06-01T09:00:00Z');
    expect(spread(TASK)).toBeGreaterThan(0);
    expect(nextRun({ ...rhythm, after: moment + spread(TASK) - 1 })).toBe(moment + spread(TASK));
    expect(nextRun({ ...rhythm, after: moment + spread(TASK) })).toBe(moment + DAY + spread(TASK));
  });
});

it('runs strictly later, no later than a period and the change of clocks, and the same whenever asked', () => {
  const hour = 60 * MINUTE;
  fc.assert(
    fc.property(
      fc.constantFrom(...CRITICALITIES),
      fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Chatham'),
      fc.tuple(fc.nat(59), fc.nat(23), fc.nat(7)),
      fc.uuid(),
      fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2060-01-01T00:00:00Z') }),
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      (criticality, timezone, [minute, hourOfDay, weekday], taskId, after, part) => {
        const cron = `${minute} ${hourOfDay} * * ${criticality === 'HIGH' ? '*' : weekday}`;
        expect(frequencyFault(criticality, cron)).toBeNull();
        const rhythm = { taskId, criticality, cron, timezone };
        const next = nextRun({ ...rhythm, after });
        expect(next).toBeGreaterThan(after);
        expect(next).toBeLessThanOrEqual(after + PERIOD[criticality] + hour);
        const between = after + Math.floor((next - after) * part);
        expect(nextRun({ ...rhythm, after: between })).toBe(next);
        const gap = nextRun({ ...rhythm, after: next }) - next;
        expect(Math.abs(gap - PERIOD[criticality])).toBeLessThanOrEqual(hour);
      },
    ),
    { numRuns: effort(100) },
  );
});

describe('a cron expression', () => {
  it.each(['30 9 * * *', '09 09 * * 7', '0 0 29 2 *', '*/5 * * * 1-5', '0 9 * * mon', ' 0  9 * * * '])(
    'is %j',
    (text) => expect(isCron(text)).toBe(true),
  );

  it.each([
    '',
    ' ',
    'x',
    '@daily',
    '0 9 * *',
    '0 0 9 * * *',
    '60 9 * * *',
    '0 24 * * *',
    '-1 9 * * *',
    '1.5 9 * * *',
    '0 9 * * 8',
    '0 9 * * XYZ',
    '٠ 9 * * *',
    '2026-01-01T00:00:00Z',
  ])('is not %j', (text) => expect(isCron(text)).toBe(false));

  it('is anything that does not fail', () => {
    const field = fc.constantFrom(
      '*',
      '?',
      '0',
      '9',
      '59',
      '60',
      '7',
      'MON',
      'JAN',
      'L',
      '+1',
      '1-5',
      '*/2',
      '1#1',
      '1,2',
    );
    const fields = fc.array(field, { minLength: 4, maxLength: 6 }).map((parts) => parts.join(' '));
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fields);
    fc.assert(
      fc.property(text, fc.constantFrom(...CRITICALITIES), (cron, criticality) => {
        if (!isCron(cron) || frequencyFault(criticality, cron) !== null) return;
        const next = nextRun({ taskId: TASK, criticality, cron, timezone: 'UTC', after: 0 });
        expect(next).toBeGreaterThan(0);
      }),
    );
  });

  it.each<[Criticality, string, boolean]>([
    ['HIGH', '30 9 * * *', true],
    ['HIGH', ' 30  9 * * * ', true],
    ['HIGH', '30 9 * * 1', false],
    ['HIGH', '30 9 * * 1-5', false],
    ['HIGH', '30 9,21 * * *', false],
    ['HIGH', '*/30 9 * * *', false],
    ['HIGH', '30 * * * *', false],
    ['HIGH', '30 9 1 * *', false],
    ['HIGH', '30 9 * 6 *', false],
    ['MEDIUM', '30 9 * * 1', true],
    ['MEDIUM', '30 9 * * SUN', true],
    ['MEDIUM', '30 9 * * 0', true],
    ['MEDIUM', '30 9 * * 7', true],
    ['MEDIUM', '30 9 * * *', false],
    ['MEDIUM', '30 9 * * 1,4', false],
    ['MEDIUM', '30 9 * * 1#1', false],
    ['MEDIUM', '30 9 1,15 * *', false],
    ['MEDIUM', '30 9 1 * 1', false],
    ['LOW', '30 9 * * fri', true],
    ['LOW', '30 9 * * *', false],
    ['LOW', '30 9 1,15 * *', false],
  ])('of criticality %s may be %j: %s', (criticality, cron, fits) => {
    expect(isCron(cron)).toBe(true);
    expect(frequencyFault(criticality, cron)).toEqual(fits ? null : expect.stringMatching(/^must match one/));
  });
});

describe('a time zone', () => {
  it.each([
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Asia/Calcutta',
    'Asia/Kolkata',
    'Etc/GMT+5',
    'europe/berlin',
  ])('is %j', (text) => expect(isTimezone(text)).toBe(true));
  it.each([
    '',
    ' ',
    'Mars/Base',
    '+01:00',
    '01:00',
    'GMT+1',
    'Z',
    'Europe/Berlin ',
    'Europe',
    '__proto__',
    '🙂',
  ])('is not %j', (text) => expect(isTimezone(text)).toBe(false));
});

describe('what was missed', () => {
  const startedAt = at('2026-06-01T12:00:00Z');
  const rhythm = { criticality: 'MEDIUM', cron: '0 9 * * WED', timezone: 'UTC' } as const;

  it('is nothing when the plan lies ahead', () => {
    const nextRunAt = startedAt + 1;
    expect(catchUp({ taskId: TASK, ...rhythm, nextRunAt, startedAt })).toBe(nextRunAt);
  });

  it.each([0, 1, DAY, 100 * WEEK])('is made up for once, within ten minutes: %i ms late', (late) => {
    const nextRunAt = startedAt - late;
    const times = TASKS.map((taskId) => catchUp({ taskId, ...rhythm, nextRunAt, startedAt }) - startedAt);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...times)).toBeLessThan(10 * MINUTE);
    expect(new Set(times.map((time) => Math.floor(time / MINUTE))).size).toBe(10);
    // A regular run follows when it would have come anyway.
    const next = nextRun({ taskId: TASK, ...rhythm, after: startedAt + 10 * MINUTE });
    expect(iso(next)).toMatch(/^2026-06-03T09:0/);
  });

  it('is made up for by a regular run that comes at once', () => {
    const taskId = randomUUID();
    const regular = nextRun({ taskId, ...rhythm, after: startedAt });
    const late = { taskId, ...rhythm, nextRunAt: regular - 4 * WEEK };
    expect(catchUp({ ...late, startedAt: regular - 1 })).toBe(regular);
    expect(catchUp({ ...late, startedAt: regular - 10 * MINUTE })).toBe(regular);
    expect(catchUp({ ...late, startedAt: regular - 20 * MINUTE })).toBeLessThan(regular - 10 * MINUTE);
  });
});
