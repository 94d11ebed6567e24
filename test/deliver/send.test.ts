import { describe, expect, it } from 'vitest';
import { prepareAttempt } from '../../src/deliver/attempt.ts';
import type { GuardedClient } from '../../src/deliver/guarded-client.ts';
import type { Outcome } from '../../src/deliver/outcome.ts';
import { generateSecret } from '../../src/deliver/signature.ts';
import { sendAttempt } from '../../src/deliver/send.ts';
import { createMetrics, type Metrics } from '../../src/runtime/metrics.ts';
import { createLog } from '../../src/runtime/log.ts';
import { traceBytes, uuid } from '../support/spans.ts';

const AT = 1_800_000_000_000;

const newMetrics = (): Metrics =>
  createMetrics({
    storeNumbers: () => Promise.reject(new Error('no store')),
    memory: { used: 0, limit: 0 },
  });
const timings = { totalMs: 1 };
const answeredWith = (status: number): Outcome => ({
  kind: 'answered',
  status,
  headers: {},
  body: Buffer.alloc(0),
  bodyBytes: 0,
  truncated: false,
  timings,
});

/** Sends an attempt to an app that responds with 200 unless it is given another outcome; returns what happened, in order. */
async function send({
  storeSpan = async () => undefined,
  storesFail = 0,
  signal = new AbortController().signal,
  outcome = answeredWith(200),
  metrics = newMetrics(),
}: {
  storeSpan?: () => Promise<void>;
  /** How often the store rejects the end of the attempt. */
  storesFail?: number;
  signal?: AbortSignal;
  outcome?: Outcome;
  metrics?: Metrics;
}): Promise<string[]> {
  const events: string[] = [];
  const client: GuardedClient = {
    request: async (request) => {
      request.signal?.throwIfAborted();
      events.push('request');
      return outcome;
    },
  };
  const attempt = prepareAttempt({
    application: 1,
    testId: uuid(1),
    traceId: traceBytes(1),
    webhook: { url: 'https://app.example.com/', headers: {}, secrets: [generateSecret()], timeoutMs: 1_000 },
    body: Buffer.from('{}'),
    attempt: 1,
    isSample: false,
    replayOf: null,
    at: AT,
  });
  const log = createLog({
    level: 'warn',
    forPeople: false,
    write: (line) => events.push((JSON.parse(line) as { message: string }).message),
  });
  const options = {
    clientFor: () => client,
    storeSpan: async () => {
      events.push('span');
      await storeSpan();
    },
    metrics,
    masking: { open: () => Promise.resolve(null), count: () => undefined },
    log,
    now: () => AT,
  };
  let left = storesFail;
  const finish = async (): Promise<void> => {
    events.push('end');
    if (left-- > 0) throw new Error('the store is busy');
  };
  await sendAttempt(options, attempt, finish, signal);
  return events;
}

describe('an attempt', () => {
  it('has its span stored before its end', async () => {
    expect(await send({})).toEqual(['request', 'span', 'end']);
  });

  it('ends although its span could not be stored', async () => {
    const storeSpan = (): Promise<void> => Promise.reject(new Error('full'));
    expect(await send({ storeSpan })).toEqual([
      'request',
      'span',
      'the span of a delivery was not stored',
      'end',
    ]);
  });

  it('has its end stored again when the store was busy', async () => {
    expect(await send({ storesFail: 1 })).toEqual(['request', 'span', 'end', 'end']);
  });

  it('that is aborted stays open', async () => {
    const signal = AbortSignal.abort(new Error('the process stops'));
    await expect(send({ signal })).rejects.toThrow('the process stops');
  });

  it.each<[counted: string, outcome: Outcome]>([
    ['accepted', answeredWith(200)],
    ['rejected', answeredWith(204)],
    ['not_sent', { kind: 'not_sent', reason: 'dns', message: 'No such host.', hint: '', timings }],
    ['timeout', { kind: 'timeout', phase: 'body', wasSent: true, message: 'Too late.', timings }],
    ['lost', { kind: 'lost', message: 'Broken.', timings }],
  ])('counts as %s', async (counted, outcome) => {
    const metrics = newMetrics();
    await send({ outcome, metrics });
    const counts = (await metrics.deliveries.get()).values.filter(({ value }) => value > 0);
    expect(counts).toEqual([{ labels: { outcome: counted }, value: 1 }]);
  });
});
