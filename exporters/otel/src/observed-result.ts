import type { Observation } from './observation.ts';

/** Ends the span of a stream that was not read to its end, once it is garbage. Older edge runtimes cannot see that. */
const unread =
  typeof FinalizationRegistry === 'undefined' ? null : new FinalizationRegistry<() => void>((end) => end());

type Step = (...args: unknown[]) => unknown;
type Settled = (value: unknown) => unknown;

/**
 * Lets a result of a function end its observation, and returns it: a promise when it is settled, a generator or a stream with its last item,
 * anything else at once. It stays the same object, except that a promise and a `ReadableStream` are replaced by others of their kind.
 */
export function observeResult(result: unknown, observation: Observation): unknown {
  if (typeof result !== 'object' || result === null) return ended(result, observation);
  try {
    return observeObject(result, observation);
  } catch {
    // A getter or a proxy of the app threw.
    return ended(result, observation);
  }
}

function observeObject(result: object, observation: Observation): unknown {
  if (result instanceof Promise && result.constructor === Promise)
    return result.then(
      (value) => observeResult(value, observation),
      (error: unknown) => {
        observation.fail(error);
        throw error;
      },
    );
  if (isFunction(result, 'then')) return observeThenable(result, observation);
  return observeStream(result, observation) ?? ended(result, observation);
}

function ended<T>(result: T, observation: Observation): T {
  observation.succeed(result);
  return result;
}

/** Returns the result if it is a stream of any kind; undefined if not, or if it cannot be observed. */
function observeStream(result: object, observation: Observation): object | undefined {
  if (result instanceof ReadableStream) {
    // What replaces a stream of another class would lack its members.
    const isPlain = Object.getPrototypeOf(result) === ReadableStream.prototype;
    return isPlain && !result.locked ? observeReadableStream(result, observation) : undefined;
  }
  if (isFunction(result, 'pipe') && isFunction(result, 'once')) return observeNodeStream(result, observation);
  if (isFunction(result, 'next')) {
    const isIterator = isFunction(result, Symbol.asyncIterator) || isFunction(result, Symbol.iterator);
    return isIterator ? observeSteps(result, observation) : undefined;
  }
  return isFunction(result, Symbol.asyncIterator) ? observeIterable(result, observation) : undefined;
}

/**
 * Sees the settlement when the app waits for it: calling `then` here would start what is lazy, such as a query. Promises with members of
 * their own stay what they are.
 */
function observeThenable(result: object, observation: Observation): unknown {
  const then = (result as { then: Step }).then;
  const seen = (accept: unknown, reject: unknown): [Settled, Settled] => [
    (value) => {
      const observed = observeResult(value, observation);
      return typeof accept === 'function' ? (accept as Settled)(observed) : observed;
    },
    (error) => {
      observation.fail(error);
      if (typeof reject === 'function') return (reject as Settled)(error);
      throw error;
    },
  ];
  const isReplaced = replace(result, 'then', (accept, reject) =>
    Reflect.apply(then, result, seen(accept, reject)),
  );
  return isReplaced ? result : ended(result, observation);
}

/** Observes an iterator, such as a generator: each of its steps runs inside the span. */
export function observeSteps(iterator: object, observation: Observation): object | undefined {
  for (const name of ['next', 'return', 'throw'] as const) {
    const step = (iterator as Record<string, unknown>)[name] as Step | undefined;
    if (typeof step !== 'function') continue;
    const isReplaced = replace(iterator, name, (...args) => {
      const take = (): unknown => Reflect.apply(step, iterator, args);
      // Nothing has run, and nothing will.
      if (name !== 'next' && !observation.hasBegun) return take();
      return noteStep(observation.run(take), observation);
    });
    if (!isReplaced) return undefined;
  }
  unread?.register(iterator, () => observation.hasBegun && observation.endStream());
  return iterator;
}

function noteStep(step: unknown, observation: Observation): unknown {
  if (step instanceof Promise)
    return step.then(
      (result) => noteStep(result, observation),
      (error: unknown) => {
        observation.fail(error);
        throw error;
      },
    );
  const { done, value } = (step ?? {}) as { done?: unknown; value?: unknown };
  if (done) observation.endStream(value);
  else observation.item(value);
  return step;
}

/** Observes the first iteration over an object such as the stream of a model's client. */
function observeIterable(iterable: object, observation: Observation): object | undefined {
  const iterate = (iterable as Record<symbol, Step>)[Symbol.asyncIterator] as Step;
  let isFirst = true;
  const isReplaced = replace(iterable, Symbol.asyncIterator, (...args) => {
    if (!isFirst) return Reflect.apply(iterate, iterable, args);
    isFirst = false;
    const iterator = observation.run(() => Reflect.apply(iterate, iterable, args)) as object;
    // Steps that cannot be replaced are not observed.
    if (!observeSteps(iterator, observation)) observation.endStream();
    return iterator;
  });
  if (!isReplaced) return undefined;
  unread?.register(iterable, () => isFirst && observation.endStream());
  return iterable;
}

function observeReadableStream(stream: ReadableStream<unknown>, observation: Observation): object {
  const isOfBytes = canFillBuffers(stream);
  const reader = observation.run(() => stream.getReader());
  const pull = async (controller: StreamController): Promise<void> => {
    try {
      const { done, value } = await observation.run(() => reader.read());
      if (done) {
        observation.endStream();
        controller.close();
        // Ends a read into a buffer of the reader.
        controller.byobRequest?.respond(0);
      } else {
        // A stream of bytes takes the memory of what it is given.
        observation.item(isOfBytes ? (value as Uint8Array).slice() : value);
        controller.enqueue(value);
      }
    } catch (error) {
      observation.fail(error);
      throw error;
    }
  };
  const cancel = (reason: unknown): Promise<void> => {
    observation.endStream();
    return reader.cancel(reason);
  };
  return isOfBytes
    ? new ReadableStream({
        type: 'bytes',
        pull: (controller) => pull(controller as StreamController),
        cancel,
      })
    : new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}

/** Members used of the controllers of both kinds of streams. */
interface StreamController {
  close: () => void;
  enqueue: (item: unknown) => void;
  byobRequest?: { respond: (bytes: number) => void } | null;
}

/** Reports whether the readers of a stream may bring buffers of their own, as those of a stream of bytes. */
function canFillBuffers(stream: ReadableStream<unknown>): boolean {
  try {
    stream.getReader({ mode: 'byob' }).releaseLock();
    return true;
  } catch {
    return false;
  }
}

/** A stream of Node is left to its consumers: only its end is seen. */
function observeNodeStream(stream: object, observation: Observation): object | undefined {
  const { once, closed, errored, readableEnded } = stream as {
    once: Step;
    closed?: boolean;
    errored?: unknown;
    readableEnded?: boolean;
  };
  if (closed || errored || readableEnded) return undefined;
  const end = (): void => {
    const { errored: error } = stream as { errored?: unknown };
    if (error) observation.fail(error);
    else observation.endStream();
  };
  for (const event of ['end', 'close']) Reflect.apply(once, stream, [event, end]);
  return stream;
}

const isFunction = (value: object, name: string | symbol): boolean =>
  typeof (value as Record<string | symbol, unknown>)[name] === 'function';

/** Replaces a method of one object. Returns false if the object cannot be changed. */
const replace = (object: object, name: string | symbol, value: Step): boolean =>
  Reflect.defineProperty(object, name, { value, writable: true, configurable: true, enumerable: false });
