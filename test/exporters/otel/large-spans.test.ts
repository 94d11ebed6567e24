import { randomBytes } from 'node:crypto';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { beforeEach, describe, expect, it } from 'vitest';
import { encodeSpans } from '../../../exporters/otel/src/encode.ts';
import { TouchstoneSpanExporter } from '../../../exporters/otel/src/exporter.ts';
import { shortenSpan } from '../../../exporters/otel/src/shorten.ts';
import { partsOf, sizedSpan, sizeOf } from '../../../exporters/otel/src/size.ts';
import type { ReadableSpan } from '../../../exporters/otel/src/span.ts';
import { startServer } from '../../support/server.ts';
import { type Behaviour, type Receiver, startReceiver } from './support/receiver.ts';
import { CREDENTIALS, listenToDiag, startTracing, type Tracing } from './support/tracing.ts';

const KIB = 2 ** 10;
const MIB = 2 ** 20;
/** Longer than a busy machine takes. */
const TIMEOUT = 60_000;

let said: string[];
beforeEach(() => {
  said = listenToDiag();
});

/** Ends a span whose one text has this many bytes, of which few can be compressed away. */
function endLarge({ tracer }: Pick<Tracing, 'tracer'>, name: string, bytes: number): void {
  const text = randomBytes(bytes).toString('base64').slice(0, bytes);
  tracer.startSpan(name, { attributes: { 'input.value': text } }).end();
}

/** Spans as a provider of the SDK makes them. */
function spansOf(fill: (tracing: Pick<Tracing, 'tracer'>) => void): ReadableSpan[] {
  const spans: ReadableSpan[] = [];
  const keep = { onStart() {}, onEnd: (span: ReadableSpan) => void spans.push(span) };
  const processor = { ...keep, forceFlush: async () => {}, shutdown: async () => {} };
  fill({ tracer: new BasicTracerProvider({ spanProcessors: [processor] }).getTracer('test') });
  return spans;
}

/** Accepts requests up to a size before compression. */
const upTo =
  (bytes: number): Behaviour =>
  (_n, { text }) => ({ status: text.length > bytes ? 413 : 200 });

const namesOf = (receiver: Receiver, limit: number): string[] =>
  receiver.requests
    .filter(({ text }) => text.length <= limit)
    .flatMap(({ spans }) => spans.map(({ name }) => name));

describe('requests', () => {
  it('have about 4 MiB, also when the SDK passes a batch of 40 MB in one call', async () => {
    await using receiver = await startReceiver();
    const exporter = new TouchstoneSpanExporter({
      ...CREDENTIALS,
      url: receiver.url,
      timeoutMillis: TIMEOUT,
    });
    const spans = spansOf((tracing) => {
      for (let n = 0; n < 200; n += 1) endLarge(tracing, `span ${n}`, 200 * KIB);
    });
    const result = await new Promise((resolve) => exporter.export(spans, resolve));
    expect(result).toEqual({ code: 0 });
    expect(exporter.stats()).toEqual({ exported: 200, rejected: 0, failed: 0 });
    expect(receiver.spans().map(({ name }) => name)).toEqual(spans.map(({ name }) => name));
    expect(Math.max(...receiver.requests.map(({ text }) => text.length))).toBeLessThan(4.2 * MIB);
    await exporter.shutdown();
  });

  it('contain one larger span alone', async () => {
    await using receiver = await startReceiver();
    const tracing = startTracing({ url: receiver.url, timeoutMillis: TIMEOUT });
    endLarge(tracing, 'before', 10);
    endLarge(tracing, 'giant', 6 * MIB);
    endLarge(tracing, 'after', 10);
    await tracing.processor.forceFlush();
    expect(receiver.requests.map(({ spans }) => spans.map(({ name }) => name))).toEqual(
      expect.arrayContaining([['before'], ['giant'], ['after']]),
    );
    await tracing.processor.shutdown();
  });

  it('stay small enough for a server that accepts 5 MiB: it stores all of them', async () => {
    const server = await startServer({ config: { maxBodyBytes: 5 * MIB } });
    const { url, apiKey, applicationId } = server;
    const tracing = startTracing({ url, apiKey, applicationId, timeoutMillis: TIMEOUT });
    for (let n = 0; n < 100; n += 1) endLarge(tracing, `span ${n}`, 200 * KIB);
    await tracing.processor.forceFlush();
    expect(tracing.processor.stats()).toMatchObject({ exported: 100, failed: 0, dropped: 0 });
    await tracing.processor.shutdown();
    await server.close();
  });
});

