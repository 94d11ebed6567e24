import { diag } from '@opentelemetry/api';
import { decoded } from './decoded.ts';
import type { Redact } from './redact.ts';
import type { ReportOptions } from './reporter.ts';
import type { UnsentNoteSettings } from './unsent-note.ts';
import type { WaitUntil } from './wait-until.ts';

/** Destination of spans. Options that are left out are read from the environment. */
export interface ExporterOptions extends ReportOptions {
  /** Address of the Touchstone server, with or without `/v1/traces`. Default: `TOUCHSTONE_URL`, then OTLP's variables. */
  url?: string | undefined;
  /** Default: `TOUCHSTONE_API_KEY`. */
  apiKey?: string | undefined;
  /** Default: `TOUCHSTONE_APPLICATION_ID`. */
  applicationId?: string | undefined;
  /** Time limit of a batch in milliseconds, retries included. Default: OTLP's variables, then 5000. */
  timeoutMillis?: number | undefined;
  /** Takes out of every text what must not leave the app. */
  redact?: Redact | undefined;
  /**
   * False hides what went into models, tools and observed functions, and what came out. Default: true, unless
   * `TOUCHSTONE_CAPTURE_CONTENT` is `0`.
   */
  captureContent?: boolean | undefined;
  /**
   * Folder in which batches are kept until the server has stored them, also over the end of the process. Node only. Default:
   * `TOUCHSTONE_SPOOL_DIR`, then none.
   */
  spoolDir?: string | undefined;
  /**
   * Folder in which the number of unsent spans is noted, so that the next start can report an end that nothing could notice, such as
   * SIGKILL; false for none. Node only. Default: `TOUCHSTONE_STATE_DIR` (`off` for none), then `spoolDir`, then a folder among temporary files.
   */
  stateDir?: string | false | undefined;
  /** Bytes of the files in the spool of an application. Default: `TOUCHSTONE_MAX_SPOOL_BYTES`, then 67108864 (64 MiB). */
  maxSpoolBytes?: number | undefined;
}

/** Limits of the queue in which spans wait until they are sent. */
export interface QueueOptions {
  /** Spans that wait to be sent; more are dropped and counted. Default: `OTEL_BSP_MAX_QUEUE_SIZE`, then 8192. */
  maxQueueSize?: number | undefined;
  /**
   * Bytes of spans that wait or are being sent; more are dropped and counted. Default: `TOUCHSTONE_MAX_QUEUE_BYTES`, then
   * 33554432 (32 MiB); 8 MiB in edge runtimes and browsers.
   */
  maxQueueBytes?: number | undefined;
  /** Default: `OTEL_BSP_MAX_EXPORT_BATCH_SIZE`, then 512. */
  maxBatchSize?: number | undefined;
  /** The longest a span waits for its batch to fill, in milliseconds. Default: `OTEL_BSP_SCHEDULE_DELAY`, then 1000. */
  delayMillis?: number | undefined;
  /**
   * Keeps a runtime alive until a promise is settled: `waitUntil` of `cloudflare:workers` or of `@vercel/functions`. It is called with
   * each sending of spans. Default: the one of the current request in Next.js, where its host has one.
   */
  waitUntil?: WaitUntil | undefined;
}

export interface ExporterSettings {
  /** None when the one that was given is no http address. */
  url: string | undefined;
  headers: Record<string, string>;
  /** Headers of the credentials that are not configured. */
  missing: readonly string[];
  timeoutMillis: number;
  compression: 'gzip' | 'none';
}

export interface QueueSettings {
  maxQueueSize: number;
  maxQueueBytes: number;
  maxBatchSize: number;
  delayMillis: number;
  /** Returns the function that keeps the runtime alive now. */
  waitUntil?: (() => WaitUntil | undefined) | undefined;
  /** True where timers and connections end with the request that began them. */
  isRequestBound?: boolean;
  /** Time after which a batch of another request counts as lost, if requests own their connections. */
  maxSendMillis?: number;
}

