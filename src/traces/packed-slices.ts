import type { SpanBatch } from './batch.ts';
import type { StoreSpans } from './store.ts';

/** A slice whose byte buffer is part of a larger one: moving one buffer costs less than moving many. */
export interface PackedSlice extends Omit<StoreSpans, 'batch'> {
  batch: Omit<SpanBatch, 'byteBuffer'>;
  /** Size of its byte buffer. */
  size: number;
}

/** Joins the byte buffers of slices into one. */
export function packSlices(slices: readonly StoreSpans[]): { packed: PackedSlice[]; bytes: Uint8Array } {
  const bytes = new Uint8Array(slices.reduce((sum, { batch }) => sum + batch.byteBuffer.length, 0));
  let end = 0;
  const packed = slices.map(({ batch: { byteBuffer, ...batch }, ...slice }) => {
    bytes.set(byteBuffer, end);
    end += byteBuffer.length;
    return { ...slice, batch, size: byteBuffer.length };
  });
  return { packed, bytes };
}

/** Restores slices; their byte buffers are views of `bytes`. */
export function unpackSlices(packed: readonly PackedSlice[], bytes: Uint8Array): StoreSpans[] {
  let end = 0;
  return packed.map(({ batch, size, ...slice }) => {
    const byteBuffer = bytes.subarray(end, (end += size));
    return { ...slice, batch: { ...batch, byteBuffer } };
  });
}
