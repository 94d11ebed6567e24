import type { Log } from '../runtime/log.ts';
import { startTicker, type Ticker } from '../runtime/ticker.ts';
import type { Call } from '../storage/operations.ts';
import type { DeliverCommands, deliverQueries } from './operations.ts';
import { type CompletionSettings, nextState } from './test-state.ts';
import type { LivingTest } from './test-store.ts';

const TICK_MS = 200;
/** Tests looked at in one tick, all at the same time. */
const MAX_DUE = 500;

export interface CompletionOptions {
  read: Call<typeof deliverQueries>;
  write: Call<DeliverCommands>;
  settings: CompletionSettings;
  log: Log;
  now: () => number;
}

/** Looks at tests whose time has come, and takes each a step further. */
export function startCompletion({ read, write, settings, log, now }: CompletionOptions): Ticker {
  async function tick(): Promise<void> {
    try {
      const due = await read('dueTests', { now: now(), limit: MAX_DUE });
      await Promise.all(due.map(advance));
    } catch (error) {
      log.warn('tests were not looked at; it is tried again', { error });
    }
  }

  async function advance(seen: LivingTest): Promise<void> {
    const spans = await read('testSpans', { test: seen });
    const at = now();
    await write('advanceTest', { seen, next: nextState(seen, spans, at, settings), at });
  }

  return startTicker(TICK_MS, tick);
}
