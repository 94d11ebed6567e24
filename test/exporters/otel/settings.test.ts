import { beforeEach, describe, expect, it } from 'vitest';
import {
  type Environment,
  type ExporterOptions,
  exporterSettings,
  type QueueOptions,
  queueSettings,
} from '../../../exporters/otel/src/settings.ts';
import { CREDENTIALS, listenToDiag } from './support/tracing.ts';

let said: string[];
beforeEach(() => {
  said = listenToDiag();
});

const HEADERS = { 'x-api-key': CREDENTIALS.apiKey, 'x-application-id': CREDENTIALS.applicationId };

describe('the address', () => {
  it.each<[rule: string, options: ExporterOptions, env: Environment, url: string | undefined]>([
    ['nothing given', {}, {}, 'http://127.0.0.1:4318/v1/traces'],
    ['the option', { url: 'https://t.example' }, {}, 'https://t.example/v1/traces'],
    ['the option with the path', { url: 'https://t.example/v1/traces' }, {}, 'https://t.example/v1/traces'],
    ['a path before it', { url: 'https://t.example/eval/' }, {}, 'https://t.example/eval/v1/traces'],
    [
      'the option before the variable',
      { url: 'http://a' },
      { TOUCHSTONE_URL: 'http://b' },
      'http://a/v1/traces',
    ],
    [
      'its own variable before those of OTLP',
      {},
      { TOUCHSTONE_URL: 'http://b', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c/x' },
      'http://b/v1/traces',
    ],
    [
      'an empty variable as none',
      { url: '' },
      { TOUCHSTONE_URL: ' ', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://d/base' },
      'http://d/base/v1/traces',
    ],
    [
      "OTLP's address of traces as it is",
      {},
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c/x', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://d' },
      'http://c/x',
    ],
    ['no address', { url: 'localhost' }, {}, undefined],
    ['another protocol', { url: 'file:///etc' }, {}, undefined],
  ])('%s', (_definition, options, env, url) => {
    expect(exporterSettings({ ...CREDENTIALS, ...options }, env).url).toBe(url);
    expect(said).toHaveLength(url === undefined ? 1 : 0);
  });
});

describe('the headers', () => {
  it.each<[rule: string, options: ExporterOptions, env: Environment, headers: Record<string, string>]>([
    ['options', CREDENTIALS, { TOUCHSTONE_API_KEY: 'other', TOUCHSTONE_APPLICATION_ID: 'other' }, HEADERS],
    [
      'variables',
      {},
      {
        TOUCHSTONE_API_KEY: CREDENTIALS.apiKey,
        TOUCHSTONE_APPLICATION_ID: `${CREDENTIALS.applicationId}\n`,
      },
      HEADERS,
    ],
    [
      "OTLP's variables, all of them where no address is given",
      {},
      {
        OTEL_EXPORTER_OTLP_HEADERS: 'X-API-Key=other,x-application-id=a, Authorization=Bearer%20x%3D',
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-api-key=k,no value,sp%20ace=1,line=a%0Ab',
      },
      { 'x-api-key': 'k', 'x-application-id': 'a', authorization: 'Bearer x=' },
    ],
    [
      'secrets that were meant for another receiver are not sent',
      { ...CREDENTIALS, url: 'http://t' },
      {
        OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20x, x-api-key=k',
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x%2Dteam=y,broken,%=z',
      },
      HEADERS,
    ],
  ])('%s', (_definition, options, env, headers) => {
    expect(exporterSettings(options, env).headers).toEqual(headers);
    expect(said).toEqual([]);
  });

  it('says what is missing, and never the key', () => {
    expect(exporterSettings({ apiKey: 'a\nb' }, {}).headers).toEqual({});
    expect(said).toEqual([
      'touchstone: TOUCHSTONE_API_KEY is no header value; spans will be rejected',
      'touchstone: TOUCHSTONE_APPLICATION_ID is not set; spans will be rejected',
    ]);
  });
});

describe('the time limit and the compression', () => {
  it.each<[options: ExporterOptions, env: Environment, timeoutMillis: number, complaints: number]>([
    [{}, {}, 5_000, 0],
    [{ timeoutMillis: 10 }, { OTEL_EXPORTER_OTLP_TIMEOUT: '20' }, 10, 0],
    [{}, { OTEL_EXPORTER_OTLP_TIMEOUT: '20', OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '30' }, 30, 0],
    [{ timeoutMillis: 0 }, { OTEL_EXPORTER_OTLP_TIMEOUT: '20' }, 20, 1],
    [{ timeoutMillis: 1e12 }, { OTEL_EXPORTER_OTLP_TIMEOUT: 'soon' }, 5_000, 2],
  ])('%o and %o: %i ms', (options, env, timeoutMillis, complaints) => {
    expect(exporterSettings({ ...CREDENTIALS, ...options }, env).timeoutMillis).toBe(timeoutMillis);
    expect(said).toHaveLength(complaints);
  });

  it.each<[env: Environment, compression: string]>([
    [{}, 'gzip'],
    [{ OTEL_EXPORTER_OTLP_COMPRESSION: 'none' }, 'none'],
    [{ OTEL_EXPORTER_OTLP_COMPRESSION: 'none', OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'gzip' }, 'gzip'],
  ])('%o: %s', (env, compression) => {
    expect(exporterSettings(CREDENTIALS, env).compression).toBe(compression);
  });
});

describe('the queue', () => {
  const MIB = 2 ** 20;
  it.each<
    [
      options: QueueOptions,
      env: Environment,
      queue: [size: number, bytes: number, batch: number, delay: number],
    ]
  >([
    [{}, {}, [8_192, 32 * MIB, 512, 1_000]],
    [{ maxQueueSize: 10, maxQueueBytes: MIB, delayMillis: 5 }, {}, [10, MIB, 10, 5]],
    [
      { maxBatchSize: 7 },
      {
        OTEL_BSP_MAX_QUEUE_SIZE: '9',
        TOUCHSTONE_MAX_QUEUE_BYTES: '10',
        OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '8',
        OTEL_BSP_SCHEDULE_DELAY: '6',
      },
      [9, 10, 7, 6],
    ],
    [
      { maxQueueSize: -1, maxQueueBytes: 0, maxBatchSize: 1.5, delayMillis: Number.NaN },
      {},
      [8_192, 32 * MIB, 512, 1_000],
    ],
  ])('%o and %o: %o', (options, env, [maxQueueSize, maxQueueBytes, maxBatchSize, delayMillis]) => {
    expect(queueSettings(options, env, { maxQueueBytes: 32 * MIB })).toEqual({
      maxQueueSize,
      maxQueueBytes,
      maxBatchSize,
      delayMillis,
    });
  });
});
