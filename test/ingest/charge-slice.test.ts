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
    const release = chargeSlice({ share, budget }, 100, true);
    expect([budget.used, shares.used(1)]).toEqual([700, 700]);
    release();
    expect([budget.used, shares.used(1)]).toEqual([600, 600]);
  });

  it('rejects a request that has stored nothing when its organisation has no memory left', () => {
    const { budget, share } = twoRequests();
    const charge = () => chargeSlice({ share, budget }, 200, true);
    expect(charge).toThrow(expect.objectContaining({ code: 'unavailable' }));
    expect(budget.used).toBe(600);
  });

  it.each([
    ['later slices', false, false],
    ['the only request of an organisation', true, true],
  ])('never rejects %s', (_, isFirst, isAlone) => {
    const { budget, share, other } = twoRequests();
    if (isAlone) other.close();
    const before = budget.used;
    const release = chargeSlice({ share, budget }, 900, isFirst);
    expect(budget.used).toBe(before + 900);
    release();
    expect(budget.used).toBe(before);
  });

  it('may be released after its share was closed', () => {
    const { budget, share } = twoRequests();
    const release = chargeSlice({ share, budget }, 100, true);
    share.close();
    release();
    expect(budget.used).toBe(300);
  });
});
