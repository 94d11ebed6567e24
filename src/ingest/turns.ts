import { FairQueue } from '../runtime/fair-queue.ts';

/** Milliseconds for which steps run before the thread handles other events. */
const TURN_MS = 4;

/**
 * Runs the work of many requests step by step. Applications take turns by the time of their steps, so that large or
 * many requests of one leave the others their share of the thread.
 */
export class Turns {
  private readonly queue = new FairQueue<() => void>();
  private isScheduled = false;

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
        this.queue.charge(application, performance.now() - started);
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
