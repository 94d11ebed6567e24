import { MAX_CHARACTERS } from './json-text.ts';
import { roughSizeOf } from './rough-size.ts';

const MAX_ITEMS = 10_000;
/** Size of the kept items that are no texts: they stay in memory until the stream ends. */
const MAX_BYTES = 8 * 2 ** 20;

/** Items of a stream, up to a limit. */
export class ObservedItems {
  readonly #items: unknown[] = [];
  #characters = 0;
  #bytes = 0;
  #leftOut = 0;

  /** True if no item has been added. */
  get isEmpty(): boolean {
    return this.#items.length + this.#leftOut === 0;
  }

  add(item: unknown): void {
    const bytes = typeof item === 'string' ? 0 : roughSizeOf(item);
    const isFull = this.#items.length >= MAX_ITEMS || this.#characters >= MAX_CHARACTERS;
    if (isFull || this.#bytes + bytes > MAX_BYTES) {
      this.#leftOut += 1;
      return;
    }
    this.#items.push(item);
    this.#bytes += bytes;
    if (typeof item === 'string') this.#characters += item.length;
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
