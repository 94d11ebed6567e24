import { alone, type GroupOf, type Party } from './party.ts';

/** A bounded amount of a resource; `MemoryBudget` is one. */
export interface Pool {
  readonly limit: number;
  readonly used: number;
  tryCharge(amount: number): boolean;
  release(amount: number): void;
}

/** Application that a request belongs to; null when it has none. */
export type ShareOwner = number | null;

interface Account {
  held: number;
  shares: number;
}

export interface ShareLimits {
  /** Returns the group of an application, its organisation. Default: each application is alone. */
  groupOf?: GroupOf;
  /** Most that an organisation may use, whatever is free. Default: no limit. */
  most?: number;
}

type Limits = Required<ShareLimits> & { timesFree: number };

/**
 * Largest ratio of the part of an application to what its organisation may still use: one application may use up to
 * three quarters of what its organisation may use.
 */
const TIMES_FREE_WITHIN = 3;
/** `timesFree` of memory: one organisation may use up to three quarters of it. */
export const TIMES_FREE_MEMORY = 3;

/**
 * Shares a pool between organisations, and the part of each between its applications. An organisation may use at most
 * `timesFree` times the amount that stays free, so that it never takes everything, however many applications it has; a
 * single share may always grow into the free amount.
 */
export class FairShare {
  private readonly accounts = new Map<ShareOwner, Account>();
  private readonly groups = new Map<ShareOwner | string, Account>();
  private readonly pool: Pool;
  private readonly limits: Limits;

  /** `timesFree`: most that an organisation may use, as a multiple of what then stays free for the others. */
  constructor(
    pool: Pool,
    timesFree: number,
    { groupOf = alone, most = Number.POSITIVE_INFINITY }: ShareLimits = {},
  ) {
    this.pool = pool;
    this.limits = { timesFree, groupOf, most };
  }

  /** Returns how much a group uses. */
  used(group: ShareOwner | string): number {
    return this.groups.get(group)?.held ?? 0;
  }

  /**
   * Opens a share. Its user closes it. `elsewhere` is what the same request already uses of the pool through another
   * FairShare: it counts for the owner, and is not charged again.
   */
  open(owner: ShareOwner, elsewhere = 0): Share {
    const group = owner === null ? null : this.limits.groupOf(owner);
    const isAlone = group === owner;
    const ofGroup = openAccount(this.groups, group);
    // The part of an application without an organisation is that of a group.
    const ofApplication = isAlone ? ofGroup : openAccount(this.accounts, owner);
    const accounts = { group: ofGroup.account, own: isAlone ? null : ofApplication.account };
    const of = { group: group ?? 'none', accounts, elsewhere };
    return new Share(this.pool, this.limits, of, () => {
      ofGroup.close();
      if (!isAlone) ofApplication.close();
    });
  }
}

function openAccount<K>(accounts: Map<K, Account>, key: K): { account: Account; close: () => void } {
  const account = accounts.get(key) ?? { held: 0, shares: 0 };
  accounts.set(key, account);
  account.shares += 1;
  const close = (): void => {
    account.shares -= 1;
    if (account.shares === 0) accounts.delete(key);
  };
  return { account, close };
}

interface ShareAccounts {
  group: Account;
  /** Account of the application in its organisation; null if it has none. */
  own: Account | null;
}

/** Part of a pool that one request uses. */
export class Share {
  /** Organisation of the request, or its application if that is alone. */
  readonly group: Party;
  private held = 0;
  private readonly elsewhere: number;
  private isClosed = false;
  private readonly pool: Pool;
  private readonly limits: Limits;
  private readonly accounts: ShareAccounts;
  private readonly onClose: () => void;

  constructor(
    pool: Pool,
    limits: Limits,
    { group, accounts, elsewhere }: { group: Party; accounts: ShareAccounts; elsewhere: number },
    onClose: () => void,
  ) {
    this.pool = pool;
    this.limits = limits;
    this.group = group;
    this.accounts = accounts;
    this.onClose = onClose;
    this.elsewhere = elsewhere;
    this.change(elsewhere);
  }

  /** Size of the pool. */
  get limit(): number {
    return this.pool.limit;
  }

  /** True if the organisation has no other request that uses the pool. */
  get isAlone(): boolean {
    return this.accounts.group.held === this.held;
  }

  /**
   * Takes `amount` more; returns false when the pool, the part of the organisation or that of the application in it is
   * exhausted, or when the share is closed.
   */
  tryTake(amount: number): boolean {
    if (this.isClosed || !this.isWithinShares(amount) || !this.pool.tryCharge(amount)) return false;
    this.change(amount);
    return true;
  }

  /** Returns a part to the pool; has no effect once the share is closed. */
  giveBack(amount: number): void {
    if (this.isClosed) return;
    this.pool.release(amount);
    this.change(-amount);
  }

  /** Returns everything to the pool; a second call has no effect. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.pool.release(this.held - this.elsewhere);
    this.change(-this.held);
    this.onClose();
  }

  private isWithinShares(amount: number): boolean {
    const { group, own } = this.accounts;
    const { timesFree, most } = this.limits;
    if (this.isAlone) return amount + this.held <= most;
    const byOthers = this.pool.used - group.held;
    const ofGroup = Math.min(most, ((this.pool.limit - byOthers) * timesFree) / (timesFree + 1));
    if (group.held + amount > ofGroup) return false;
    if (own === null || own.held === this.held) return true;
    return own.held + amount <= TIMES_FREE_WITHIN * (ofGroup - group.held - amount);
  }

  private change(amount: number): void {
    this.held += amount;
    this.accounts.group.held += amount;
    if (this.accounts.own) this.accounts.own.held += amount;
  }
}
