import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLedger } from '../support/ledger.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

const SPANS = 5_000;
/** Spans with none below them: span i hangs below span i / 3. */
const LEAVES = SPANS - Math.ceil(SPANS / 3);
const SENDERS = 16;
const PART = 500;

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

it('takes one trace span by span, sums it exactly, and is no slower at its end than at its beginning', async () => {
  const traceId = randomUUID().replaceAll('-', '');
  const testId = randomUUID();
  /** When each part was acknowledged. */
  const marks: number[] = [performance.now()];
  let next = 0;
  let answered = 0;
  await Promise.all(
    Array.from({ length: SENDERS }, async () => {
      while (next < SPANS) {
        const { status } = await send(traceId, testId, next++);
        expect(status).toBe(200);
        answered += 1;
        if (answered % PART === 0) marks.push(performance.now());
      }
    }),
  );

  const { json } = await server.call('GET', `/v0/traces/by-test/${testId}`);
  expect((json as { data: object }).data).toMatchObject({
    otelTraceId: traceId,
    spanCount: SPANS,
    errorCount: SPANS / 10,
    // Every span reports tokens; what those below it report is not counted again.
    usage: { promptTokens: LEAVES * 3, completionTokens: LEAVES * 2, totalTokens: LEAVES * 5 },
    rootName: 'span 0',
    durationMs: SPANS,
    models: ['m'],
    stepsTruncated: true,
  });
  expect(await readLedger(server)).toMatchObject({
    received: SPANS,
    stored: SPANS,
    duplicate: 0,
    replaced: 0,
  });

  const times = marks.slice(1).map((mark, i) => mark - (marks[i] as number));
  // The shortest of three: whatever else the machine does only adds.
  const early = Math.min(...times.slice(1, 4));
  const late = Math.min(...times.slice(-3));
  console.log(`${PART} late spans took ${(late / early).toFixed(2)} times as long as ${PART} early ones`);
  // Looking through the trace at every span would make this four and more.
  expect(late).toBeLessThan(early * 3);
});

/** Span 0 is the root; every other one hangs somewhere below it, and every tenth fails. */
function send(traceId: string, testId: string, i: number): Promise<{ status: number }> {
  const start = 1_767_225_600_000_000_000n + BigInt(i) * 1_000_000n;
  const span = {
    traceId,
    spanId: spanId(i),
    ...(i === 0 ? {} : { parentSpanId: spanId(Math.floor(i / 3)) }),
    name: `span ${i}`,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(start + 1_000_000n),
    status: { code: i % 10 === 0 ? 2 : 0 },
    attributes: [
      ...(i === 0 ? [{ key: 'service.test.id', value: { stringValue: testId } }] : []),
      { key: 'gen_ai.request.model', value: { stringValue: 'm' } },
      { key: 'gen_ai.usage.input_tokens', value: { intValue: 3 } },
      { key: 'gen_ai.usage.output_tokens', value: { intValue: 2 } },
    ],
  };
  return server.call('POST', '/v1/traces', {
    body: { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] },
  });
}

function spanId(i: number): string {
  return (i + 1).toString(16).padStart(16, '0');
}
