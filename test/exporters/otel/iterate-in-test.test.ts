import { context } from '@opentelemetry/api';
import { beforeAll, describe, expect, it } from 'vitest';
import { iterateInTest } from '../../../exporters/otel/src/iterate-in-test.ts';
import { testIdOf } from '../../../exporters/otel/src/test-context.ts';
import { setContextManager } from './support/tracing.ts';

const A = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';
const B = '3f0d7b0e-5c43-4a0b-9a53-6c1c8f3f5a10';

beforeAll(setContextManager);

const testId = (): string | undefined => testIdOf(context.active());

function* ids(count = 3): Generator<string | undefined, string, string | undefined> {
  for (let n = 0; n < count; n += 1) yield testId();
  return 'done';
}

async function* idsLater(count = 3): AsyncGenerator<string | undefined> {
  for (let n = 0; n < count; n += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    yield testId();
  }
}

describe('iterateInTest', () => {
  it('runs the steps of a generator in the test, and not the code between them', () => {
    const seen: (string | undefined)[] = [];
    for (const id of iterateInTest(A, ids())) seen.push(id, testId());
    expect(seen).toEqual([A, undefined, A, undefined, A, undefined]);
  });

  it('runs the steps of an asynchronous generator in the test to the last one', async () => {
    const seen: (string | undefined)[] = [];
    for await (const id of iterateInTest(A, idsLater())) seen.push(id, testId());
    expect(seen).toEqual([A, undefined, A, undefined, A, undefined]);
  });

  it('keeps the tests of interleaved generators apart', async () => {
    const [a, b] = [iterateInTest(A, idsLater()), iterateInTest(B, idsLater())];
    for (let n = 0; n < 3; n += 1)
      expect([await a.next(), await b.next()]).toEqual([
        { done: false, value: A },
        { done: false, value: B },
      ]);
  });

  it('makes a stream whose chunks are made in the test, whoever reads it', async () => {
    const response = new Response(
      ReadableStream.from(iterateInTest(A, idsLater())).pipeThrough(new TextEncoderStream()),
    );
    expect(await response.text()).toBe(A.repeat(3));
  });

  it.each([
    ['a generator', (seen: unknown[]) => iterateInTest(A, closing(seen))],
    ['an asynchronous generator', (seen: unknown[]) => iterateInTest(A, closingLater(seen))],
  ])('closes %s in the test when the loop ends early', async (_what, make) => {
    const seen: unknown[] = [];
    for await (const item of make(seen)) {
      expect(item).toBe(1);
      break;
    }
    expect(seen).toEqual([A]);
  });

  it('passes on values and errors of a generator', () => {
    function* echo(): Generator<string | undefined, string, string> {
      try {
        yield `${yield 'ready'} ${testId()}`;
      } catch (error) {
        yield `${(error as Error).message} ${testId()}`;
      }
      return 'end';
    }
    const steps = iterateInTest(A, echo()) as unknown as Generator<string, string, string>;
    expect(steps.next('')).toEqual({ done: false, value: 'ready' });
    expect(steps.next('a')).toEqual({ done: false, value: `a ${A}` });
    expect(steps.throw(new Error('b'))).toEqual({ done: false, value: `b ${A}` });
    expect(steps.next('')).toEqual({ done: true, value: 'end' });
  });

  it('takes lists too', () => {
    expect([...iterateInTest(A, [1, 2, 3])]).toEqual([1, 2, 3]);
  });
});

function* closing(seen: unknown[]): Generator<number> {
  try {
    yield 1;
    yield 2;
  } finally {
    seen.push(testId());
  }
}

async function* closingLater(seen: unknown[]): AsyncGenerator<number> {
  try {
    yield 1;
    yield 2;
  } finally {
    seen.push(testId());
  }
}
