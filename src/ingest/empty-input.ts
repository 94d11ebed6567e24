/** Most bytes of compressed input without any output: no compressor writes so many empty parts. */
const MAX_EMPTY_INPUT = 1024 * 1024;

/** Ends the decompression of a body with many parts in which there is no content, each of which takes time. */
export class EmptyInput {
  private since = 0;
  private size = 0;

  /** Looks at the position in the input, and at the size of the output there. Throws Error. */
  check(at: number, size: number): void {
    if (size !== this.size) {
      this.since = at;
      this.size = size;
    } else if (at - this.since > MAX_EMPTY_INPUT) throw new Error('it has too many empty blocks');
  }
}