export interface SpoolSettings {
  dir: string;
  maxBytes: number;
  /** Name of the folder in `dir`: the id of the application. */
  application: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const TRACES_PATH = '/v1/traces';
const DEFAULT_URL = 'http://127.0.0.1:4318';
const OWN_HEADERS = ['x-api-key', 'x-application-id'] as const;
const MAX_TIMER = 2 ** 31 - 1;

/** Options, then TOUCHSTONE_*, then OTEL_*. What is wrong is said by `diag` and replaced by its default. */
export function exporterSettings(options: ExporterOptions, env: Environment): ExporterSettings {
  const ownUrl = text(options.url) ?? text(env['TOUCHSTONE_URL']);
  const credentials = {
    'x-api-key': text(options.apiKey) ?? text(env['TOUCHSTONE_API_KEY']),
    'x-application-id': text(options.applicationId) ?? text(env['TOUCHSTONE_APPLICATION_ID']),
  };
  const fromOtel = otlpHeaders(env['OTEL_EXPORTER_OTLP_HEADERS'], env['OTEL_EXPORTER_OTLP_TRACES_HEADERS']);
  // With an address of its own, OTLP's headers are meant for another receiver, and may be its secrets.
  const headers = Object.fromEntries(
    Object.entries(fromOtel).filter(([name]) => ownUrl === undefined || isOwnHeader(name)),
  );
  const missing: string[] = [];
  for (const name of OWN_HEADERS) {
    const value = credentials[name];
    if (value !== undefined && isHeaderValue(value)) headers[name] = value;
    else if (headers[name] === undefined) {
      missing.push(name);
      const setting = name === 'x-api-key' ? 'TOUCHSTONE_API_KEY' : 'TOUCHSTONE_APPLICATION_ID';
      diag.warn(
        `touchstone: ${setting} is ${value === undefined ? 'not set' : 'no header value'}; spans will be rejected`,
      );
    }
  }
  return {
    url: tracesUrl(ownUrl, env),
    headers,
    missing,
    timeoutMillis: firstNumber(5_000, [
      ['timeoutMillis', options.timeoutMillis],
      ...fromEnv(env, 'OTEL_EXPORTER_OTLP_TRACES_TIMEOUT', 'OTEL_EXPORTER_OTLP_TIMEOUT'),
    ]),
    compression:
      (text(env['OTEL_EXPORTER_OTLP_TRACES_COMPRESSION']) ?? text(env['OTEL_EXPORTER_OTLP_COMPRESSION'])) ===
      'none'
        ? 'none'
        : 'gzip',
  };
}

export function queueSettings(
  options: QueueOptions,
  env: Environment,
  defaults: Pick<QueueSettings, 'maxQueueBytes'>,
): QueueSettings {
  const maxQueueSize = firstNumber(8_192, [
    ['maxQueueSize', options.maxQueueSize],
    ...fromEnv(env, 'OTEL_BSP_MAX_QUEUE_SIZE'),
  ]);
  const maxBatchSize = firstNumber(512, [
    ['maxBatchSize', options.maxBatchSize],
    ...fromEnv(env, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
  ]);
  return {
    maxQueueSize,
    maxQueueBytes: firstNumber(defaults.maxQueueBytes, [
      ['maxQueueBytes', options.maxQueueBytes],
      ...fromEnv(env, 'TOUCHSTONE_MAX_QUEUE_BYTES'),
    ]),
    maxBatchSize: Math.min(maxBatchSize, maxQueueSize),
    delayMillis: firstNumber(1_000, [
      ['delayMillis', options.delayMillis],
      ...fromEnv(env, 'OTEL_BSP_SCHEDULE_DELAY'),
    ]),
  };
}

/** Returns undefined if no folder is set. */
export function spoolSettings(
  options: ExporterOptions,
  env: Environment,
  headers: Readonly<Record<string, string>>,
): SpoolSettings | undefined {
  const dir = text(options.spoolDir) ?? text(env['TOUCHSTONE_SPOOL_DIR']);
  if (dir === undefined) return undefined;
  return {
    dir,
    maxBytes: firstNumber(64 * 2 ** 20, [
      ['maxSpoolBytes', options.maxSpoolBytes],
      ...fromEnv(env, 'TOUCHSTONE_MAX_SPOOL_BYTES'),
    ]),
    application: folderOf(headers),
  };
}

/** Returns undefined if nothing is noted. */
export function unsentNoteSettings(
  options: ExporterOptions,
  env: Environment,
  headers: Readonly<Record<string, string>>,
): UnsentNoteSettings | undefined {
  const set = options.stateDir === undefined ? text(env['TOUCHSTONE_STATE_DIR']) : options.stateDir;
  const isOff = set === false || set === 'off' || options.reportLoss === false;
  if (isOff || env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return undefined;
  const dir = text(set) ?? text(options.spoolDir) ?? text(env['TOUCHSTONE_SPOOL_DIR']);
  return { dir, application: folderOf(headers) };
}

/** Returns the name of the folder of an application. Without a valid id, the server accepts nothing. */
function folderOf(headers: Readonly<Record<string, string>>): string {
  const application = headers['x-application-id'] ?? '';
  return /^[\w-]{1,64}$/.test(application) ? application : 'unknown';
}

function tracesUrl(own: string | undefined, env: Environment): string | undefined {
  if (own !== undefined) return httpUrl(own, TRACES_PATH);
  const exact = text(env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']);
  if (exact !== undefined) return httpUrl(exact, '');
  return httpUrl(text(env['OTEL_EXPORTER_OTLP_ENDPOINT']) ?? DEFAULT_URL, TRACES_PATH);
}

/** The address with `path` at its end. */
function httpUrl(given: string, path: string): string | undefined {
  try {
    const url = new URL(given);
    if (!/^https?:$/.test(url.protocol)) throw new Error('not http');
    const folder = url.pathname.replace(/\/+$/, '');
    if (path !== '') url.pathname = folder.endsWith(path) ? folder : folder + path;
    return url.href;
  } catch {
    diag.error('touchstone: the url must be an http or https address; no spans are sent');
    return undefined;
  }
}

/** A variable that is set to nothing counts as not set. */
const text = (value: string | undefined): string | undefined => value?.trim() || undefined;

const isHeaderValue = (value: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(value);

const isOwnHeader = (name: string): boolean => (OWN_HEADERS as readonly string[]).includes(name);

/** Reads lists of headers, `name=value,name=value` with percent-encoding; later lists win. Names are in lower case. */
function otlpHeaders(...lists: readonly (string | undefined)[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const pair of lists.flatMap((list) => (list ?? '').split(','))) {
    const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)].map((part) =>
      decoded(part.trim()),
    );
    if (pair.includes('=') && name && HEADER_NAME.test(name) && isHeaderValue(value ?? ''))
      headers[name.toLowerCase()] = value ?? '';
  }
  return headers;
}

const HEADER_NAME = /^[!#$%&'*+\-.^`|~\w]+$/;

type Named = [name: string, value: number | undefined];

const fromEnv = (env: Environment, ...names: readonly string[]): Named[] =>
  names.map((name) => {
    const value = text(env[name]);
    return [name, value === undefined ? undefined : Number(value)];
  });

function firstNumber(fallback: number, candidates: readonly Named[]): number {
  for (const [name, value] of candidates) {
    if (value === undefined) continue;
    if (Number.isInteger(value) && value > 0 && value <= MAX_TIMER) return value;
    diag.warn(`touchstone: ${name} must be a whole number above 0; it is ignored`);
  }
  return fallback;
}
