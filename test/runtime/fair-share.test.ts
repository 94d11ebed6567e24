import { describe, expect, it } from 'vitest';
import type { Party } from '../../src/runtime/party.ts';
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

describe('a fair share of organisations', () => {
  /** Applications below 100 are of one organisation, others are alone. */
  const groupOf = (party: Party): Party => (Number(party) < 100 ? 'organisation' : party);

  it('leaves a neighbour as much whether the other has one application or twenty', () => {
    const partOf = (applications: number): number[] => {
      const shares = new FairShare(new MemoryBudget(64), 1, { groupOf });
      const taken = Array.from({ length: applications }, (_, index) => fill(shares, index + 1));
      return [taken.reduce((sum, one) => sum + one, 0), fill(shares, 100)];
    };
    expect(partOf(1)).toEqual([24, 20]);
    expect(partOf(20)).toEqual([32, 16]);
  });

  it('leaves other applications of the organisation a part of what it may use', () => {
    const shares = new FairShare(new MemoryBudget(12), 1, { groupOf });
    expect([1, 2, 3].map((owner) => fill(shares, owner))).toEqual([4, 1, 1]);
  });

  it('is never more than the limit of an organisation', () => {
    const shares = new FairShare(new MemoryBudget(12), 1, { groupOf, most: 2 });
    expect([1, 2, 3, 100, 101].map((owner) => fill(shares, owner))).toEqual([1, 1, 0, 2, 2]);
    const share = shares.open(102);
    expect([share.tryTake(3), share.tryTake(2)]).toEqual([false, true]);
  });

  it('gives everything back once', () => {
    const budget = new MemoryBudget(12);
    const shares = new FairShare(budget, 1, { groupOf });
    const [one, other] = [shares.open(1), shares.open(2)];
    expect([one.tryTake(3), other.tryTake(2)]).toEqual([true, true]);
    for (const share of [one, other, one, other]) share.close();
    expect([budget.used, fill(shares, 1)]).toEqual([0, 4]);
  });
});
