import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { RandomIdGenerator, BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SpanLossError } from '../../../exporters/otel/src/loss.ts';
import { TouchstoneSpanProcessor } from '../../../exporters/otel/src/processor.ts';
import { ChildServer, newPresets } from '../../support/child-server.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { type Behaviour, startReceiver } from './support/receiver.ts';
import { CREDENTIALS, endSpans, listenToDiag, startTracing } from './support/tracing.ts';

// vitest fails a run in which anything was thrown or rejected without a handler.

const SPANS = 10;
/** Time limit where an answer is to come, in milliseconds: only what hangs reaches it, also on a busy machine. */
const TIMEOUT = 20_000;
/** The limit where none comes. */
const SHORT_TIMEOUT = 400;

let said: string[];
beforeEach(() => {
  said = listenToDiag();
});

interface Fault {
  fault: string;
  behave: Behaviour;
  timeoutMillis?: number;
  exported: number;
  rejected?: number;
  requests?: number;
  says?: RegExp;
}

const faults: Fault[] = [
  {
    fault: 'a server that never answers',
    behave: () => null,
    timeoutMillis: SHORT_TIMEOUT,
    exported: 0,
    says: /10 spans were lost: /,
  },
  {
    fault: 'an answer that comes drop by drop',
    behave: (_n, _request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drops = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(drops));
      return null;
    },
    // Longer than a busy machine lets pass between two drops.
    timeoutMillis: 5_000,
    exported: 0,
    says: /10 spans were lost: no response from \S+ within 5000 ms/,
  },
  {
    fault: '503 with a Retry-After that fits the time limit',
    behave: (n) => (n === 0 ? { status: 503, headers: { 'retry-after': new Date(0).toUTCString() } } : {}),
    exported: SPANS,
    requests: 2,
  },
  {
    fault: '503 with a Retry-After beyond the time limit',
    behave: () => ({ status: 503, headers: { 'retry-after': '30' } }),
    exported: 0,
    requests: 1,
    says: /10 spans were lost: /,
  },
  {
    fault: '401',
    behave: () => ({ status: 401, body: '{"code":16,"message":"no"}' }),
    exported: 0,
    requests: 1,
    says: /10 spans were lost: HTTP 401 from \S+ \(no\)\. Check TOUCHSTONE_API_KEY and TOUCHSTONE_APPLICATION_ID/,
  },
  { fault: '400', behave: () => ({ status: 400 }), exported: 0, requests: 1, says: /lost: HTTP 400/ },
  {
    fault: 'a partial success',
    behave: () => ({ body: '{"partialSuccess":{"rejectedSpans":3,"errorMessage":"wrong ids"}}' }),
    exported: SPANS - 3,
    rejected: 3,
    requests: 1,
    says: /the server rejected 3 of 10 spans: wrong ids/,
  },
  {
    fault: 'a partial success of more spans than were sent',
    behave: () => ({ body: '{"partialSuccess":{"rejectedSpans":"99"}}' }),
    exported: 0,
    rejected: SPANS,
  },
  {
    fault: 'a warning without rejected spans',
    behave: () => ({ body: '{"partialSuccess":{"errorMessage":"old client"}}' }),
    exported: SPANS,
  },
  {
    fault: 'an answer with another status of success',
    behave: () => ({ status: 202, body: '' }),
    exported: SPANS,
  },
  { fault: 'an answer that is no JSON', behave: () => ({ body: '<html>' }), exported: SPANS },
  {
    fault: 'a connection that is cut in the middle',
    behave: (_n, _request, response) => {
      response.socket?.resetAndDestroy();
      return null;
    },
    timeoutMillis: SHORT_TIMEOUT,
    exported: 0,
    says: /10 spans were lost: /,
  },
  {
    fault: 'a response that switches to another protocol',
    behave: (_n, _request, response) => {
      response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n');
      return null;
    },
    timeoutMillis: SHORT_TIMEOUT,
    exported: 0,
    says: /10 spans were lost: /,
  },
  {
    fault: '400 for a request with a certain span',
    behave: (_n, { spans }) =>
      spans.some(({ name }) => name === 'span 3')
        ? { status: 400, body: '{"code":3,"message":"bad name"}' }
        : {},
    exported: SPANS - 1,
    says: /1 spans were lost: HTTP 400 from \S+ \(bad name\)\. Check its name, its times and its attributes\./,
  },
  {
    fault: 'an answer that is cut in the middle',
    behave: (_n, _request, response) => {
      response
        .writeHead(500, { 'content-length': '1000' })
        .write('{', () => response.socket?.resetAndDestroy());
      return null;
    },
    timeoutMillis: SHORT_TIMEOUT,
    exported: 0,
    says: /10 spans were lost: /,
  },
];

