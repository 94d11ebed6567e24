import { AppError } from '../errors.ts';
import { type MemoryBudget, noMemory } from '../runtime/memory-budget.ts';

/** Memory that one request is charged with in the prepare thread, until the request ends. */
export class Charges {
  private readonly budget: MemoryBudget;
  private readonly elsewhere: number;
  private bytes = 0;

  /** `elsewhere` is what the same request is charged with by another holder: its body as received. */
  constructor(budget: MemoryBudget, elsewhere = 0) {
    this.budget = budget;
    this.elsewhere = elsewhere;
  }

  /**
   * Charges memory. Throws `unavailable` when none is left, and `too_large` when the budget can never be sufficient.
   */
  add(bytes: number): void {
    const { limit } = this.budget;
    const needed = this.elsewhere + this.bytes + bytes;
    if (needed > limit) {
      throw new AppError(
        'too_large',
        `the request needs at least ${needed} bytes of memory, more than the ${limit} bytes for all requests; send smaller batches`,
      );
    }
    if (!this.budget.tryCharge(bytes)) throw noMemory();
    this.bytes += bytes;
  }

  /** Releases a part. */
  giveBack(bytes: number): void {
    this.budget.release(bytes);
    this.bytes -= bytes;
  }

  release(): void {
    this.budget.release(this.bytes);
    this.bytes = 0;
  }
}
