import { AppError } from '../errors.ts';
import { type MemoryBudget, noMemory } from '../runtime/memory-budget.ts';

/** Memory that one request is charged with in the prepare thread, until it ends. */
export class Charges {
  private readonly budget: MemoryBudget;
  private bytes = 0;

  constructor(budget: MemoryBudget) {
    this.budget = budget;
  }

  /** Throws `unavailable` when no memory is left, and `too_large` when there can never be enough. */
  add(bytes: number): void {
    const { limit } = this.budget;
    if (bytes > limit) {
      throw new AppError(
        'too_large',
        `the request needs ${bytes} bytes of memory, and all requests together have ${limit}; send smaller batches`,
      );
    }
    if (!this.budget.tryCharge(bytes)) throw noMemory();
    this.bytes += bytes;
  }

  release(): void {
    this.budget.release(this.bytes);
    this.bytes = 0;
  }
}
