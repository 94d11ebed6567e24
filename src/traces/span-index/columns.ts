import { BLOCK_LAYOUT as LAYOUT, skipResources, spanSize, Texts } from '../skeleton.ts';
import { STATUS_ERROR } from '../span.ts';
import { TextTable } from './text-table.ts';

/** A block of a trace as it is stored; `skeleton.ts` has its layout. */
export interface StoredBlock {
  seq: number;
  skeleton: Buffer;
}

/**
 * The spans of stored blocks as one array for each field: an entry for each span, in the order of the blocks. Ids and times
 * are in two halves of 32 bits, since a number holds 53 bits and a bigint would be an object.
 */
export class SpanColumns {
  readonly count: number;
  /** Big-endian halves, which compare as the hexadecimal digits of the id do. */
  readonly idHigh: Uint32Array;
  readonly idLow: Uint32Array;
  /** 0 in both halves = a root. */
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
  /** Sequence number of the block. */
  readonly block: Uint32Array;
  /** 1 + place in `usage`; 0 = neither model nor usage. */
  readonly usageOf: Uint32Array;
  readonly usage: UsageColumns;
  readonly names = new TextTable();
  readonly models = new TextTable();

  constructor(blocks: readonly StoredBlock[]) {
    const count = blocks.reduce((sum, { skeleton }) => sum + spanCount(skeleton), 0);
    const column = (): Uint32Array => new Uint32Array(count);
    this.count = count;
    [this.idHigh, this.idLow, this.parentHigh, this.parentLow] = [column(), column(), column(), column()];
    [this.startHigh, this.startLow, this.endHigh, this.endLow] = [column(), column(), column(), column()];
    [this.flags, this.name, this.block, this.usageOf] = [column(), column(), column(), column()];
    this.kind = new Uint8Array(count);
    this.isError = new Uint8Array(count);
    this.usage = new UsageColumns(count);
    let first = 0;
    for (const block of blocks) {
      this.addBlock(block, first);
      first += spanCount(block.skeleton);
    }
  }

  /** One long loop over local variables: this runs for each span of a trace. */
  private addBlock({ seq, skeleton }: StoredBlock, first: number): void {
    const { idHigh, idLow, parentHigh, parentLow, startHigh, startLow, endHigh, endLow } = this;
    const { flags, kind, isError, name, usageOf, usage, names } = this;
    const view = new DataView(skeleton.buffer, skeleton.byteOffset, skeleton.length);
    const texts = new Texts(skeleton);
    let at = skipResources(skeleton);
    for (let left = skeleton.readUInt16LE(6); left > 0; left--) at = texts.skip(at);
    // The texts of a block have numbers of their own: here with the numbers that they have in this index.
    const nameOf: number[] = [];
    const end = first + spanCount(skeleton);
    this.block.fill(seq, first, end);
    for (let entry = first; entry < end; entry++) {
      idHigh[entry] = view.getUint32(at);
      idLow[entry] = view.getUint32(at + 4);
      parentHigh[entry] = view.getUint32(at + 8);
      parentLow[entry] = view.getUint32(at + 12);
      startLow[entry] = view.getUint32(at + 16, true);
      startHigh[entry] = view.getUint32(at + 20, true);
      endLow[entry] = view.getUint32(at + 24, true);
      endHigh[entry] = view.getUint32(at + 28, true);
      const text = view.getUint16(at + 32, true);
      name[entry] = nameOf[text] ??= names.add(texts.at(text));
      kind[entry] = view.getUint8(at + 36);
      isError[entry] = view.getUint8(at + 37) === STATUS_ERROR ? 1 : 0;
      const parts = view.getUint8(at + 40);
      flags[entry] = LAYOUT.flags(view.getUint16(at + 38, true), parts);
      if (parts & (LAYOUT.hasModel | LAYOUT.hasSums | LAYOUT.hasDetails))
        usageOf[entry] = usage.add(view, at, this.modelNumber(view, at, texts));
      at += spanSize(parts);
    }
  }

  /** Returns 1 + the number of the model of a span; 0 when it has none. */
  private modelNumber(view: DataView, at: number, texts: Texts): number {
    const parts = view.getUint8(at + 40);
    if (!(parts & LAYOUT.hasModel)) return 0;
    const text = view.getUint16(at + LAYOUT.spanSize + (parts & LAYOUT.hasTest ? 16 : 0), true);
    return 1 + this.models.add(texts.at(text));
  }
}

const spanCount = (block: Buffer): number => block.readUInt16LE(2);

/** Models and usage of those spans that have any, in the order of the blocks. */
class UsageColumns {
  count = 0;
  /** 1 + index into `models`; 0 = none. */
  readonly model: Uint32Array;
  readonly inputTokens: Float64Array;
  readonly outputTokens: Float64Array;
  readonly totalTokens: Float64Array;
  /** US dollars. */
  readonly cost: Float64Array;
  readonly scopeHash: Uint32Array;
  readonly responseHash: Uint32Array;

  /** `most` is how many are added at most. Memory that is never written is never used either. */
  constructor(most: number) {
    this.model = new Uint32Array(most);
    this.inputTokens = new Float64Array(most);
    this.outputTokens = new Float64Array(most);
    this.totalTokens = new Float64Array(most);
    this.cost = new Float64Array(most);
    this.scopeHash = new Uint32Array(most);
    this.responseHash = new Uint32Array(most);
  }

  /** Adds the usage of the span at `at`. Returns its place + 1. */
  add(view: DataView, at: number, model: number): number {
    const place = this.count++;
    const parts = view.getUint8(at + 40);
    this.model[place] = model;
    let sums = at + LAYOUT.spanSize + (parts & LAYOUT.hasTest ? 16 : 0) + (parts & LAYOUT.hasModel ? 2 : 0);
    if (parts & LAYOUT.hasSums) {
      const input = view.getFloat64(sums, true);
      const output = view.getFloat64(sums + 8, true);
      this.inputTokens[place] = input;
      this.outputTokens[place] = output;
      this.totalTokens[place] = input + output;
      this.cost[place] = view.getFloat64(sums + 16, true);
      sums += 24;
    }
    if (parts & LAYOUT.hasDetails) {
      this.totalTokens[place] = view.getFloat64(sums, true);
      sums += 32;
    }
    if (parts & LAYOUT.hasHashes) {
      this.scopeHash[place] = view.getUint32(sums, true);
      this.responseHash[place] = view.getUint32(sums + 4, true);
    }
    return place + 1;
  }
}
