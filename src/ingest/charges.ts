import { AppError } from '../errors.ts';
import type { Share } from '../runtime/fair-share.ts';
import { noMemory } from '../runtime/memory-budget.ts';

/** Memory that one step of a request is charged with in the prepare thread, until it is released or the share closes. */
export class Charges {
  private readonly share: Pick<Share, 'limit' | 'tryTake' | 'giveBack'>;
  private readonly elsewhere: number;
  private bytes = 0;

  /** `elsewhere` is what the same request is charged with by another holder: its body as received. */
  constructor(share: Pick<Share, 'limit' | 'tryTake' | 'giveBack'>, elsewhere = 0) {
    this.share = share;
    this.elsewhere = elsewhere;
  }

  /**
   * Charges memory. Throws `unavailable` when none is left for the organisation, and `too_large` when the memory can never
   * be sufficient.
   */
  add(bytes: number): void {
    const { limit } = this.share;
    const needed = this.elsewhere + this.bytes + bytes;
    if (needed > limit) {
      throw new AppError(
        'too_large',
        `the request needs at least ${needed} bytes of memory, more than the ${limit} bytes for all requests; send smaller batches`,
      );
    }
    if (!this.share.tryTake(bytes)) throw noMemory();
    this.bytes += bytes;
  }

  /** Releases a part. */
  giveBack(bytes: number): void {
    this.share.giveBack(bytes);
    this.bytes -= bytes;
  }

  release(): void {
    this.giveBack(this.bytes);
  }
}
