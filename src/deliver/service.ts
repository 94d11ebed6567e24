import type { JobKind } from '../jobs/runner.ts';
import type { Log } from '../runtime/log.ts';
import { startTicker, type Ticker } from '../runtime/ticker.ts';
import { startCompletion } from './completion.ts';
import { encodeDeliverySpan } from './delivery-span.ts';
import { type CutDelivery, NEVER_ANSWERED } from './delivery-store.ts';
import { Dispatcher, type DispatcherOptions } from './dispatcher.ts';
import { type CompletionSettings, MAX_RUNS } from './test-state.ts';

/** Tests under way at once, in all and of one application. */
const TOTAL = 256;
const PER_APPLICATION = 32;
/** After MAX_RUNS a run only fails the test; a few should do for that. */
const MAX_ATTEMPTS = 2 * MAX_RUNS;
const SCHEDULE_TICK_MS = 1_000;

export interface DeliveryServiceOptions extends Omit<DispatcherOptions, 'random'> {
  log: Log;
  settings: CompletionSettings;
}

/** Everything that takes tests from a trigger to their end. */
export interface DeliveryService {
  /** How the jobs named DELIVER are done. */
  kind: JobKind;
  /** Begins to look at tests and schedules; `poke` is called when there are new jobs: tests were started, or are to be judged. */
  start(poke: () => void): { schedules: Ticker; completion: Ticker };
  /** Lets go of the request of a test, if one is under way. */
  cancel(testId: string): void;
}

/** Takes up what an earlier process left. To be called before jobs run. */
export async function openDelivery(options: DeliveryServiceOptions): Promise<DeliveryService> {
  const { write, log, now } = options;
  const at = now();
  const count = await recoverDeliveries(options, at);
  if (count > 0) log.warn('tests were being delivered when the service stopped', { count });
  while (await write('catchUpSchedules', { startedAt: at }));

  const dispatcher = new Dispatcher({ ...options, random: Math.random });
  return {
    kind: {
      run: (job, signal) => dispatcher.deliver(job, signal),
      total: TOTAL,
      perApplication: PER_APPLICATION,
      maxAttempts: MAX_ATTEMPTS,
    },
    start: (poke) => ({
      schedules: startSchedules(options, poke),
      completion: startCompletion(options, poke),
    }),
    cancel: (testId) => dispatcher.cancel(testId),
  };
}

/** Closes the attempts that an earlier process never finished, step by step; how many there were. */
async function recoverDeliveries(options: DeliveryServiceOptions, at: number): Promise<number> {
  const { read, write } = options;
  let count = 0;
  for (;;) {
    const cut = await read('cutDeliveries', null);
    if (cut.length === 0) return count;
    // Before they are closed: an end of this process in between finds them open once more.
    await storeCutSpans(options, cut, at);
    await write('recoverDeliveries', {
      cut: cut.map(({ application, testId }) => ({ application, testId })),
      at,
    });
    count += cut.length;
  }
}

/** Without them the trace of an app that knows nothing of us but `traceparent` would never be that of its test. */
async function storeCutSpans(
  { storeSpan, log }: DeliveryServiceOptions,
  cut: readonly CutDelivery[],
  at: number,
): Promise<void> {
  const spans = cut.map(({ application, sentAt, ...delivery }) => {
    const times = { startedAt: sentAt, finishedAt: at };
    const span = encodeDeliverySpan({ ...delivery, ...times, statusCode: null, error: NEVER_ANSWERED });
    return storeSpan(application, span);
  });
  try {
    await Promise.all(spans);
  } catch (error) {
    log.warn('spans of deliveries were not stored', { error });
  }
}

function startSchedules({ read, write, log, now }: DeliveryServiceOptions, poke: () => void): Ticker {
  return startTicker(SCHEDULE_TICK_MS, async () => {
    try {
      if (!(await read('isScheduleDue', { now: now() }))) return;
      const runs = await write('runDueSchedules', { now: now() });
      if (runs.length > 0) poke();
    } catch (error) {
      log.warn('schedules were not run; it is tried again', { error });
    }
  });
}
