import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  type Sampler as SdkSampler,
  SamplingDecision,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allSpans, llmSpans, testSpans } from '../../../exporters/otel/src/filters.ts';
import { TouchstoneSpanProcessor } from '../../../exporters/otel/src/processor.ts';
import { TestIdSpanProcessor } from '../../../exporters/otel/src/test-id-processor.ts';
import { redactSpan } from '../../../exporters/otel/src/redact.ts';
import type { ReadableSpan as SentSpan } from '../../../exporters/otel/src/span.ts';
import { recordTests } from '../../../exporters/otel/src/sampler.ts';
import { bind, testIdOf, withTest } from '../../../exporters/otel/src/test-context.ts';
import { startReceiver } from './support/receiver.ts';
import { CREDENTIALS, listenToDiag, setContextManager, startTracing } from './support/tracing.ts';

const TEST_ID = 'service.test.id';
const testId = randomUUID();

let said: string[];
beforeAll(setContextManager);
afterAll(() => context.disable());
beforeEach(() => {
  said = listenToDiag();
});

/** The spans that end while `work` runs, stamped by the processor under test. */
function endedIn(
  work: (tracer: ReturnType<BasicTracerProvider['getTracer']>) => void,
  sampler?: SdkSampler,
): ReadableSpan[] {
  const memory = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({
    spanProcessors: [new TestIdSpanProcessor(), new SimpleSpanProcessor(memory)],
    ...(sampler && { sampler }),
  });
  work(provider.getTracer('test'));
  return memory.getFinishedSpans();
}

const fromBaggage = (value: string): Context =>
  propagation.setBaggage(
    ROOT_CONTEXT,
    propagation.createBaggage({ [TEST_ID]: { value }, other: { value: '1' } }),
  );

describe('the test of a span', () => {
  it('is the innermost withTest around its start', () => {
    const spans = endedIn((tracer) => {
      tracer.startSpan('before').end();
      const result = withTest(testId, () => {
        tracer.startSpan('in it').end();
        tracer.startSpan('root in it', { root: true }).end();
        withTest('inner', () => tracer.startSpan('inner').end());
        return 'result';
      });
      expect(result).toBe('result');
      tracer.startSpan('after').end();
    });
    expect(spans.map(({ name, attributes }) => [name, attributes[TEST_ID]])).toEqual([
      ['before', undefined],
      ['in it', testId],
      ['root in it', testId],
      ['inner', 'inner'],
      ['after', undefined],
    ]);
  });

  it('comes by baggage that has a UUID', () => {
    const spans = endedIn((tracer) => {
      for (const value of [testId, 'no-uuid', '']) tracer.startSpan(value, {}, fromBaggage(value)).end();
    });
    expect(spans.map(({ attributes }) => attributes[TEST_ID])).toEqual([testId, undefined, undefined]);
  });

  it('set here goes before the one that came by baggage', () => {
    context.with(fromBaggage(randomUUID()), () =>
      withTest(testId, () => expect(testIdOf(context.active())).toBe(testId)),
    );
  });

  it('goes into baggage on request, beside what is there', () => {
    const entries = (): unknown =>
      propagation
        .getBaggage(context.active())
        ?.getAllEntries()
        .map(([key, { value }]) => [key, value]);
    context.with(fromBaggage('no-uuid'), () => {
      expect(withTest(testId, entries)).toEqual([
        [TEST_ID, 'no-uuid'],
        ['other', '1'],
      ]);
      expect(withTest(testId, entries, { baggage: true })).toEqual(
        expect.arrayContaining([
          [TEST_ID, testId],
          ['other', '1'],
        ]),
      );
    });
    expect(withTest(testId, entries)).toBe(undefined);
  });

  it('is that of the place where a function was bound', () => {
    const job = withTest(testId, () => bind((suffix: string) => `${testIdOf(context.active())}${suffix}`));
    expect(job('!')).toBe(`${testId}!`);
    expect(withTest('another', () => job('?'))).toBe(`${testId}?`);
  });

  it.each([undefined, '', 7])('cannot be %o: the work is done all the same', (wrong) => {
    expect(withTest(wrong as string, () => testIdOf(context.active()))).toBe(undefined);
    expect(said).toEqual(['touchstone: withTest was called without a test id; its spans are not linked']);
  });

  it('lets through what the work throws', () => {
    expect(() =>
      withTest(testId, () => {
        throw new Error('from the app');
      }),
    ).toThrow('from the app');
  });

  it('cannot be kept without a context manager, which is reported', () => {
    context.disable();
    expect(withTest(testId, () => 1)).toBe(1);
    expect(said).toEqual([
      'touchstone: no context manager is set, so spans cannot be linked to tests; call register()',
    ]);
    setContextManager();
  });
});