describe('a server that answers 413', () => {
  it('gets halves, until all spans are stored', async () => {
    const limit = 200 * KIB;
    await using receiver = await startReceiver(upTo(limit));
    const tracing = startTracing({ url: receiver.url, timeoutMillis: TIMEOUT });
    for (let n = 0; n < 20; n += 1) endLarge(tracing, `span ${n}`, 50 * KIB);
    await tracing.processor.forceFlush();
    expect(tracing.processor.stats()).toMatchObject({ exported: 20, failed: 0 });
    expect(namesOf(receiver, limit)).toEqual(Array.from({ length: 20 }, (_, n) => `span ${n}`));
    expect(said).toEqual([]);
    await tracing.processor.shutdown();
  });

  it('gets a span that is too large alone with its longest texts truncated, and the other spans as they are', async () => {
    const limit = 1.2 * MIB;
    await using receiver = await startReceiver(upTo(limit));
    const tracing = startTracing({ url: receiver.url, timeoutMillis: TIMEOUT });
    endLarge(tracing, 'small', 10);
    tracing.tracer
      .startSpan('giant', {
        attributes: { 'input.value': 'ä'.repeat(2 * MIB), 'gen_ai.request.model': 'm-1' },
      })
      .end();
    await tracing.processor.forceFlush();
    expect(tracing.processor.stats()).toMatchObject({ exported: 2, failed: 0 });
    const giant = receiver.requests.at(-1)?.spans[0]?.attributes;
    expect(giant?.['gen_ai.request.model']).toBe('m-1');
    expect(giant?.['input.value']).toMatch(
      /^ä+… \[\d+ characters left out: the server accepts no span this large\]$/,
    );
    expect(said).toEqual([
      'touchstone: the server found the span "giant" too large; its longest texts were truncated',
    ]);
    await tracing.processor.shutdown();
  });

  it('gets a truncated text only after its secrets were redacted', async () => {
    await using receiver = await startReceiver(upTo(1.2 * MIB));
    const redact = (text: string): string => text.replaceAll(/secret-\d+;/g, '***');
    const tracing = startTracing({ url: receiver.url, timeoutMillis: TIMEOUT, redact });
    // Truncated before, the text would end inside a secret, which the hook would not recognise.
    const text = `secret-${'1'.repeat(2_000)};${'x'.repeat(200)}`.repeat(7_000);
    tracing.tracer.startSpan('giant', { attributes: { text } }).end();
    await tracing.processor.forceFlush();
    expect(tracing.processor.stats()).toMatchObject({ exported: 1, failed: 0 });
    const sent = receiver.requests.map((request) => request.text).join('');
    expect(sent).toContain('characters left out');
    expect(sent).not.toContain('secret');
    await tracing.processor.shutdown();
  });

  it('and afterwards no response is waited for once, not for each half', async () => {
    await using receiver = await startReceiver((n) => (n === 0 ? { status: 413 } : null));
    const tracing = startTracing({ url: receiver.url, timeoutMillis: 500 });
    for (let n = 0; n < 64; n += 1) endLarge(tracing, `span ${n}`, KIB);
    await tracing.processor.forceFlush();
    expect(tracing.processor.stats()).toMatchObject({ exported: 0, failed: 64 });
    expect(receiver.requests).toHaveLength(2);
    await tracing.processor.shutdown();
  });

  it('loses only spans that nothing makes small enough, with the remedy', async () => {
    await using receiver = await startReceiver(upTo(10 * KIB));
    const tracing = startTracing({ url: receiver.url, timeoutMillis: TIMEOUT });
    endLarge(tracing, 'small', 10);
    endLarge(tracing, 'giant', MIB);
    await tracing.processor.forceFlush();
    expect(tracing.processor.stats()).toMatchObject({ exported: 1, failed: 1 });
    expect(said).toEqual([
      `touchstone: 1 spans were lost: HTTP 413 from ${receiver.url}. ` +
        'Shorten the texts of this span, or raise TOUCHSTONE_MAX_BODY_BYTES of the server.',
    ]);
    await tracing.processor.shutdown();
  });
});

