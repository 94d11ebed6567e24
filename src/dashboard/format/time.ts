const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Formats a length of time, such as `412 ms`, `3.98 s` or `6.9 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1) return `${Math.round(milliseconds * 1000)} µs`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < MINUTE) return `${(milliseconds / 1000).toFixed(2)} s`;
  if (milliseconds < HOUR) return `${(milliseconds / MINUTE).toFixed(1)} min`;
  if (milliseconds < 2 * DAY) return `${(milliseconds / HOUR).toFixed(1)} h`;
  return `${(milliseconds / DAY).toFixed(1)} d`;
}

/** Formats a moment of today as its time, another one with its date as well. */
export function formatMoment(iso: string, now = new Date()): string {
  const at = new Date(iso);
  const time = `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}:${twoDigits(at.getSeconds())}`;
  return formatDay(at) === formatDay(now) ? time : `${formatDay(at, now)} ${time.slice(0, 5)}`;
}

/** Formats a day, such as `21 Nov`; with the year unless it is that of `now`. */
export function formatDay(at: Date, now?: Date): string {
  const day = `${at.getDate()} ${MONTHS[at.getMonth()]}`;
  return now?.getFullYear() === at.getFullYear() ? day : `${day} ${at.getFullYear()}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Lists the last days (UTC) in order, today included, each such as `2026-11-21`. */
export const lastDays = (count: number, now = Date.now()): string[] =>
  Array.from({ length: count }, (_, index) =>
    new Date(now - (count - 1 - index) * DAY).toISOString().slice(0, 10),
  );

/** Formats the distance of a moment from now, such as `5 min ago` or `in 3 d`. */
export function formatAgo(iso: string, now = Date.now()): string {
  const distance = now - Date.parse(iso);
  const size = Math.abs(distance);
  if (size < 5_000) return 'now';
  const text =
    size < MINUTE
      ? `${Math.round(size / 1000)} s`
      : size < HOUR
        ? `${Math.round(size / MINUTE)} min`
        : size < 2 * DAY
          ? `${Math.round(size / HOUR)} h`
          : `${Math.round(size / DAY)} d`;
  return distance > 0 ? `${text} ago` : `in ${text}`;
}