describe('over real sockets', () => {
  it.each(faults)('$fault: what is lost is counted', async (fault) => {
    const { behave, timeoutMillis = TIMEOUT, exported, rejected = 0, requests, says } = fault;
    await using receiver = await startReceiver(behave);
    const tracing = startTracing({ url: receiver.url, timeoutMillis });
    endSpans(tracing, SPANS);
    await tracing.processor.forceFlush();

    expect(tracing.processor.stats()).toEqual({
      ended: SPANS,
      filtered: 0,
      dropped: 0,
      waiting: 0,
      inFlight: 0,
      exported,
      rejected,
      failed: SPANS - exported - rejected,
      unsampledTestSpans: 0,
    });
    if (requests !== undefined) expect(receiver.requests).toHaveLength(requests);
    const own = said.filter((line) => line.startsWith('touchstone: '));
    if (says) expect(own).toEqual([expect.stringMatching(says)]);
    else if (exported === SPANS) expect(own).toEqual([]);
    expect(said.join()).not.toContain(CREDENTIALS.apiKey);
    await tracing.processor.shutdown();
  });

  it('a server that is not there: lost, and the next batch after it started goes through', async () => {
    const gone = await startReceiver();
    await gone[Symbol.asyncDispose]();
    const tracing = startTracing({ url: gone.url, timeoutMillis: SHORT_TIMEOUT });
    endSpans(tracing, SPANS);
    await tracing.processor.forceFlush();
    expect(tracing.processor.stats()).toMatchObject({ failed: SPANS, exported: 0 });
    await tracing.processor.shutdown();
  });

  it.each(['no address', 'ftp://127.0.0.1/'])('the url %s: every span is counted as lost', async (url) => {
    const tracing = startTracing({ url });
    endSpans(tracing, SPANS);
    await tracing.processor.forceFlush();
    expect(tracing.processor.stats()).toMatchObject({ failed: SPANS });
    expect(said).toContain('touchstone: the url must be an http or https address; no spans are sent');
  });

  it('a slow server does not delay the app: full queues drop, and the count says so', async () => {
    const waiting: (() => void)[] = [];
    await using receiver = await startReceiver((_n, _request, response) => {
      waiting.push(() => response.end('{}'));
      return null;
    });
    const tracing = startTracing({ url: receiver.url, maxQueueSize: 100, maxBatchSize: 10 });
    endSpans(tracing, 150);
    expect(tracing.processor.stats()).toMatchObject({ ended: 150, dropped: 50, waiting: 100 });
    const flushed = tracing.processor.forceFlush();
    const answering = setInterval(() => waiting.splice(0).forEach((answer) => answer()), 5);
    await flushed;
    clearInterval(answering);
    expect(tracing.processor.stats()).toMatchObject({ dropped: 50, exported: 100, waiting: 0 });
    await tracing.processor.shutdown();
  });
});

describe('a request in which the server names an invalid value', () => {
  const INVALID = { status: 400, body: '{"code":3,"message":"bad name"}' };

  it('is divided a limited number of times', async () => {
    await using receiver = await startReceiver(() => INVALID);
    const tracing = startTracing({ url: receiver.url, timeoutMillis: TIMEOUT });
    endSpans(tracing, 512);
    await tracing.processor.forceFlush();
    expect(tracing.processor.stats()).toMatchObject({ exported: 0, failed: 512 });
    expect(receiver.requests).toHaveLength(33);
    await tracing.processor.shutdown();
  });

  it('is divided by the server itself: only the span with the name that is no text is lost', async () => {
    const server = await startServer();
    const { url, apiKey, applicationId } = server;
    const processor = new TouchstoneSpanProcessor({ url, apiKey, applicationId, timeoutMillis: TIMEOUT });
    const tracer = new BasicTracerProvider({ spanProcessors: [processor] }).getTracer('test');
    for (let n = 0; n < 100; n += 1) tracer.startSpan(n === 60 ? ({} as string) : 'answer').end();
    await processor.forceFlush();
    expect(processor.stats()).toMatchObject({ exported: 99, failed: 1 });
    await processor.shutdown();
    await server.close();
  });
});

