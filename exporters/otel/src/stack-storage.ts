import type { Context } from '@opentelemetry/api';
import type { ContextStorage } from './context-manager.ts';

/** Holds the context of a call until it returns, for runtimes that carry none through `await`. */
export class StackStorage implements ContextStorage {
  #current: Context | undefined;

  getStore(): Context | undefined {
    return this.#current;
  }

  run<T>(inContext: Context, fn: () => T): T {
    const outer = this.#current;
    this.#current = inContext;
    try {
      return fn();
    } finally {
      this.#current = outer;
    }
  }

  disable(): void {
    this.#current = undefined;
  }
}
