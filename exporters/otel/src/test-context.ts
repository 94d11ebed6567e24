import { type Context, context, createContextKey, diag, propagation } from '@opentelemetry/api';
import { Reporter } from './reporter.ts';
import { CountingContext } from './sampling-loss.ts';
import { TEST_ID_ATTRIBUTE } from './span.ts';
import { noteTest } from './test-spans.ts';

// The API gives every caller of this name the same key, so several copies of this package understand each other.
const TEST_ID = createContextKey('touchstone test id');
const NO_TEST_ID = createContextKey('touchstone test without an id');
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

export interface WithTestOptions {
  /**
   * Puts the test id in W3C baggage too, so that services called from here link their spans. Baggage travels with
   * every outgoing request that carries trace context, also to services of others. Default: false.
   */
  baggage?: boolean;
}

/**
 * Runs `fn` and gives back what it returns. Spans started in it, also after `await` and in timers, belong to the test.
 * Work that goes through a queue with a worker of its own needs {@link bind}. What `fn` throws is thrown on.
 */
export function withTest<T>(testId: string, fn: () => T, { baggage = false }: WithTestOptions = {}): T {
  if (typeof testId !== 'string' || testId === '') {
    diag.warn('touchstone: withTest was called without a test id; its spans are not linked');
    return context.with(context.active().setValue(NO_TEST_ID, true), fn);
  }
  noteTest();
  const inTest = new CountingContext(context.active().setValue(TEST_ID, testId));
  return context.with(baggage ? withBaggage(inTest, testId) : inTest, () => {
    if (testIdOf(context.active()) !== testId) {
      const text = 'no context manager is set, so spans cannot be linked to tests; call register()';
      diag.warn(`touchstone: ${text}`);
      new Reporter({}, process.env).notice(`${text}.`);
    }
    return fn();
  });
}

/** Ties `fn` to the test and the span that are active now, whoever calls it later: for jobs handed to a queue. */
export function bind<F extends (...args: never[]) => unknown>(fn: F): F {
  return context.bind(context.active(), fn);
}

/** The id of the test that a context belongs to: set by {@link withTest}, or come in by baggage as a UUID. */
export function testIdOf(inContext: Context): string | undefined {
  return (inContext.getValue(TEST_ID) as string | undefined) ?? fromBaggage(inContext);
}

/** Reports whether a context belongs to a {@link withTest} that was called without a test id. */
export const isWithoutTestId = (inContext: Context): boolean => inContext.getValue(NO_TEST_ID) === true;

function fromBaggage(inContext: Context): string | undefined {
  const value = propagation.getBaggage(inContext)?.getEntry(TEST_ID_ATTRIBUTE)?.value;
  // Anyone who can send a request can send baggage: what is no test id is not taken over.
  return value !== undefined && isUuid(value) ? value : undefined;
}

export const isUuid = (text: string): boolean => UUID.test(text);

function withBaggage(inContext: Context, testId: string): Context {
  const baggage = propagation.getBaggage(inContext) ?? propagation.createBaggage();
  return propagation.setBaggage(inContext, baggage.setEntry(TEST_ID_ATTRIBUTE, { value: testId }));
}