describe('sampling', () => {
  it('always records tests under the wrapper, and leaves the rest to the sampler', () => {
    const work = (tracer: ReturnType<BasicTracerProvider['getTracer']>): void => {
      tracer.startSpan('outside').end();
      withTest(testId, () => tracer.startSpan('inside').end());
      tracer.startSpan('by baggage', {}, fromBaggage(testId)).end();
    };
    const names = (sampler: SdkSampler): string[] => endedIn(work, sampler).map(({ name }) => name);
    expect(names(recordTests(new AlwaysOffSampler()))).toEqual(['inside', 'by baggage']);
    expect(names(recordTests(new AlwaysOnSampler()))).toEqual(['outside', 'inside', 'by baggage']);
    expect(String(recordTests(new AlwaysOffSampler()))).toBe('RecordTests{AlwaysOffSampler}');
  });

  it('counts the active spans of tests that a sampler left out, and no others', async () => {
    await using receiver = await startReceiver();
    const { tracer, processor } = startTracing({ url: receiver.url, strict: true }, new AlwaysOffSampler());
    const remote = {
      traceId: '1'.repeat(32),
      spanId: '1'.repeat(16),
      traceFlags: TraceFlags.NONE,
      isRemote: true,
    };
    const ended = startTracing({ url: receiver.url }).tracer.startSpan('ended');
    ended.end();
    tracer.startActiveSpan('outside', (span) => span.end());
    withTest(testId, () => {
      context.with(trace.setSpanContext(context.active(), remote), () => undefined);
      tracer.startActiveSpan('lost', () => tracer.startActiveSpan('lost below it', () => undefined));
      context.with(trace.setSpan(context.active(), ended), () => undefined);
    });
    expect(processor.stats()).toMatchObject({ ended: 0, unsampledTestSpans: 2 });
    await expect(processor.forceFlush()).rejects.toThrow('2 of tests not sampled');
    await processor.shutdown();
  });

  it('counts spans of tests that are recorded but not sampled', async () => {
    await using receiver = await startReceiver();
    const recordOnly = { shouldSample: () => ({ decision: SamplingDecision.RECORD }), toString: () => '' };
    const { tracer, processor } = startTracing({ url: receiver.url }, recordOnly);
    tracer.startSpan('outside').end();
    withTest(testId, () => tracer.startActiveSpan('lost', (span) => span.end()));
    await processor.shutdown();
    expect(processor.stats()).toMatchObject({ ended: 0, unsampledTestSpans: 1 });
    expect(receiver.requests).toEqual([]);
  });
});

describe('which spans are sent', () => {
  const spans = {
    plain: {},
    test: { [TEST_ID]: testId },
    'gen ai': { 'http.route': '/', 'gen_ai.operation.name': 'chat' },
    openinference: { 'openinference.span.kind': 'LLM' },
    vercel: { 'ai.operationId': 'ai.generateText' },
    'nearly one': { 'aid.kit': 1, 'llmx.y': 2 },
  };

  it.each([
    { filter: allSpans, name: 'allSpans', sent: Object.keys(spans) },
    { filter: testSpans, name: 'testSpans', sent: ['test'] },
    { filter: llmSpans, name: 'llmSpans', sent: ['gen ai', 'openinference', 'vercel'] },
    {
      filter: () => {
        throw new Error('in the filter');
      },
      name: 'a filter that throws',
      sent: Object.keys(spans),
    },
  ])('$name: $sent', async ({ filter, sent }) => {
    await using receiver = await startReceiver();
    const { tracer, processor } = startTracing({ url: receiver.url, shouldExport: filter });
    for (const [name, attributes] of Object.entries(spans)) tracer.startSpan(name, { attributes }).end();
    await processor.shutdown();
    expect(receiver.spans().map(({ name }) => name)).toEqual(sent);
    expect(processor.stats()).toMatchObject({
      ended: 6,
      exported: sent.length,
      filtered: 6 - sent.length,
      failed: 0,
    });
  });
});

