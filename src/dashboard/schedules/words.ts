import type { TaskSchedule } from '../../api/generated/schema.ts';

type Rhythm = Pick<TaskSchedule, 'criticality' | 'cron' | 'timezone'>;

const DAY_MS = 24 * 3_600_000;
const DAYS: Readonly<Record<Rhythm['criticality'], number>> = { HIGH: 1, MEDIUM: 7, LOW: 14 };
export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const WITHOUT_TIME: Readonly<Record<Rhythm['criticality'], string>> = {
  HIGH: 'Every day',
  MEDIUM: 'Every week',
  LOW: 'Every two weeks',
};

/** Says when a task runs, such as `Every second Monday at 09:30 (Europe/Berlin)`. */
export function scheduleText({ criticality, cron, timezone }: Rhythm): string {
  const time = readCron(cron);
  if (time === null)
    return cron === ''
      ? `${WITHOUT_TIME[criticality]}, at a time that the server chooses`
      : `${WITHOUT_TIME[criticality]} at “${cron}” (${timezone})`;
  const day =
    criticality === 'HIGH'
      ? 'day'
      : `${criticality === 'LOW' ? 'second ' : ''}${WEEKDAYS[time.weekday] ?? 'week'}`;
  return `Every ${day} at ${time.time} (${timezone})`;
}

/** Reads the time, as `09:30`, and the weekday, 0 for Sunday, of a cron expression that a schedule accepts; null for another one. */
export function readCron(cron: string): { time: string; weekday: number } | null {
  const [minute = '', hour = '', , , weekday = ''] = cron.trim().split(/\s+/);
  if (!/^\d+$/.test(minute) || !/^\d+$/.test(hour)) return null;
  const byName = WEEKDAYS.findIndex((name) => name.slice(0, 3).toLowerCase() === weekday.toLowerCase());
  return {
    time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`,
    weekday: byName === -1 ? Number(weekday) % 7 : byName,
  };
}

/** Writes a time such as `09:30`, and a weekday unless the task runs daily, as a cron expression. */
export function writeCron(criticality: Rhythm['criticality'], time: string, weekday: number): string {
  const [hour, minute] = time.split(':').map(Number);
  const day = criticality === 'HIGH' ? '*' : (WEEKDAYS[weekday] ?? 'Monday').slice(0, 3).toUpperCase();
  return `${minute} ${hour} * * ${day}`;
}

/** Returns the next runs of a schedule, from the first one on, in Unix milliseconds. A local time stays the same when the clock changes. */
export function nextRuns({ criticality, cron, timezone }: Rhythm, first: number, count: number): number[] {
  const period = DAYS[criticality] * DAY_MS;
  const offset = (at: number): number => (cron === '' ? 0 : offsetOf(timezone, at));
  return Array.from({ length: count }, (_, index) => {
    const at = first + index * period;
    return at + offset(first) - offset(at);
  });
}

/** Returns how far the clock of a time zone is ahead of UTC, in milliseconds. */
function offsetOf(timezone: string, at: number): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    timeZoneName: 'longOffset',
  }).formatToParts(at);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes = '0'] = /GMT([+-])(\d+):?(\d+)?/.exec(name) ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
