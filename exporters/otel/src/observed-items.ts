import { MAX_CHARACTERS } from './json-text.ts';

const MAX_ITEMS = 10_000;

/** Items of a stream, up to a limit. */
export class ObservedItems {
  readonly #items: unknown[] = [];
  #characters = 0;
  #leftOut = 0;

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  add(item: unknown): void {
    if (this.#items.length >= MAX_ITEMS || this.#characters >= MAX_CHARACTERS) this.#leftOut += 1;
    else {
      this.#items.push(item);
      this.#characters += typeof item === 'string' ? item.length : 1;
    }
  }

  /** Returns the kept items. */
  list(): unknown[] {
    return this.#items;
  }

  /** Returns texts as one text, other items as a list. What was left out is reported at the end. */
  value(): unknown {
    const note = this.#leftOut === 0 ? [] : [`… [${this.#leftOut} items left out]`];
    const all = [...this.#items, ...note];
    return this.#items.every((item) => typeof item === 'string') ? all.join('') : all;
  }
}