describe('strict mode', () => {
  it('rejects the flush after a loss, once', async () => {
    await using receiver = await startReceiver((n) => (n === 0 ? { status: 400 } : {}));
    const tracing = startTracing({ url: receiver.url, timeoutMillis: TIMEOUT, strict: true });
    endSpans(tracing, SPANS);
    const error: unknown = await tracing.processor.forceFlush().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SpanLossError);
    expect(error).toMatchObject({
      stats: { failed: SPANS },
      message: expect.stringContaining('10 not delivered') as string,
    });

    endSpans(tracing, SPANS);
    await tracing.processor.forceFlush();
    expect(tracing.processor.stats()).toMatchObject({ failed: SPANS, exported: SPANS });
    await tracing.processor.shutdown();
  });
});

describe('against the server itself', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  it('a wrong key loses the spans and says why', async () => {
    const tracing = startTracing({
      url: server.url,
      applicationId: server.applicationId,
      timeoutMillis: TIMEOUT,
    });
    endSpans(tracing, SPANS);
    await tracing.processor.forceFlush();
    expect(tracing.processor.stats()).toMatchObject({ failed: SPANS, exported: 0 });
    expect(said.join()).toContain('Check TOUCHSTONE_API_KEY');
  });

  it('a span that the server rejects is counted as rejected, the rest of its batch as exported', async () => {
    const { url, apiKey, applicationId } = server;
    const processor = new TouchstoneSpanProcessor({ url, apiKey, applicationId, timeoutMillis: TIMEOUT });
    const random = new RandomIdGenerator();
    let spans = 0;
    const provider = new BasicTracerProvider({
      spanProcessors: [processor],
      idGenerator: {
        generateTraceId: () => (spans++ === 4 ? '0'.repeat(32) : random.generateTraceId()),
        generateSpanId: () => random.generateSpanId(),
      },
    });
    endSpans({ tracer: provider.getTracer('test'), processor }, SPANS);
    await processor.forceFlush();
    expect(processor.stats()).toMatchObject({ exported: SPANS - 1, rejected: 1, failed: 0 });
    expect(said.find((line) => line.startsWith('touchstone: '))).toMatch(
      /the server rejected 1 of 10 spans: .+/,
    );
  });

  it('one that is killed in between has on its disk whatever was counted as exported', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'touchstone-killed-'));
    const presets = newPresets();
    const first = await ChildServer.start({ dataDir, presets });
    // A new server on a busy machine may need seconds for its first response. After the kill, each batch is sent again a few
    // times, so that more of them would take minutes.
    const tracing = startTracing({ ...presets, url: first.url, timeoutMillis: 60_000, maxBatchSize: 50 });
    endSpans(tracing, 800);
    const flushed = tracing.processor.forceFlush();
    while (tracing.processor.stats().exported === 0) await nextTurn();
    await first.stop('SIGKILL');
    endSpans(tracing, 50);
    await Promise.all([flushed, tracing.processor.forceFlush()]);
    const stats = tracing.processor.stats();
    expect(stats).toMatchObject({ ended: 850, rejected: 0, dropped: 0, waiting: 0, inFlight: 0 });
    expect(stats.exported + stats.failed).toBe(850);
    expect(stats.failed).toBeGreaterThanOrEqual(50);

    const second = await ChildServer.start({ dataDir, presets });
    const stored = (await second.ok('GET', '/v0/ingest/ledger')).data.reduce(
      (sum, row) => sum + row.stored,
      0,
    );
    expect(stored).toBeGreaterThanOrEqual(stats.exported);
    await second.stop('SIGTERM');
    await tracing.processor.shutdown();
    rmSync(dataDir, { recursive: true, force: true });
  });
});
