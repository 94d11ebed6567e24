import { STATUS_ERROR } from '../span.ts';
import { BlockCursor } from './block-cursor.ts';

/** Distinct names of one index together; names beyond are shown as `…`. */
const MAX_TEXT_CHARACTERS = 8 * 1024 * 1024;
const LEFT_OUT = '…';

/** The spans of stored blocks as one array for each field: an entry for each span, in the order of the blocks. */
export class SpanColumns {
  readonly count: number;
  readonly idHigh: Uint32Array;
  readonly idLow: Uint32Array;
  readonly parentHigh: Uint32Array;
  readonly parentLow: Uint32Array;
  readonly startHigh: Uint32Array;
  readonly startLow: Uint32Array;
  readonly endHigh: Uint32Array;
  readonly endLow: Uint32Array;
  /** Bits of SpanFlag. */
  readonly flags: Uint32Array;
  readonly kind: Uint8Array;
  readonly isError: Uint8Array;
  /** Index into `names`. */
  readonly name: Uint32Array;
  /** Key of the block of each entry. */
  readonly block: Uint32Array;
  /** 1 + index into `usage`; 0 = neither model nor usage. */
  readonly usageOf: Uint32Array;
  readonly usage: SpanUsage[] = [];
  readonly names = new TextTable();
  readonly models = new TextTable();

  constructor(blocks: readonly StoredBlock[]) {
    const cursors = blocks.map(({ seq, skeleton }) => ({ seq, cursor: new BlockCursor(skeleton) }));
    const count = cursors.reduce((sum, { cursor }) => sum + cursor.spanCount, 0);
    this.count = count;
    this.idHigh = new Uint32Array(count);
    this.idLow = new Uint32Array(count);
    this.parentHigh = new Uint32Array(count);
    this.parentLow = new Uint32Array(count);
    this.startHigh = new Uint32Array(count);
    this.startLow = new Uint32Array(count);
    this.endHigh = new Uint32Array(count);
    this.endLow = new Uint32Array(count);
    this.flags = new Uint32Array(count);
    this.kind = new Uint8Array(count);
    this.isError = new Uint8Array(count);
    this.name = new Uint32Array(count);
    this.block = new Uint32Array(count);
    this.usageOf = new Uint32Array(count);
    let first = 0;
    for (const { seq, cursor } of cursors) {
      this.block.fill(seq, first, first + cursor.spanCount);
      this.addBlock(cursor, first);
      first += cursor.spanCount;
    }
  }

  private addBlock(cursor: BlockCursor, first: number): void {
    // The texts of a block have numbers of their own: here with the numbers that they have in this index.
    const nameOf: number[] = [];
    const modelOf: number[] = [];
    for (let at = first; cursor.next(); at++) {
      this.idHigh[at] = cursor.idHigh;
      this.idLow[at] = cursor.idLow;
      this.parentHigh[at] = cursor.parentHigh;
      this.parentLow[at] = cursor.parentLow;
      this.startHigh[at] = cursor.startHigh;
      this.startLow[at] = cursor.startLow;
      this.endHigh[at] = cursor.endHigh;
      this.endLow[at] = cursor.endLow;
      this.flags[at] = cursor.flags;
      this.kind[at] = cursor.kind;
      this.isError[at] = cursor.status === STATUS_ERROR ? 1 : 0;
      const text = cursor.name;
      this.name[at] = nameOf[text] ??= this.names.add(cursor.texts.at(text));
      const model = cursor.model;
      if (model === -1 && !cursor.hasSums) continue;
      this.usage.push({
        model: model === -1 ? -1 : (modelOf[model] ??= this.models.add(cursor.texts.at(model))),
        inputTokens: cursor.inputTokens,
        outputTokens: cursor.outputTokens,
        totalTokens: cursor.totalTokens,
        cost: cursor.cost,
      });
      this.usageOf[at] = this.usage.length;
    }
  }
}

export interface StoredBlock {
  seq: number;
  skeleton: Buffer;
}

/** The model call of a span; few spans are one. */
export interface SpanUsage {
  /** Index into `models`; -1 = none. */
  model: number;
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  cost: number;
}

/** Distinct texts with their numbers. */
class TextTable {
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
    if (this.characters + text.length > MAX_TEXT_CHARACTERS && text !== LEFT_OUT) {
      this.isTruncated = true;
      return this.add(LEFT_OUT);
    }
    this.characters += text.length;
    const number = this.numbers.size;
    this.numbers.set(text, number);
    return number;
  }
}
