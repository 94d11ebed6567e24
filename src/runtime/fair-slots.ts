import { FairQueue } from './fair-queue.ts';
import { alone, type GroupOf, type Party } from './party.ts';

interface Waiting {
  begin: () => void;
  signal: AbortSignal;
}

/** Runs a limited number of tasks at once. Waiting parties take turns by the time they have used. */
export class FairSlots {
  private readonly slots: number;
  private readonly queue: FairQueue<Waiting>;
  private used = 0;

  /** `groupOf` returns the group of a party; see FairQueue. */
  constructor(slots: number, groupOf: GroupOf = alone) {
    this.slots = slots;
    this.queue = new FairQueue(groupOf);
  }

  /** Runs the work when a slot is free. Rejects with the reason of `signal` when that aborts before. */
  async run<T>(party: Party, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    await this.acquire(party, signal);
    const since = performance.now();
    try {
      return await work();
    } finally {
      this.queue.charge(party, performance.now() - since);
      this.used -= 1;
      this.fill();
    }
  }

  private async acquire(party: Party, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort);
    this.queue.push(party, { begin: resolve, signal });
    this.fill();
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  private fill(): void {
    while (this.used < this.slots) {
      const next = this.queue.take();
      if (!next) return;
      if (next.signal.aborted) continue;
      this.used += 1;
      next.begin();
    }
  }
}