describe('a span that cannot be serialised', () => {
  it('is lost alone', async () => {
    await using receiver = await startReceiver();
    const exporter = new TouchstoneSpanExporter({
      ...CREDENTIALS,
      url: receiver.url,
      timeoutMillis: TIMEOUT,
    });
    const spans = spansOf(({ tracer }) => {
      for (let n = 0; n < 9; n += 1) tracer.startSpan(`span ${n}`).end();
    });
    const broken = spans[4] as ReadableSpan;
    Object.defineProperty(broken.attributes, 'broken', {
      enumerable: true,
      get: () => {
        throw new Error('no value');
      },
    });
    await new Promise((resolve) => exporter.export(spans, resolve));
    expect(exporter.stats()).toEqual({ exported: 8, rejected: 0, failed: 1 });
    expect(receiver.spans().map(({ name }) => name)).not.toContain('span 4');
    expect(said).toEqual([
      expect.stringContaining('it cannot be serialised (no value). Check its attributes.'),
    ]);
    await exporter.shutdown();
  });
});

describe('the size of a span', () => {
  it.each<[what: string, attributes: Record<string, unknown>]>([
    ['no attributes', {}],
    ['a text', { text: 'x'.repeat(10_000) }],
    ['a text of several bytes a character', { text: '漢字'.repeat(5_000) }],
    ['many short values', Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`key.${n}`, n]))],
    ['a list', { list: Array.from({ length: 1_000 }, (_, n) => `item ${n}`) }],
    ['nested values', { tree: { a: [{ b: 'x'.repeat(1_000) }, { c: true }] } }],
  ])('is about that of its request: %s', async (_what, attributes) => {
    const spans = spansOf(({ tracer }) => tracer.startSpan('span').end()).map((span) =>
      Object.assign(Object.create(span) as ReadableSpan, { attributes }),
    );
    const bytes = Buffer.concat(await encodeSpans(spans.map(sizedSpan))).length;
    const size = sizeOf(spans[0] as ReadableSpan);
    expect(size).toBeGreaterThan(bytes * 0.5);
    expect(size).toBeLessThan(bytes * 2);
  });

  it('divides spans into parts, in order, none larger than the limit but those of one span', () => {
    const spans = spansOf((tracing) => {
      for (const bytes of [10, 5_000, 5_000, 30_000, 10, 10]) endLarge(tracing, String(bytes), bytes);
    });
    const parts = partsOf(spans.map(sizedSpan), 12_000).map((part) => part.map(({ span }) => span.name));
    expect(parts).toEqual([['10', '5000', '5000'], ['30000'], ['10', '10']]);
  });
});

describe('a request of several slices', () => {
  it('is one list of spans, as the serialiser would have made it in one piece', async () => {
    const spans = spansOf((tracing) => {
      for (let n = 0; n < 30; n += 1) endLarge(tracing, `span ${n}`, 100 * KIB);
    });
    const body = JSON.parse(Buffer.concat(await encodeSpans(spans.map(sizedSpan))).toString()) as {
      resourceSpans: { scopeSpans: { spans: { name: string }[] }[] }[];
    };
    expect(Object.keys(body)).toEqual(['resourceSpans']);
    expect(body.resourceSpans.length).toBeGreaterThan(3);
    expect(
      body.resourceSpans
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
        .map(({ name }) => name),
    ).toEqual(spans.map(({ name }) => name));
  });
});

describe('shortening', () => {
  it('returns null where texts are not what makes a span large', () => {
    const [span] = spansOf(({ tracer }) => tracer.startSpan('span').end());
    const attributes = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`key.${n}`, n]));
    const numbers = Object.assign(Object.create(span as ReadableSpan) as ReadableSpan, { attributes });
    expect(shortenSpan(numbers, 10_000)).toBe(null);
  });

  it('leaves no half of a character', () => {
    const [span] = spansOf(({ tracer }) =>
      tracer.startSpan('x', { attributes: { a: '😀'.repeat(1_000) } }).end(),
    );
    const cut = shortenSpan(span as ReadableSpan, 1_500);
    expect(String(cut?.attributes['a']).isWellFormed()).toBe(true);
  });
});
