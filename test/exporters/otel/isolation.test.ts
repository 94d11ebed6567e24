import { context, propagation, trace } from '@opentelemetry/api';
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { register } from '../../../exporters/otel/src/register.ts';
import type { Touchstone } from '../../../exporters/otel/src/registration.ts';
import { bind, withTest } from '../../../exporters/otel/src/test-context.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { CREDENTIALS } from './support/tracing.ts';

const TESTS = 50;
const TEST_ID = 'service.test.id';

let receiver: Receiver;
let touchstone: Touchstone;
beforeAll(async () => {
  receiver = await startReceiver();
  touchstone = register({ ...CREDENTIALS, url: receiver.url, strict: true });
});
afterAll(async () => {
  await touchstone.shutdown();
  await receiver[Symbol.asyncDispose]();
});

/** A span whose name says what it should belong to. */
const span = (owner: string, what: string): void =>
  trace.getTracer('test').startSpan(`${owner} ${what}`).end();

const jitter = (): Promise<void> => sleep(Math.random() * 10);

/** A queue whose workers were there before any test. */
class WorkerQueue {
  private readonly jobs: (() => void)[] = [];
  private readonly added = new EventEmitter();

  async work(): Promise<void> {
    for (;;) {
      const job = this.jobs.shift();
      if (job) job();
      else await once(this.added, 'job');
      await nextTurn();
    }
  }

  push(job: () => void): void {
    this.jobs.push(job);
    this.added.emit('job');
  }

  run<T>(job: () => T): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<T>();
    this.push(() => resolve(job()));
    return promise;
  }
}

/** Another service, as an instrumentation of its HTTP server would run it. */
async function startService(): Promise<{ url: string; headers: IncomingHttpHeaders[]; close: () => void }> {
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    context.with(propagation.extract(context.active(), request.headers), () => {
      const owner = request.headers['x-owner'] as string;
      setTimeout(() => {
        span(owner, 'in the other service');
        response.end();
      }, Math.random() * 10);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, headers, close: () => server.close() };
}

async function call(url: string, owner: string): Promise<void> {
  const headers: Record<string, string> = { 'x-owner': owner };
  propagation.inject(context.active(), headers);
  await (await fetch(url, { headers })).text();
}

/** What each span should belong to by its name, and what it does. */
async function sent(): Promise<{ name: string; owner: string; testId: unknown }[]> {
  await touchstone.flush();
  return receiver
    .spans()
    .map(({ name, attributes }) => ({ name, owner: name.split(' ')[0] ?? '', testId: attributes[TEST_ID] }));
}

describe(`${TESTS} tests at once in one process`, () => {
  it('carry their own ids across awaits, timers, queues and calls, and to other services only on request', async () => {
    const queue = new WorkerQueue();
    void queue.work();
    void queue.work();
    const service = await startService();
    const run = async (testId: string, isAsked: boolean): Promise<void> => {
      span(testId, 'at once');
      await jitter();
      span(testId, 'after an await');
      await new Promise<void>((resolve) => {
        setTimeout(() => {
          span(testId, 'in a timer');
          resolve();
        }, Math.random() * 10);
      });
      await queue.run(bind(() => span(testId, 'in a worker')));
      await queue.run(() => span('nobody', 'in a worker'));
      await trace.getTracer('test').startActiveSpan(`${testId} around a call`, async (around) => {
        await call(service.url, isAsked ? testId : 'nobody');
        around.end();
      });
      await Promise.all([
        jitter().then(() => span(testId, 'side by side')),
        jitter().then(() => withTest(`${testId}-inner`, () => span(`${testId}-inner`, 'in another test'))),
      ]);
      span(testId, 'at the end');
    };
    const testIds = Array.from({ length: TESTS }, () => randomUUID());
    await Promise.all([
      ...testIds.map((testId, n) =>
        withTest(testId, () => run(testId, n % 2 === 0), { baggage: n % 2 === 0 }),
      ),
      ...Array.from({ length: TESTS }, async () => {
        await jitter();
        span('nobody', 'beside the tests');
      }),
    ]);
    service.close();

    const spans = await sent();
    expect(spans).toHaveLength(TESTS * (10 + 1));
    const wrong = spans.filter(({ owner, testId }) => testId !== (owner === 'nobody' ? undefined : owner));
    expect(wrong).toEqual([]);
    expect(service.headers).toHaveLength(TESTS);
    for (const headers of service.headers) {
      expect(headers['traceparent']).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/);
      const owner = headers['x-owner'] as string;
      expect(headers['baggage']).toBe(owner === 'nobody' ? undefined : `${TEST_ID}=${owner}`);
    }
  });
});
