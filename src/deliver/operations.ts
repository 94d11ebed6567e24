import { locking } from '../storage/operations.ts';
import { type TestHooks, withHooks } from '../tests/store.ts';
import {
  beginDelivery,
  cancelTest,
  deliveryInput,
  finishDelivery,
  interruptedDeliveries,
  recoverDeliveries,
  rejectDelivery,
} from './delivery-store.ts';
import { catchUpSchedules, nextScheduleAt, replanSchedules, runDueSchedules } from './due-schedules.ts';
import { pruneDeliveries } from './prune-deliveries.ts';
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
    ...locking('global', {
      recoverDeliveries: hooked(recoverDeliveries),
      catchUpSchedules,
      replanSchedules,
      runDueSchedules,
    }),
  };
};
export const deliverQueries = { interruptedDeliveries, deliveryInput, nextScheduleAt };
