import { describe, expect, it } from 'vitest';
import { FairShare } from '../../src/runtime/fair-share.ts';
import { MemoryBudget } from '../../src/runtime/memory-budget.ts';

/** How many shares of one unit `owner` gets, one after the other. */
function fill(shares: FairShare, owner: number): number {
  let count = 0;
  while (shares.open(owner).tryTake(1)) count += 1;
  return count;
}

describe('a fair share', () => {
  it('of an application is as much as stays free for the others', () => {
    const shares = new FairShare(new MemoryBudget(8), 1);
    expect([1, 2, 3, 4].map((owner) => fill(shares, owner))).toEqual([4, 2, 1, 1]);
  });

  it('may be a multiple of what stays free', () => {
    const shares = new FairShare(new MemoryBudget(100), 3);
    expect([fill(shares, 1), fill(shares, 2)]).toEqual([75, 18]);
  });

  it('grows into all that is free while it is the only one of its application', () => {
    const budget = new MemoryBudget(100);
    const shares = new FairShare(budget, 1);
    const share = shares.open(1);
    expect([share.tryTake(60), share.tryTake(40), share.tryTake(1)]).toEqual([true, true, false]);
    expect(shares.open(2).tryTake(1)).toBe(false);
    share.giveBack(60);
    expect([budget.used, shares.open(2).tryTake(60)]).toEqual([40, true]);
  });

  it('gives everything back once', () => {
    const budget = new MemoryBudget(100);
    const shares = new FairShare(budget, 1);
    const [share, other] = [shares.open(1), shares.open(1)];
    expect([share.tryTake(30), other.tryTake(20)]).toEqual([true, true]);
    share.close();
    share.close();
    expect(budget.used).toBe(20);
    other.close();
    expect(budget.used).toBe(0);
    expect(fill(shares, 1)).toBe(50);
  });
});
