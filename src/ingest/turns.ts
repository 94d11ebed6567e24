import { FairQueue } from '../runtime/fair-queue.ts';
import { Organisations } from '../runtime/organisations.ts';
import { type Steps, TURN_MS } from '../runtime/steps.ts';

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
    return this.steps(application, { next: () => ({ done: true, value: step() }) });
  }

  /**
   * Runs work in steps, each in a turn of its application. Work of the same application that came later waits until all
   * of them are done. Resolves with the result.
   */
  steps<T>(application: number, work: Pick<Steps<T>, 'next'>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const step = (): void => {
      const started = performance.now();
      try {
        const { done, value } = work.next();
        if (done === true) resolve(value);
        else this.queue.unshift(application, step);
      } catch (error) {
        reject(error);
      } finally {
        const tookMs = performance.now() - started;
        this.queue.charge(application, tookMs);
        this.organisations.addDecoding(application, tookMs);
      }
    };
    this.queue.push(application, step);
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
