import type { SpanBatch } from './batch.ts';
import type { StoreSpans } from './store.ts';

/** A slice whose arena lies with those of others in one buffer: moving one buffer costs less than moving many. */
export interface PackedSlice extends Omit<StoreSpans, 'batch'> {
  batch: Omit<SpanBatch, 'arena'>;
  /** Bytes of its arena. */
  size: number;
}

/** Lays the arenas of slices side by side. */
export function packSlices(slices: readonly StoreSpans[]): { packed: PackedSlice[]; bytes: Uint8Array } {
  const bytes = new Uint8Array(slices.reduce((sum, { batch }) => sum + batch.arena.length, 0));
  let end = 0;
  const packed = slices.map(({ batch: { arena, ...batch }, ...slice }) => {
    bytes.set(arena, end);
    end += arena.length;
    return { ...slice, batch, size: arena.length };
  });
  return { packed, bytes };
}

/** The inverse of `packSlices`: arenas are views of `bytes`. */
export function unpackSlices(packed: readonly PackedSlice[], bytes: Uint8Array): StoreSpans[] {
  let end = 0;
  return packed.map(({ batch, size, ...slice }) => {
    const arena = bytes.subarray(end, (end += size));
    return { ...slice, batch: { ...batch, arena } };
  });
}
