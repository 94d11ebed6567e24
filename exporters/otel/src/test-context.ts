import { type Context, context, createContextKey, diag, propagation } from '@opentelemetry/api';
import { Reporter } from './reporter.ts';
import { environment, soon } from './runtime.ts';
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
 * Runs `fn` and gives back what it returns. Spans started in it, also after `await` and in timers, belong to the test. In a runtime
 * without AsyncLocalStorage, spans after the first `await` need the context with which `fn` is called.
 * Work that goes through a queue with a worker of its own needs {@link bind}. What `fn` throws is thrown on.
 */
export function withTest<T>(
  testId: string,
  fn: (inTest: Context) => T,
  { baggage = false }: WithTestOptions = {},
): T {
  if (typeof testId !== 'string' || testId === '') {
    diag.warn('touchstone: withTest was called without a test id; its spans are not linked');
    const inNoTest = context.active().setValue(NO_TEST_ID, true);
    return context.with(inNoTest, () => fn(inNoTest));
  }
  noteTest();
  const inTest = new CountingContext(context.active().setValue(TEST_ID, testId));
  const active = baggage ? withBaggage(inTest, testId) : inTest;
  return context.with(active, () => {
    if (testIdOf(context.active()) !== testId)
      warn('no context manager is set, so spans cannot be linked to tests; call register()');
    else checkAwait(testId);
    return fn(active);
  });
}

let isAwaitChecked = false;

/** Reports once if the runtime carries no context through `await`. */
function checkAwait(testId: string): void {
  if (isAwaitChecked) return;
  isAwaitChecked = true;
  soon(() => {
    if (testIdOf(context.active()) !== testId)
      warn(
        'this runtime loses the active context at `await`: pass the context that withTest() gives to startSpan(), ' +
          'or enable AsyncLocalStorage (in Cloudflare Workers: nodejs_compat)',
      );
  });
}

function warn(text: string): void {
  diag.warn(`touchstone: ${text}`);
  new Reporter({}, environment()).notice(`${text}.`);
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
