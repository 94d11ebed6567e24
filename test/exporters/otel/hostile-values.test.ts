import { context, propagation, trace } from '@opentelemetry/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { feedback } from '../../../exporters/otel/src/feedback.ts';
import { observe, updateObservation } from '../../../exporters/otel/src/observe.ts';
import { TouchstoneSpanProcessor } from '../../../exporters/otel/src/processor.ts';
import { register } from '../../../exporters/otel/src/register.ts';
import type { Touchstone } from '../../../exporters/otel/src/registration.ts';
import type { ReadableSpan } from '../../../exporters/otel/src/span.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { CREDENTIALS } from './support/tracing.ts';

let receiver: Receiver;
let touchstone: Touchstone;
beforeAll(async () => {
  receiver = await startReceiver();
  touchstone = register({ ...CREDENTIALS, url: receiver.url, delayMillis: 600_000 });
});
afterAll(async () => {
  await touchstone.shutdown();
  trace.disable();
  context.disable();
  propagation.disable();
  await receiver[Symbol.asyncDispose]();
});

const withGetter = (of: object, name: string): object =>
  Object.defineProperty(of, name, {
    get: () => {
      throw new Error(`the getter of ${name}`);
    },
  });
const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const throwing = (): object => {
  const fail = (): never => {
    throw new Error('a trap');
  };
  return new Proxy(new Error('hidden'), { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail });
};

async function sentSince(before: number): Promise<number> {
  await touchstone.flush();
  return receiver.spans().length - before;
}

describe('an observed function', () => {
  it.each<[what: string, error: unknown]>([
    ['undefined', undefined],
    ['an object without prototype', Object.create(null)],
    ['a symbol', Symbol('x')],
    ['an error whose message is a symbol', Object.assign(new Error('x'), { message: Symbol('m') })],
    ['an error whose message is an object', Object.assign(new Error('x'), { message: {} })],
    ['an error whose stack throws', withGetter(new Error('x'), 'stack')],
    ['an error whose name throws', withGetter(new Error('x'), 'name')],
    ['an error whose code throws', withGetter(new Error('x'), 'code')],
    ['a revoked proxy', revoked()],
    ['a proxy that throws', throwing()],
  ])('passes %s on that it throws, and is recorded', async (_what, error) => {
    const before = receiver.spans().length;
    const thrown: unknown[] = [];
    const failing: (() => unknown)[] = [
      observe(() => {
        throw error;
      }),
      observe(async () => {
        throw error;
      }),
      observe(function* () {
        yield 1;
        throw error;
      }),
      observe(async function* () {
        yield 1;
        throw error;
      }),
    ];
    for (const call of failing) {
      try {
        const result = await call();
        const steps = result as AsyncIterator<unknown>;
        while (!(await steps.next()).done);
      } catch (caught) {
        thrown.push(caught);
      }
    }
    expect(thrown).toHaveLength(failing.length);
    for (const caught of thrown) expect(Object.is(caught, error)).toBe(true);
    expect(await sentSince(before)).toBe(failing.length);
  });

  it.each<[what: string, value: object]>([
    ['a revoked proxy', revoked()],
    ['a proxy that throws', throwing()],
    ['an object whose then throws', withGetter({}, 'then')],
    ['an object whose next throws', withGetter({}, 'next')],
    ['an object whose toJSON throws', withGetter({}, 'toJSON')],
    ['an object without prototype', Object.create(null) as object],
  ])('gets and returns %s as without it', async (_what, value) => {
    const before = receiver.spans().length;
    const same = observe((given: object) => given, { name: value as never, kind: value as never });
    expect(Object.is(same(value), value)).toBe(true);
    observe(() => updateObservation({ name: value as never, input: value, output: value }))();
    expect(await sentSince(before)).toBe(2);
  });

  it('returns a stream of bytes whose readers bring their own buffers', async () => {
    const stream = observe(
      () =>
        new ReadableStream({
          type: 'bytes',
          start: (controller) => controller.enqueue(new Uint8Array([1, 2, 3])),
          pull: (controller) => {
            controller.close();
            controller.byobRequest?.respond(0);
          },
        }),
    )();
    const reader = stream.getReader({ mode: 'byob' });
    expect(await reader.read(new Uint8Array(8))).toMatchObject({
      done: false,
      value: new Uint8Array([1, 2, 3]),
    });
    expect(await reader.read(new Uint8Array(8))).toMatchObject({ done: true });
  });

  it('returns a stream of another class as it is', () => {
    class Tokens extends ReadableStream<string> {
      readonly #model = 'small';
      model(): string {
        return this.#model;
      }
    }
    expect(observe(() => new Tokens())().model()).toBe('small');
  });
});

it('a span that lacks members of the SDK is counted as lost, and the others are sent without content', async () => {
  const processor = new TouchstoneSpanProcessor({
    ...CREDENTIALS,
    url: receiver.url,
    captureContent: false,
    delayMillis: 10,
  });
  const spanContext = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 };
  processor.onEnd({
    name: 'answer',
    attributes: {},
    spanContext: () => spanContext,
  } as unknown as ReadableSpan);
  await expect.poll(() => processor.stats()).toMatchObject({ ended: 1, failed: 1, inFlight: 0 });
  await processor.shutdown();
});

it.each([
  ['a trace id', { traceId: 5 }],
  ['a comment', { traceId: 'a', comment: 5 }],
  ['a user', { traceId: 'a', user: 5n }],
])('feedback() with %s of another type resolves with false', async (_what, options) => {
  expect(await feedback(true, options as object)).toBe(false);
});
