import { MASK } from './mask.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LEVELS)[number];
export type LogFields = Readonly<Record<string, unknown>>;
type LogLine = (message: string, fields?: LogFields) => void;

export type Log = Readonly<Record<LogLevel, LogLine>>;

export interface LogOptions {
  level: LogLevel;
  /** Writes one line, including its line break. */
  write: (line: string) => void;
  /** True for a short format for people instead of JSON. */
  forPeople: boolean;
  now?: () => Date;
}

const SECRET_NAME =
  /^key$|^bearer$|(?:api|private|secret|encryption)[-_]?keys?$|secret|password|authorization|cookie/i;
const KEY_TEXT = /(sk_[A-Za-z\d]{12}_)[A-Za-z\d]+/g;
const MAX_DEPTH = 6;

/**
 * Creates a log with one line for each event: `{"time", "level", "message", …fields}`. Removes secrets from all
 * lines.
 */
export function createLog({ level, write, forPeople, now = () => new Date() }: LogOptions): Log {
  const threshold = LEVELS.indexOf(level);
  const writer = (lineLevel: LogLevel): LogLine => {
    if (LEVELS.indexOf(lineLevel) < threshold) return () => {};
    return (message, fields = {}) => {
      const time = now().toISOString();
      const safe = redact(fields, 0) as Record<string, unknown>;
      const text = redactText(message);
      const head = { time, level: lineLevel, message: text };
      write(
        forPeople
          ? humanLine(time, lineLevel, text, safe)
          : `${JSON.stringify({ ...head, ...safe, ...head })}\n`,
      );
    };
  };
  return { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') };
}

/** Removes the secret part of all API keys in `text`. */
const redactText = (text: string): string => text.replace(KEY_TEXT, `$1${MASK}`);

/** Returns a copy without secrets that can be encoded as JSON. */
function redact(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'function' || typeof value === 'symbol') return String(value);
  if (value instanceof Error) return redactText(errorText(value, 0));
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value)) return `<${value.byteLength} bytes>`;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      SECRET_NAME.test(name) && field != null ? MASK : redact(field, depth + 1),
    ]),
  );
}

function errorText(error: Error, depth: number): string {
  const text = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause instanceof Error && depth < MAX_DEPTH
    ? `${text}\ncaused by ${errorText(error.cause, depth + 1)}`
    : text;
}

function humanLine(time: string, level: LogLevel, message: string, fields: LogFields): string {
  const { error, ...others } = fields;
  const pairs = Object.entries(others)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        ` ${name}=${typeof value === 'string' && /^[\w:./@-]+$/.test(value) ? value : JSON.stringify(value)}`,
    );
  const trace =
    error === undefined
      ? ''
      : `\n${withoutControls(typeof error === 'string' ? error : JSON.stringify(error))}`;
  return `${time.slice(11, 19)} ${level.padEnd(5)} ${withoutControls(message).replaceAll('\n', ' ')}${pairs.join('')}${trace}\n`;
}

/** Removes control characters: a terminal interprets them, and log lines may contain untrusted text. */
const withoutControls = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029]/gu, (character) => (character === '\n' ? '\n' : '\uFFFD'));
