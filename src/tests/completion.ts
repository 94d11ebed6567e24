import type { Log } from '../runtime/log.ts';
import type { Ticker } from '../runtime/ticker.ts';
import type { Read, Write } from '../storage/calls.ts';
import { StoreWatch } from '../storage/store-watch.ts';
import { hasTestTouches } from '../traces/calls.ts';
import { appSpans, correctFutureTimes, dueTests, followTest, noteArrivedSpans } from './calls.ts';
import { type CompletionSettings, nextStep } from './next-step.ts';
import type { TestInFlight } from './store.ts';

/** Longest pause before the next check for tests that became due without notice. */
const MAX_WAIT_MS = 200;
const MIN_WAIT_MS = 10;
/** Interval between two looks for tests with times in the future. */
const CORRECTION_MS = 60_000;
/** Step back of the clock after which they are corrected at once. */
const SET_BACK_MS = 1_000;
/** Most tests checked in one turn, all at once. */
const MAX_DUE = 500;

export interface CompletionOptions {
  read: Read;
  write: Write;
  settings: CompletionSettings;
  log: Log;
  now: () => number;
  /** Returns the version of the store; see `Storage`. */
  version: () => string;
  /** Called when tests are ready to be evaluated. */
  wake: () => void;
}

/** Starts checking tests when they are due and stores the result of each check. */
export function startCompletion(options: CompletionOptions): Ticker {
  const { log, now, version } = options;
  const watch = new StoreWatch(version, now);
  let isStopping = false;
  let turnAt = 0;
  let correctAt = 0;
  let turn: Promise<void> = Promise.resolve();
  let timer = after(MIN_WAIT_MS);

  function after(waitMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      turn = takeTurn();
    }, waitMs).unref();
  }

  async function takeTurn(): Promise<void> {
    try {
      const at = now();
      if (at >= correctAt || at < turnAt - SET_BACK_MS) await correctTimes(at);
      turnAt = at;
      if (watch.isDue) await watch.look(() => checkDueTests(options));
    } catch (error) {
      log.warn('tests were not checked; retrying', { error });
    }
    if (!isStopping) timer = after(Math.min(Math.max(watch.waitMs, MIN_WAIT_MS), MAX_WAIT_MS));
  }

  async function correctTimes(at: number): Promise<void> {
    while (await options.write(correctFutureTimes, { now: at }));
    correctAt = at + CORRECTION_MS;
  }

  return {
    stop: async () => {
      isStopping = true;
      clearTimeout(timer);
      await turn;
    },
  };
}

/** Checks due tests and returns when the next one is due, in Unix milliseconds; null when none is. */
async function checkDueTests({
  read,
  write,
  settings,
  now,
  wake,
}: CompletionOptions): Promise<number | null> {
  if (await read(hasTestTouches, undefined)) while (await write(noteArrivedSpans, null));
  const { tests, nextAt } = await read(dueTests, { now: now(), limit: MAX_DUE });
  const check = async (seen: TestInFlight): Promise<void> => {
    const spans = await read(appSpans, { test: seen });
    const at = now();
    const step = nextStep(seen, spans, at, settings);
    await write(followTest, { seen, step, at });
    if (step.event?.type === 'complete' || step.hasLateSpans) wake();
  };
  await Promise.all(tests.map(check));
  return nextAt;
}
