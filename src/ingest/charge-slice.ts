import type { Share } from '../runtime/fair-share.ts';
import type { MemoryBudget } from '../runtime/memory-budget.ts';

/** Share of the request that a slice belongs to. */
export type SliceShare = Pick<Share, 'tryTake' | 'giveBack'>;

/**
 * Charges the memory of a slice to the share of its request, or beyond it to the budget, and returns the function that releases
 * it. Never rejects: the body was already charged, and its sender would send it again.
 */
export function chargeSlice(
  { share, budget }: { share: SliceShare; budget: MemoryBudget },
  bytes: number,
): () => void {
  if (share.tryTake(bytes)) return () => share.giveBack(bytes);
  budget.force(bytes);
  return () => budget.release(bytes);
}