describe('redaction', () => {
  function everything(): ReadableSpan {
    const [span] = endedIn((tracer) => {
      const made = tracer.startSpan('secret name', {
        attributes: { text: 'secret', list: ['a secret', 'b'], number: 1, flag: true },
        links: [
          {
            context: { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 },
            attributes: { l: 'secret' },
          },
          { context: { traceId: '1'.repeat(32), spanId: '3'.repeat(16), traceFlags: 1 } },
        ],
      });
      made.addEvent('secret event', { e: 'secret', deep: 2 });
      made.addEvent('bare');
      made.setStatus({ code: SpanStatusCode.ERROR, message: 'a secret failure' });
      made.end();
    });
    return span as ReadableSpan;
  }
  const wire = (span: SentSpan): string =>
    Buffer.from(JsonTraceSerializer.serializeRequest([span as ReadableSpan]) ?? []).toString();

  it('reaches every text of a span and changes no span that others see', () => {
    const span = everything();
    const before = wire(span);
    const keys = new Set<string>();
    const redacted = redactSpan(span, (text, key) => {
      keys.add(key);
      return text.replace('secret', '***');
    });
    expect(wire(redacted)).not.toContain('secret');
    expect(wire(redacted)).toBe(before.replaceAll('secret', '***'));
    expect([...keys].sort()).toEqual(['e', 'l', 'list', 'name', 'status.message', 'text']);
    expect(wire(span)).toBe(before);
  });

  it('reaches nested values, whatever their depth', () => {
    let deep: unknown = 'secret';
    for (let n = 0; n < 100; n += 1) deep = n % 2 ? [deep] : { deep };
    const attributes = { map: { inner: ['secret', { more: 'secret' }], bytes: new Uint8Array([1]) }, deep };
    const span = {
      ...everything(),
      spanContext: () => everything().spanContext(),
      attributes,
    } as unknown as ReadableSpan;
    const redacted = redactSpan(span, () => '***');
    expect(redacted.attributes['map']).toEqual({
      inner: ['***', { more: '***' }],
      bytes: new Uint8Array([1]),
    });
    expect(JSON.stringify(redacted.attributes)).not.toContain('secret');
  });

  it.each([
    () => {
      throw new Error('a secret');
    },
    () => undefined as unknown as string,
  ])('that fails leaves nothing of the text: %s', async (redact) => {
    await using receiver = await startReceiver();
    const { tracer, processor } = startTracing({ url: receiver.url, redact });
    tracer.startSpan('secret', { attributes: { text: 'secret' } }).end();
    await processor.shutdown();
    expect(receiver.spans()).toMatchObject([{ name: '[redacted]', attributes: { text: '[redacted]' } }]);
    expect(said.join()).not.toContain('secret');
  });
});

describe('resources that are still being found out', () => {
  it('are waited for, also in a flush', async () => {
    await using receiver = await startReceiver();
    const { processor } = startTracing({ url: receiver.url });
    const provider = new BasicTracerProvider({
      spanProcessors: [processor],
      resource: resourceFromAttributes({ 'host.id': Promise.resolve('found') }),
    });
    provider.getTracer('test').startSpan('x').end();
    await provider.forceFlush();
    expect(receiver.requests[0]?.text).toContain('{"key":"host.id","value":{"stringValue":"found"}}');
    await provider.shutdown();
  });
});

it('spans that lack what spans of the SDK have, as those of Datadog, are counted as lost and harm nothing', async () => {
  await using receiver = await startReceiver();
  const processor = new TouchstoneSpanProcessor({ ...CREDENTIALS, url: receiver.url, delayMillis: 600_000 });
  const ids = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
  for (const traceFlags of [0, 1]) {
    const span = { name: 'web.request', ended: true, spanContext: () => ({ ...ids, traceFlags }) };
    processor.onEnd(span as unknown as SentSpan);
  }
  await processor.forceFlush();
  expect(processor.stats()).toMatchObject({ ended: 1, exported: 0, failed: 1, inFlight: 0 });
  await processor.shutdown();
});
