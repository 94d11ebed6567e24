import { context, propagation, trace } from '@opentelemetry/api';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { feedback } from '../../../exporters/otel/src/feedback.ts';
import { currentSpanId, currentTraceId, observe } from '../../../exporters/otel/src/observe.ts';
import { register } from '../../../exporters/otel/src/register.ts';
import type { RegisterOptions, Touchstone } from '../../../exporters/otel/src/registration.ts';
import { score } from '../../../exporters/otel/src/score.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { CREDENTIALS } from './support/tracing.ts';
import { serve } from './support/webhook.ts';

let server: TestServer;
let touchstone: Touchstone;
beforeAll(async () => {
  server = await startServer();
});
afterEach(async () => {
  await touchstone.shutdown();
  trace.disable();
  context.disable();
  propagation.disable();
});
afterAll(() => server.close());

function start(options: RegisterOptions = {}): void {
  touchstone = register({
    url: server.url,
    apiKey: server.apiKey,
    applicationId: server.applicationId,
    timeoutMillis: 100_000,
    ...options,
  });
}

const answer = observe((_question: string) => currentTraceId() ?? '', {
  name: 'answer',
  output: () => 'Paris',
});

const spansOf = async (traceId: string) =>
  (await server.ok('GET', `/v0/traces/${traceId}/spans?include=payload`)).data;
const evaluationsOf = (span: unknown): unknown =>
  (span as { mapped?: { fields?: { evaluations?: { value: unknown } } } }).mapped?.fields?.evaluations?.value;

describe('score()', () => {
  it('belongs to the span that is active', async () => {
    start();
    const traceId = observe(
      () => {
        score('relevance', 0.75, { label: 'relevant', explanation: 'It answers.' });
        score('polite', true);
        score('tone', 'friendly');
        return currentTraceId() ?? '';
      },
      { name: 'answer' },
    )();
    await touchstone.flush();
    expect((await spansOf(traceId)).map(evaluationsOf)).toEqual([
      [
        { name: 'relevance', score: 0.75, label: 'relevant', explanation: 'It answers.' },
        { name: 'polite', score: 1, label: 'true' },
        { name: 'tone', label: 'friendly' },
      ],
    ]);
  });

  it('belongs to the trace that is named, later too', async () => {
    start();
    const ids = observe(() => ({ traceId: currentTraceId() ?? '', spanId: currentSpanId() }), {
      name: 'answer',
      output: () => 'Paris',
    })();
    score('relevance', 0.5, ids);
    await touchstone.flush();
    const spans = await spansOf(ids.traceId);
    expect(spans.map(({ name, kind }) => `${name} ${kind}`).toSorted()).toEqual([
      'answer CHAIN',
      'score relevance EVALUATOR',
    ]);
    expect(spans.map(evaluationsOf)).toContainEqual([{ name: 'relevance', score: 0.5 }]);
    expect((await server.ok('GET', `/v0/traces/${ids.traceId}`)).data).toMatchObject({ output: 'Paris' });
    expect(touchstone.stats()).toMatchObject({ ended: 2, exported: 2 });
  });

  it.each([[{}], [{ traceId: 'none' }]])('is lost outside of a trace, without an error: %o', (options) => {
    start();
    expect(() => score('relevance', 1, options)).not.toThrow();
    expect(touchstone.stats()).toMatchObject({ ended: 0 });
  });
});

describe('feedback()', () => {
  it('is a human annotation of the trace, which may be in progress', async () => {
    start();
    const traceId = answer('Of France?');
    const given = [
      feedback(false, { traceId, comment: 'Wrong', user: 'customer-7', correctedOutput: { city: 'Lyon' } }),
      feedback(true, { traceId }),
    ];
    expect(await Promise.all(given)).toEqual([true, true]);
    const { data } = await server.ok('GET', `/v0/human-annotations?traceId=${traceId}`);
    expect(data).toContainEqual(
      expect.objectContaining({
        verdict: false,
        critique: 'Negative feedback of a user. Wrong',
        correctedOutput: { city: 'Lyon' },
        annotatorId: 'customer-7',
      }),
    );
    expect(data).toContainEqual(expect.objectContaining({ verdict: true, critique: null }));
    expect(touchstone.stats().feedback).toMatchObject({ sent: 2, waiting: 0 });
  });

  it('belongs to the trace that is active', async () => {
    start();
    let given: Promise<boolean> | undefined;
    const traceId = observe(
      () => {
        given = feedback(true);
        return currentTraceId() ?? '';
      },
      { name: 'answer' },
    )();
    expect(await given).toBe(true);
    expect((await server.ok('GET', `/v0/human-annotations?traceId=${traceId}`)).data).toHaveLength(1);
  });

  it('is lost without a trace, and where the server rejects it, and each is counted', async () => {
    start({ apiKey: 'sk_wrong' });
    const before = touchstone.stats().feedback?.failed ?? 0;
    expect(await feedback(true)).toBe(false);
    expect(await feedback(true, { traceId: '0'.repeat(31).concat('1') })).toBe(false);
    expect(touchstone.stats().feedback).toMatchObject({ failed: before + 2, waiting: 0 });
  });

  it('is tried once more by a shutdown, which does not wait for retries', async () => {
    await using busy = await serve((_request, response) => response.writeHead(503).end());
    start({ ...CREDENTIALS, url: busy.url });
    const given = Array.from({ length: 101 }, () => feedback(true, { traceId: '1'.repeat(32) }));
    expect(touchstone.stats().feedback).toMatchObject({ waiting: 100 });
    await touchstone.shutdown();
    expect(await Promise.all(given)).toEqual(given.map(() => false));
    expect(touchstone.stats().feedback).toMatchObject({ waiting: 0 });
  });
});
