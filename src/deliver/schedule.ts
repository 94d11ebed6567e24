import { hash } from 'node:crypto';
import { Cron, CronPattern } from 'croner';

/** Criticality of a task. It sets how often the task runs: daily, weekly or every two weeks. */
export const CRITICALITIES = ['HIGH', 'MEDIUM', 'LOW'] as const;
export type Criticality = (typeof CRITICALITIES)[number];

/** Schedule of a task. */
export interface Rhythm {
  taskId: string;
  criticality: Criticality;
  /** Cron expression for the time of the day, or of the week; null for any time. */
  cron: string | null;
  /** IANA time zone of `cron`. */
  timezone: string;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const WEEK = 7 * DAY;
const PERIOD = { HIGH: DAY, MEDIUM: WEEK, LOW: 2 * WEEK };
/** Most that a planned run is further ahead than a period: the spread, and a change of the clock in autumn. */
const SLACK = 2 * 60 * MINUTE;
/** Interval over which tasks with the same scheduled time are spread, after that time. */
const CRON_SPREAD = 5 * MINUTE;
/** Time after a start within which runs that were missed while the server was down are made up for. */
const CATCH_UP_SPREAD = 10 * MINUTE;
/** Start of the count of weeks, which distinguishes every second week. */
const ANCHOR = new Date(Date.UTC(2024, 0, 1));

/**
 * Returns the first time after `after` at which the task runs; both in Unix milliseconds. Without `cron`, each task
 * has its own time within the period, derived from its id, so that tasks spread evenly over the period. With `cron`,
 * the time is up to five minutes after the scheduled one. A local time that the clock skips in spring runs right
 * after the skip; one that occurs twice in autumn runs once, the first time. A task with criticality LOW uses every
 * second of the weekly times of its `cron`; its id decides which.
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

/** Returns the longest time from now to the next run of a task, in milliseconds. */
export const longestWaitMs = (criticality: Criticality): number => PERIOD[criticality] + SLACK;

/**
 * Returns the next run, in Unix milliseconds, of a task whose `nextRunAt` was read at the start of the server: the
 * planned time, or if that has passed, one run within ten minutes. A regular run within those minutes replaces the
 * missed one.
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
    // Nicknames such as @daily are expanded, so the pattern differs from the text.
    return new CronPattern(text, undefined, { mode: '5-part' }).pattern === text;
  } catch {
    return false;
  }
}

const ONE_VALUE = /^\d+$/;
const ONE_WEEKDAY = /^(?:[0-7]|[a-z]{3})$/i;

/**
 * Describes why the frequency of a cron expression does not fit the criticality; completes "cron …". Returns null
 * when it fits.
 */
export function frequencyFault(criticality: Criticality, cron: string): string | null {
  const [minute = '', hour = '', day, month, weekday = ''] = cron.trim().split(/\s+/);
  const isOneTime = ONE_VALUE.test(minute) && ONE_VALUE.test(hour) && day === '*' && month === '*';
  if (criticality === 'HIGH') {
    return isOneTime && weekday === '*' ? null : 'must match one time of every day, such as `30 9 * * *`';
  }
  if (isOneTime && ONE_WEEKDAY.test(weekday)) return null;
  const takes = criticality === 'LOW' ? ', of which every second one is used' : '';
  return `must match one time of every week, such as \`30 9 * * MON\`${takes}`;
}

/** Reports whether a text is an IANA time zone known to this machine. */
export function isTimezone(text: string): boolean {
  // Intl accepts offsets such as +01:00 too, but they are not zones.
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

/**
 * Reports whether a weekly time is in an odd week. Clock changes shift it by an hour; rounding keeps the count of
 * weeks right.
 */
function isOddWeek(moments: Cron, moment: Date): boolean {
  const weeks = Math.round((moment.getTime() - momentAfter(moments, ANCHOR).getTime()) / WEEK);
  return weeks % 2 !== 0;
}

function momentAfter(moments: Cron, after: Date): Date {
  const next = moments.nextRun(after);
  if (!next) throw new Error(`${String(moments.getPattern())} matches no time after ${after.toISOString()}`);
  return next;
}
