import { locking, withHooks } from '../storage/operations.ts';
import type { RemoveHooks } from '../tests/remove-tests.ts';
import type { TestHooks } from '../tests/store.ts';
import type { TraceHooks } from '../traces/purge.ts';
import {
  beginDelivery,
  cancelTest,
  deliveryInput,
  finishDelivery,
  interruptedDeliveries,
  recoverDeliveries,
  rejectDelivery,
} from './delivery-store.ts';
import { endUnanswered } from './end-erased.ts';
import { catchUpSchedules, nextScheduleAt, replanSchedules, runDueSchedules } from './due-schedules.ts';
import { pruneDeliveries } from './prune-deliveries.ts';
import { purgeDeliveries } from './purge-deliveries.ts';
import { removeDeliveries } from './remove-deliveries.ts';
import { triggerTasks } from './trigger.ts';

export const deliverCommands = (hooks: TestHooks) => {
  const hooked = withHooks(hooks);
  return {
    ...locking('application', {
      triggerTasks,
      pruneDeliveries,
      beginDelivery: hooked(beginDelivery),
      finishDelivery: hooked(finishDelivery),
      rejectDelivery: hooked(rejectDelivery),
      cancelTest: hooked(cancelTest),
    }),
    ...locking('leader', {
      recoverDeliveries: hooked(recoverDeliveries),
      catchUpSchedules,
      replanSchedules,
      runDueSchedules,
    }),
  };
};
export const deliverQueries = { interruptedDeliveries, deliveryInput, nextScheduleAt };
export const deliverHooks = (hooks: () => TestHooks) =>
  ({
    purgeOfTest: [(database, test) => endUnanswered(database, test, hooks()), purgeDeliveries],
    beforeTestsRemoved: [removeDeliveries],
  }) satisfies Partial<TraceHooks & RemoveHooks>;
