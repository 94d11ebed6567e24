import type { JobKind } from '../jobs/job-kind.ts';
import type { Ticker } from '../runtime/ticker.ts';
import { startLookout } from '../storage/store-watch.ts';
import { MAX_DELIVERY_RUNS } from '../tests/failures.ts';
import {
  catchUpSchedules,
  interruptedDeliveries,
  nextScheduleAt,
  recoverDeliveries as recoverDeliveriesCommand,
  replanSchedules,
  runDueSchedules,
} from './calls.ts';
import { encodeDeliverySpan } from './delivery-span.ts';
import { DELIVER, type InterruptedDelivery, NEVER_ANSWERED } from './delivery-store.ts';
import { Dispatcher, type DispatcherOptions } from './dispatcher.ts';

/** Limits of deliveries in progress: in total, and of one application. */
const TOTAL = 256;
export const PER_APPLICATION = 32;
/** Most attempts of a job. After MAX_RUNS a run only marks the test as failed, which should need few attempts. */
const MAX_ATTEMPTS = 2 * MAX_DELIVERY_RUNS;
const SCHEDULE_TICK_MS = 1_000;
/** Interval at which attempts of processes that have ended are looked up, if something has changed. */
const RECOVERY_TICK_MS = 5_000;
/** Time that another process needs at most to take over the schedules of a leader that ended. */
const TAKEOVER_MS = 30_000;
/** Interval at which schedules are looked up that were planned by a wrong clock. */
const REPLAN_MS = 60_000;

export interface DeliveryServiceOptions extends Omit<DispatcherOptions, 'random'> {
  /** Returns the version of the store; see `Storage`. */
  version: () => string;
  /** Model that writes the prompts of `NORMAL` tasks; null when none is configured. */
  promptModel: object | null;
  /** Returns whether the clock is believed; see `createClockGuard`. */
  isClockBelieved: () => boolean;
  /** True if other processes may use the same store. */
  isShared: boolean;
}

/** Delivers tests from triggers and schedules to the app. */
export interface DeliveryService {
  kinds: Readonly<Record<string, JobKind>>;
  /** Aborts the request of a test if one is in progress. */
  cancel(testId: string): void;
}

/** Opens the service and closes the deliveries that an earlier process left open. Call it before jobs run. */
export async function openDelivery(options: DeliveryServiceOptions): Promise<DeliveryService> {
  const { write, now } = options;
  const at = now();
  // Where several processes share the store, the leader closes deliveries and makes up for schedules.
  if (!options.isShared) {
    await recoverDeliveries(options, at);
    while (await write(catchUpSchedules, { startedAt: at }));
  }

  const dispatcher = new Dispatcher({ ...options, random: Math.random });
  return {
    kinds: {
      [DELIVER]: {
        run: (job, signal) => dispatcher.deliver(job, signal),
        total: TOTAL,
        perApplication: PER_APPLICATION,
        maxAttempts: MAX_ATTEMPTS,
      },
    },
    cancel: (testId) => dispatcher.cancel(testId),
  };
}

/** Starts closing the attempts of other processes that have ended, if there may be other processes. */
export function startDeliveryRecovery(options: DeliveryServiceOptions): Ticker {
  const { isShared, version, now, log } = options;
  if (!isShared) return { stop: async () => undefined };
  const look = async (): Promise<null> => {
    await recoverDeliveries(options, now());
    return null;
  };
  return startLookout({
    version,
    now,
    everyMs: RECOVERY_TICK_MS,
    look,
    onError: (error) => log.warn('interrupted deliveries were not looked up; retrying', { error }),
  });
}

/** Closes the attempts that other processes did not finish, in several commands. */
async function recoverDeliveries(options: DeliveryServiceOptions, at: number): Promise<void> {
  const { read, write, isShared, log } = options;
  let count = 0;
  for (;;) {
    const interrupted = await read(interruptedDeliveries, { isShared, at });
    if (interrupted.length === 0) break;
    // Stored before the attempts are closed: if this process ends in between, the next one still finds them open.
    await storeSpans(options, interrupted, at);
    await write(recoverDeliveriesCommand, {
      interrupted: interrupted.map(({ application, testId }) => ({ application, testId })),
      isShared,
      at,
    });
    count += interrupted.length;
  }
  if (count > 0) log.warn('tests were being delivered when the service stopped', { count });
}

/** Stores the spans of deliveries. They link the trace of an app that only propagates `traceparent` to its test. */
async function storeSpans(
  { storeSpan, log }: DeliveryServiceOptions,
  interrupted: readonly InterruptedDelivery[],
  at: number,
): Promise<void> {
  const spans = interrupted.map(({ application, sentAt, ...delivery }) => {
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

/** Options of the service that runs schedules. */
export interface ScheduleOptions
  extends Pick<
    DeliveryServiceOptions,
    'read' | 'write' | 'log' | 'now' | 'version' | 'promptModel' | 'isClockBelieved' | 'isShared'
  > {
  /** Called after tests were started. */
  wake: () => void;
}

/** Starts running schedules. */
export function startSchedules(options: ScheduleOptions): Ticker {
  const { read, write, log, now, version, promptModel, isClockBelieved, isShared, wake } = options;
  let replannedAt = Number.NEGATIVE_INFINITY;
  let isCaughtUp = !isShared;
  const look = async (): Promise<number | null> => {
    // Runs of the last moments, in which another process may have led, are only late.
    if (!isCaughtUp) while (await write(catchUpSchedules, { startedAt: now() - TAKEOVER_MS }));
    isCaughtUp = true;
    const sinceReplanned = now() - replannedAt;
    // A negative time: the clock was set back.
    if ((sinceReplanned >= REPLAN_MS || sinceReplanned < 0) && isClockBelieved()) {
      replannedAt = now();
      while (await write(replanSchedules, { now: replannedAt }));
    }
    const nextAt = await read(nextScheduleAt, null);
    if (nextAt === null || nextAt > now()) return nextAt;
    const runs = await write(runDueSchedules, { now: now(), hasPromptModel: promptModel !== null });
    if (runs.length > 0) wake();
    return nextAt;
  };
  return startLookout({
    version,
    now,
    everyMs: SCHEDULE_TICK_MS,
    look,
    onError: (error) => log.warn('schedules were not run; retrying', { error }),
  });
}
