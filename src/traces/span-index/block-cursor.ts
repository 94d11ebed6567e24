import { BLOCK_LAYOUT as LAYOUT, spanSize, skipResources, Texts } from '../skeleton.ts';

/**
 * Visits the spans of one stored block (see `skeleton.ts`) without making an object of each: after `next()` the fields
 * are those of the next span.
 */
export class BlockCursor {
  readonly spanCount: number;
  readonly texts: Texts;
  private readonly view: DataView;
  private left: number;
  private at: number;
  private following: number;

  constructor(block: Buffer) {
    this.view = new DataView(block.buffer, block.byteOffset, block.length);
    this.spanCount = block.readUInt16LE(2);
    this.left = this.spanCount;
    this.texts = new Texts(block);
    this.following = skipResources(block);
    for (let count = block.readUInt16LE(6); count > 0; count--)
      this.following = this.texts.skip(this.following);
    this.at = this.following;
  }

  next(): boolean {
    if (this.left === 0) return false;
    this.left -= 1;
    this.at = this.following;
    this.following += spanSize(this.parts);
    return true;
  }

  // Ids in two halves, as big-endian numbers: these compare as their hexadecimal digits do.
  get idHigh(): number {
    return this.view.getUint32(this.at);
  }

  get idLow(): number {
    return this.view.getUint32(this.at + 4);
  }

  /** 0 in both halves = a root. */
  get parentHigh(): number {
    return this.view.getUint32(this.at + 8);
  }

  get parentLow(): number {
    return this.view.getUint32(this.at + 12);
  }

  // Unix nanoseconds, in two halves too: a number holds 53 bits, and a bigint is an object.
  get startHigh(): number {
    return this.view.getUint32(this.at + 20, true);
  }

  get startLow(): number {
    return this.view.getUint32(this.at + 16, true);
  }

  get endHigh(): number {
    return this.view.getUint32(this.at + 28, true);
  }

  get endLow(): number {
    return this.view.getUint32(this.at + 24, true);
  }

  /** Index into `texts`. */
  get name(): number {
    return this.view.getUint16(this.at + 32, true);
  }

  get kind(): number {
    return this.view.getUint8(this.at + 36);
  }

  get status(): number {
    return this.view.getUint8(this.at + 37);
  }

  get flags(): number {
    return LAYOUT.flags(this.view.getUint16(this.at + 38, true), this.parts);
  }

  /** Index into `texts`; -1 = none. */
  get model(): number {
    const { parts } = this;
    if (!(parts & LAYOUT.hasModel)) return -1;
    return this.view.getUint16(this.at + LAYOUT.spanSize + (parts & LAYOUT.hasTest ? 16 : 0), true);
  }

  get hasSums(): boolean {
    return (this.parts & (LAYOUT.hasSums | LAYOUT.hasDetails)) !== 0;
  }

  get inputTokens(): number {
    return this.sum(0);
  }

  get outputTokens(): number {
    return this.sum(8);
  }

  get cost(): number {
    return this.sum(16);
  }

  get totalTokens(): number {
    const { parts } = this;
    if (!(parts & LAYOUT.hasDetails)) return this.inputTokens + this.outputTokens;
    return this.view.getFloat64(this.following - 32, true);
  }

  private get parts(): number {
    return this.view.getUint8(this.at + 40);
  }

  private sum(offset: number): number {
    const { parts } = this;
    if (!(parts & LAYOUT.hasSums)) return 0;
    const sums = this.following - (parts & LAYOUT.hasDetails ? 32 : 0) - 24;
    return this.view.getFloat64(sums + offset, true);
  }
}
