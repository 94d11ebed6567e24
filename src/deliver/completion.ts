import type { Log } from '../runtime/log.ts';
import type { Ticker } from '../runtime/ticker.ts';
import type { Call } from '../storage/operations.ts';
import type { DeliverCommands, deliverQueries } from './operations.ts';
import { type CompletionSettings, nextState } from './test-state.ts';
import type { LivingTest } from './test-store.ts';

/** Tests are looked at when their time comes; what falls due unasked waits no longer than this. */
const MAX_WAIT_MS = 200;
const MIN_WAIT_MS = 10;
/** Tests looked at in one turn, all at the same time. */
const MAX_DUE = 500;

export interface CompletionOptions {
  read: Call<typeof deliverQueries>;
  write: Call<DeliverCommands>;
  settings: CompletionSettings;
  log: Log;
  now: () => number;
}

/** Looks at tests whose time has come, and takes each a step further. `poke` is called when some are to be judged. */
export function startCompletion(
  { read, write, settings, log, now }: CompletionOptions,
  poke: () => void,
): Ticker {
  let isStopping = false;
  let turn: Promise<void> = Promise.resolve();
  let timer = setTimeout(begin, MIN_WAIT_MS);
  timer.unref();

  function begin(): void {
    turn = takeTurn();
  }

  async function takeTurn(): Promise<void> {
    const waitMs = await look();
    if (isStopping) return;
    timer = setTimeout(begin, waitMs);
    timer.unref();
  }

  /** How long to wait for the next turn, in milliseconds. */
  async function look(): Promise<number> {
    try {
      const { tests, nextAt } = await read('dueTests', { now: now(), limit: MAX_DUE });
      await Promise.all(tests.map(advance));
      return Math.min(Math.max((nextAt ?? Infinity) - now(), MIN_WAIT_MS), MAX_WAIT_MS);
    } catch (error) {
      log.warn('tests were not looked at; it is tried again', { error });
      return MAX_WAIT_MS;
    }
  }

  async function advance(seen: LivingTest): Promise<void> {
    const spans = await read('testSpans', { test: seen });
    const at = now();
    const next = nextState(seen, spans, at, settings);
    await write('followTest', { seen, next, at });
    if (next.complete !== undefined) poke();
  }

  return {
    stop: async () => {
      isStopping = true;
      clearTimeout(timer);
      await turn;
    },
  };
}
