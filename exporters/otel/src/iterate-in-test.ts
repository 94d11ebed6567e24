import { type Context, context } from '@opentelemetry/api';
import { withTest, type WithTestOptions } from './test-context.ts';

/**
 * Yields the items of a generator, a stream or another iterable, each of which is made in the test: spans started for the last
 * item belong to it as those for the first, whoever requests the items, and code between them does not. For a streamed response:
 * `new Response(ReadableStream.from(iterateInTest(testId, answer(prompt))))`.
 */
export function iterateInTest<T>(
  testId: string,
  items: AsyncIterable<T>,
  options?: WithTestOptions,
): AsyncIterableIterator<T>;
export function iterateInTest<T>(
  testId: string,
  items: Iterable<T>,
  options?: WithTestOptions,
): IterableIterator<T>;
export function iterateInTest<T>(
  testId: string,
  items: Iterable<T> | AsyncIterable<T>,
  options: WithTestOptions = {},
): unknown {
  return withTest(
    testId,
    () => {
      const inTest = context.active();
      return Symbol.asyncIterator in items
        ? { ...stepsIn(inTest, items[Symbol.asyncIterator]()), [Symbol.asyncIterator]: self }
        : { ...stepsIn(inTest, items[Symbol.iterator]()), [Symbol.iterator]: self };
    },
    options,
  );
}

function self<I>(this: I): I {
  return this;
}

type Steps =
  | Pick<Iterator<unknown>, 'next' | 'return' | 'throw'>
  | Pick<AsyncIterator<unknown>, 'next' | 'return' | 'throw'>;

/** The steps of an iterator, each of which runs in the context. */
function stepsIn<I extends Steps>(inTest: Context, iterator: I): I {
  const steps: Record<string, unknown> = {};
  for (const name of ['next', 'return', 'throw'] as const) {
    const step = iterator[name] as ((...args: unknown[]) => unknown) | undefined;
    if (step) steps[name] = (...args: unknown[]) => context.with(inTest, () => step.apply(iterator, args));
  }
  return steps as I;
}
