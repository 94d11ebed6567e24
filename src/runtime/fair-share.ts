/** A bounded amount of a resource; `MemoryBudget` is one. */
export interface Pool {
  readonly limit: number;
  readonly used: number;
  tryCharge(amount: number): boolean;
  release(amount: number): void;
}

/** Application that a request belongs to; null when it has none. */
export type Owner = number | null;

interface Account {
  held: number;
  shares: number;
}

/**
 * Shares a pool between applications. An application may use at most `timesFree` times the amount that stays free, so
 * that it never takes everything; a single share may always grow into the free amount.
 */
export class FairShare {
  private readonly accounts = new Map<Owner, Account>();
  private readonly pool: Pool;
  private readonly timesFree: number;

  constructor(pool: Pool, timesFree: number) {
    this.pool = pool;
    this.timesFree = timesFree;
  }

  /** Opens an empty share. Its user closes it. */
  open(owner: Owner): Share {
    const account = this.accounts.get(owner) ?? { held: 0, shares: 0 };
    this.accounts.set(owner, account);
    account.shares += 1;
    return new Share(this.pool, this.timesFree, account, () => {
      account.shares -= 1;
      if (account.shares === 0) this.accounts.delete(owner);
    });
  }
}

/** Part of a pool that one request uses. */
export class Share {
  private held = 0;
  private isClosed = false;
  private readonly pool: Pool;
  private readonly timesFree: number;
  private readonly account: Account;
  private readonly onClose: () => void;

  constructor(pool: Pool, timesFree: number, account: Account, onClose: () => void) {
    this.pool = pool;
    this.timesFree = timesFree;
    this.account = account;
    this.onClose = onClose;
  }

  /**
   * Takes `amount` more; returns false when the pool or the application's part is exhausted, or when the share is
   * closed.
   */
  tryTake(amount: number): boolean {
    if (this.isClosed) return false;
    const { pool, account } = this;
    const isAlone = account.held === this.held;
    const stillFree = pool.limit - pool.used - amount;
    if (!isAlone && account.held + amount > this.timesFree * stillFree) return false;
    if (!pool.tryCharge(amount)) return false;
    this.held += amount;
    account.held += amount;
    return true;
  }

  giveBack(amount: number): void {
    this.pool.release(amount);
    this.held -= amount;
    this.account.held -= amount;
  }

  /** Returns everything to the pool; a second call has no effect. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.giveBack(this.held);
    this.onClose();
  }
}
