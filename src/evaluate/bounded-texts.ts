import type { JsonValue } from '../traces/span-wire.ts';

/** Most characters of all texts; other values count as JSON. */
const MAX_TEXT = 8 * 1024 * 1024;

/** Reads texts until their limit of characters is reached. */
export class BoundedTexts {
  isTruncated = false;
  private left = MAX_TEXT;

  /** Returns the value; one that is too long becomes a truncated text. */
  take(value: JsonValue): JsonValue {
    if (value === null) return null;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (text.length <= this.left) {
      this.left -= text.length;
      return value;
    }
    this.isTruncated = true;
    const beginning = text.slice(0, this.left);
    this.left = 0;
    return beginning;
  }

  /** Reports whether further texts can be added. */
  canTakeMore(): boolean {
    if (this.left === 0) this.isTruncated = true;
    return this.left > 0;
  }
}
