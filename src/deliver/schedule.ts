import { hash } from 'node:crypto';
import { Cron, CronPattern } from 'croner';

/** Criticality of a task, which sets how often it runs: daily, weekly, every two weeks. */
export const CRITICALITIES = ['HIGH', 'MEDIUM', 'LOW'] as const;
export type Criticality = (typeof CRITICALITIES)[number];

/** Schedule of a task. */
export interface Rhythm {
  taskId: string;
  criticality: Criticality;
  /** Names the moment of the day, or of the week; null = any. */
  cron: string | null;
  /** IANA time zone that `cron` is read in. */
  timezone: string;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const WEEK = 7 * DAY;
const PERIOD = { HIGH: DAY, MEDIUM: WEEK, LOW: 2 * WEEK };
/** Tasks whose schedules name the same moment don't all start at it, but within this long after it. */
const CRON_SPREAD = 5 * MINUTE;
/** Time after a start within which runs that were missed while the server was down are caught up. */
const CATCH_UP_SPREAD = 10 * MINUTE;
/** Weeks are counted from here, to tell every other one. */
const ANCHOR = new Date(Date.UTC(2024, 0, 1));

/**
 * The first moment after `after` at which the task runs; both in Unix milliseconds.
 *
 * Without `cron` each task has a moment of its own within the period, told by its id, so that tasks spread evenly over
 * it. With `cron` it is up to five minutes after the moment named. A time of day that the clock jumps over in spring is
 * taken when it has jumped; one that comes twice in autumn is taken once, the first time. Of the weekly moments that the
 * `cron` of a LOW schedule names, a task takes every second one; its id tells which.
 */
export function nextRun({ taskId, criticality, cron, timezone, after }: Rhythm & { after: number }): number {
  const { fraction, odd } = jitterOf(taskId);
  if (cron === null) {
    const period = PERIOD[criticality];
    const offset = Math.floor(fraction * period);
    return offset + (Math.floor((after - offset) / period) + 1) * period;
  }
  const spread = Math.floor(fraction * CRON_SPREAD);
  const moments = new Cron(cron, { mode: '5-part', timezone });
  const next = momentAfter(moments, new Date(after - spread));
  const isTurn = criticality !== 'LOW' || isOddWeek(moments, next) === odd;
  return spread + (isTurn ? next : momentAfter(moments, next)).getTime();
}

/**
 * Returns the next run of a task whose `nextRunAt` was found at the start of the server: as planned, or if that has
 * passed, once within ten minutes. A regular run within those minutes replaces the missed one. Unix milliseconds.
 */
export function catchUp({
  nextRunAt,
  startedAt,
  ...rhythm
}: Rhythm & { nextRunAt: number; startedAt: number }): number {
  if (nextRunAt > startedAt) return nextRunAt;
  const regular = nextRun({ ...rhythm, after: startedAt });
  if (regular <= startedAt + CATCH_UP_SPREAD) return regular;
  return startedAt + Math.floor(jitterOf(rhythm.taskId).fraction * CATCH_UP_SPREAD);
}

/** Reports whether a text is a cron expression of five fields. */
export function isCron(text: string): boolean {
  try {
    // Nicknames such as @daily are replaced.
    return new CronPattern(text, undefined, { mode: '5-part' }).pattern === text;
  } catch {
    return false;
  }
}

const ONE_VALUE = /^\d+$/;
const ONE_WEEKDAY = /^(?:[0-7]|[a-z]{3})$/i;

/**
 * Describes why the frequency of a cron expression does not fit the criticality, as the end of "cron …"; null when it
 * fits.
 */
export function frequencyFault(criticality: Criticality, cron: string): string | null {
  const [minute = '', hour = '', day, month, weekday = ''] = cron.trim().split(/\s+/);
  const isOneTime = ONE_VALUE.test(minute) && ONE_VALUE.test(hour) && day === '*' && month === '*';
  if (criticality === 'HIGH') {
    return isOneTime && weekday === '*' ? null : 'must name one moment of every day, such as `30 9 * * *`';
  }
  if (isOneTime && ONE_WEEKDAY.test(weekday)) return null;
  const takes = criticality === 'LOW' ? ', of which every second one is taken' : '';
  return `must name one moment of every week, such as \`30 9 * * MON\`${takes}`;
}

/** Reports whether a text names an IANA time zone that this machine knows. */
export function isTimezone(text: string): boolean {
  // Offsets such as +01:00 are taken by Intl too, but are no zones.
  if (!/^[a-z]/i.test(text)) return false;
  try {
    Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** Derives stable random numbers from the id of a task: `fraction` is in [0, 1). */
function jitterOf(taskId: string): { fraction: number; odd: boolean } {
  const bytes = hash('sha256', taskId, 'buffer');
  return { fraction: bytes.readUIntBE(0, 6) / 2 ** 48, odd: bytes.readUInt8(6) % 2 === 1 };
}

/** Weekly moments are an hour off when clocks change; rounding keeps the count of weeks right. */
function isOddWeek(moments: Cron, moment: Date): boolean {
  const weeks = Math.round((moment.getTime() - momentAfter(moments, ANCHOR).getTime()) / WEEK);
  return weeks % 2 !== 0;
}

function momentAfter(moments: Cron, after: Date): Date {
  const next = moments.nextRun(after);
  if (!next) throw new Error(`${String(moments.getPattern())} names no moment after ${after.toISOString()}`);
  return next;
}
