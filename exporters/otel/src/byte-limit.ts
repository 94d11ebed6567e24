/** Lets work begin in its order as long as what is in progress has few bytes. One piece of work may have more than the limit. */
export class ByteLimit {
  readonly #maxBytes: number;
  readonly #waiting: { bytes: number; begin: () => void }[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  async run<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    if (this.#waiting.length > 0 || !this.#fits(bytes))
      await new Promise<void>((begin) => this.#waiting.push({ bytes, begin }));
    else this.#bytes += bytes;
    try {
      return await work();
    } finally {
      this.#bytes -= bytes;
      this.#beginNext();
    }
  }

  #beginNext(): void {
    for (let next = this.#waiting[0]; next && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#bytes += next.bytes;
      next.begin();
    }
  }

  #fits(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= this.#maxBytes;
  }
}
