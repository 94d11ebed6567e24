import { describe, expect, it } from 'vitest';
import { chargeSlice } from '../../src/ingest/charge-slice.ts';
import { FairShare } from '../../src/runtime/fair-share.ts';
import { MemoryBudget } from '../../src/runtime/memory-budget.ts';

/** Two requests of an organisation, which may use 750 of 1 000 bytes and uses 600. */
function twoRequests() {
  const budget = new MemoryBudget(1_000);
  const shares = new FairShare(budget, 3);
  const [share, other] = [shares.open(1), shares.open(1)];
  for (const one of [share, other]) expect(one.tryTake(300)).toBe(true);
  return { budget, shares, share, other };
}

describe('the memory of a slice', () => {
  it('counts for its organisation until it is released', () => {
    const { budget, shares, share } = twoRequests();
    const release = chargeSlice({ share, budget }, 100);
    expect([budget.used, shares.used(1)]).toEqual([700, 700]);
    release();
    expect([budget.used, shares.used(1)]).toEqual([600, 600]);
  });

  it('is charged beyond the share when the organisation has none left: its request is not rejected', () => {
    const { budget, shares, share } = twoRequests();
    const release = chargeSlice({ share, budget }, 900);
    expect([budget.used, shares.used(1)]).toEqual([1_500, 600]);
    release();
    expect(budget.used).toBe(600);
  });

  it('may be released after its share was closed', () => {
    const { budget, share } = twoRequests();
    const release = chargeSlice({ share, budget }, 100);
    share.close();
    release();
    expect(budget.used).toBe(300);
  });
});
