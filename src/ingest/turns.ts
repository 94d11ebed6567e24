import { FairQueue } from '../runtime/fair-queue.ts';
import { Organisations } from '../runtime/organisations.ts';

/** Milliseconds for which steps run before the thread handles other events. */
const TURN_MS = 4;

/**
 * Runs the work of many requests step by step. Organisations take turns by the time of their steps, and so do the
 * applications of each, so that large or many requests of one leave the others their share of the thread.
 */
export class Turns {
  private readonly organisations: Organisations;
  private readonly queue: FairQueue<() => void>;
  private isScheduled = false;

  constructor(organisations = new Organisations()) {
    this.organisations = organisations;
    this.queue = new FairQueue(organisations.groupOf);
  }

  /** Resolves with the result of the step, once its application had its turn. */
  run<T>(application: number, step: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.queue.push(application, () => {
      const started = performance.now();
      try {
        resolve(step());
      } catch (error) {
        reject(error);
      } finally {
        const tookMs = performance.now() - started;
        this.queue.charge(application, tookMs);
        this.organisations.addDecoding(application, tookMs);
      }
    });
    this.schedule();
    return promise;
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.serve());
  }

  private serve(): void {
    this.isScheduled = false;
    const end = performance.now() + TURN_MS;
    do this.queue.take()?.();
    while (this.queue.size > 0 && performance.now() < end);
    if (this.queue.size > 0) this.schedule();
  }
}
