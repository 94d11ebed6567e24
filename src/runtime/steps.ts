import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work after which other work gets its turn. */
export const TURN_MS = 4;

/** Work in steps: it yields where other work may have its turn, and returns its result. */
export type Steps<T> = Generator<void, T, void>;

/** The turn of work in steps, which asks at each part whether to yield. */
export class Turn {
  private since = performance.now();

  isOver(): boolean {
    return performance.now() - this.since > TURN_MS;
  }

  /** Yields; a new turn begins behind it. */
  *pause(): Steps<void> {
    yield;
    this.since = performance.now();
  }
}

/** Does work in steps without a pause. */
export function inOneTurn<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Calls `each` for all items, and yields when its turn is over. */
export function* eachInTurns<T>(items: Iterable<T>, each: (item: T) => void): Steps<void> {
  let since = performance.now();
  for (const item of items) {
    each(item);
    if (performance.now() - since <= TURN_MS) continue;
    yield;
    since = performance.now();
  }
}

/** Does work in steps, between which the thread handles other events. */
export async function betweenEvents<T>(steps: Steps<T>): Promise<T> {
  let step = steps.next();
  while (!step.done) {
    await setImmediate();
    step = steps.next();
  }
  return step.value;
}
