import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { type Context, type ContextManager, ROOT_CONTEXT } from '@opentelemetry/api';

/** Carries the active context through calls, promises and timers. */
export class AsyncContextManager implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();

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
    if (target instanceof EventEmitter) {
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
