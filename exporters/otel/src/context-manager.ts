import { type Context, type ContextManager, ROOT_CONTEXT } from '@opentelemetry/api';

/** Members used of an `AsyncLocalStorage`. */
export interface ContextStorage {
  getStore(): Context | undefined;
  run<T>(inContext: Context, fn: () => T): T;
  disable(): void;
}

type Emit = (...args: unknown[]) => unknown;

/** Carries the active context through calls, and through promises and timers where its storage does. */
export class AsyncContextManager implements ContextManager {
  readonly #storage: ContextStorage;

  constructor(storage: ContextStorage) {
    this.#storage = storage;
  }

  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }

  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    inContext: Context,
    fn: F,
    thisArg?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#storage.run(inContext, (): ReturnType<F> => fn.apply(thisArg, args));
  }

  /** A function that runs in the context, or the emitter itself, whose listeners do from now on. */
  bind<T>(inContext: Context, target: T): T {
    const storage = this.#storage;
    const inside = <F extends (...args: never[]) => unknown>(fn: F): F => {
      const bound = function (this: unknown, ...args: Parameters<F>): unknown {
        return storage.run(inContext, () => Reflect.apply(fn, this, args) as unknown);
      };
      Object.defineProperty(bound, 'length', { configurable: true, value: fn.length });
      return bound as F;
    };
    if (typeof target === 'function') return inside(target as T & ((...args: never[]) => unknown));
    if (isEmitter(target)) {
      const emit = target.emit.bind(target);
      target.emit = (...args) => storage.run(inContext, () => emit(...args));
    }
    return target;
  }

  enable(): this {
    return this;
  }

  disable(): this {
    this.#storage.disable();
    return this;
  }
}

function isEmitter(target: unknown): target is { emit: Emit } {
  const { emit, on } = (target ?? {}) as { emit?: unknown; on?: unknown };
  return typeof emit === 'function' && typeof on === 'function';
}
