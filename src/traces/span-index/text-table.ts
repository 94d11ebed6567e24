/** Characters of the distinct texts of one index together; texts beyond are shown as `…`. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
const LEFT_OUT = '…';

/** Distinct texts with their numbers. */
export class TextTable {
  isTruncated = false;
  private readonly numbers = new Map<string, number>();
  private characters = 0;

  get texts(): string[] {
    return [...this.numbers.keys()];
  }

  /** Returns the number of a text, which is added if it is new and fits. */
  add(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    if (this.characters + text.length > MAX_CHARACTERS && text !== LEFT_OUT) {
      this.isTruncated = true;
      return this.add(LEFT_OUT);
    }
    this.characters += text.length;
    const number = this.numbers.size;
    this.numbers.set(text, number);
    return number;
  }
}
