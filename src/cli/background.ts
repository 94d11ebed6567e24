import { type DeliveryServiceOptions, openDelivery } from '../deliver/service.ts';
import { DELIVER } from '../deliver/test-store.ts';
import { startJobs } from '../jobs/runner.ts';
import type { commands, queries } from '../operations.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Call } from '../storage/operations.ts';

export interface BackgroundOptions extends DeliveryServiceOptions {
  read: Call<typeof queries>;
  write: Call<typeof commands>;
  metrics: Metrics;
}

/** What is done without anybody waiting for an answer. */
export interface Background {
  /** To be called when jobs were enqueued. */
  poke(): void;
  /** Lets go of the request of a test, if one is under way. */
  cancel(testId: string): void;
  stop(): Promise<void>;
}

/** Takes up what an earlier process left, then works until it is stopped. */
export async function startBackground(options: BackgroundOptions): Promise<Background> {
  const { write, metrics, log, now } = options;
  const delivery = await openDelivery(options);
  const jobs = startJobs({ write, metrics, log, now, kinds: { [DELIVER]: delivery.kind } });
  const { schedules, completion } = delivery.start(() => jobs.poke());
  return {
    poke: () => jobs.poke(),
    cancel: (testId) => delivery.cancel(testId),
    stop: async () => {
      await schedules.stop();
      await jobs.stop();
      await completion.stop();
    },
  };
}
