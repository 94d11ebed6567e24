import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLedger } from '../support/ledger.ts';
import { sharedServer, type Tenant, type TestServer } from '../support/server.ts';

const SPANS = 5_000;
/** Spans with none below them: span i hangs below span i / 3. */
const LEAVES = SPANS - Math.ceil(SPANS / 3);
const SENDERS = 16;
/** Parts that are measured, each of so many spans. */
const PARTS = 3;
const PART = 200;

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

it('takes one trace span by span, sums it exactly, and is no slower at its end than at its beginning', async () => {
  const long = newTrace(server);
  const { traceId, testId } = long;
  await sendAll(long, 0, SPANS - PARTS * PART);
  const [early, late]: [number[], number[]] = [[], []];
  const other = await server.newTenant();
  for (let sent = SPANS - PARTS * PART; sent < SPANS; sent += PART) {
    late.push(await processorMsOf(() => sendAll(long, sent, PART)));
    // Another trace begins in between, when the machine is as busy.
    early.push(await processorMsOf(() => sendAll(newTrace(other), 0, PART)));
  }

  const json = await server.ok('GET', `/v0/traces/by-test/${testId}`);
  expect(json.data).toMatchObject({
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

  // The shortest of all parts: whatever else the server does only adds.
  const ratio = Math.min(...late) / Math.min(...early);
  console.log(`${PART} late spans took ${ratio.toFixed(2)} times as long as ${PART} early ones`);
  // Looking through the trace at every span would make this three and more.
  expect(ratio).toBeLessThan(2);
});

interface SentTrace {
  traceId: string;
  testId: string;
  headers: Tenant['headers'];
}

const newTrace = ({ headers }: Pick<Tenant, 'headers'>): SentTrace => ({
  traceId: randomUUID().replaceAll('-', ''),
  testId: randomUUID(),
  headers,
});

/** Returns the processor time of the server and its senders for some work; other programs take none of it. */
async function processorMsOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Sends `count` spans from span `from` on, each in a request of its own, several at once. */
async function sendAll(trace: SentTrace, from: number, count: number): Promise<void> {
  let next = from;
  await Promise.all(
    Array.from({ length: SENDERS }, async () => {
      while (next < from + count) expect((await send(trace, next++)).status).toBe(200);
    }),
  );
}

/** Span 0 is the root; every other one hangs somewhere below it, and every tenth fails. */
function send({ traceId, testId, headers }: SentTrace, i: number): Promise<{ status: number }> {
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
    headers,
    body: { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] },
  });
}

function spanId(i: number): string {
  return (i + 1).toString(16).padStart(16, '0');
}
