import type { Share } from '../runtime/fair-share.ts';
import { type MemoryBudget, noMemory } from '../runtime/memory-budget.ts';

/** Share of the request that a slice belongs to. */
export type SliceShare = Pick<Share, 'tryTake' | 'giveBack' | 'isAlone'>;

/**
 * Charges the memory of a slice to the share of its request, and returns the function that releases it. Throws `unavailable` for
 * the first slice when the organisation has no memory left, unless it has no other request. Later slices are charged in any
 * case: a rejection would store the earlier ones again.
 */
export function chargeSlice(
  { share, budget }: { share: SliceShare; budget: MemoryBudget },
  bytes: number,
  isFirst: boolean,
): () => void {
  if (share.tryTake(bytes)) return () => share.giveBack(bytes);
  if (isFirst && !share.isAlone) throw noMemory();
  budget.force(bytes);
  return () => budget.release(bytes);
}
