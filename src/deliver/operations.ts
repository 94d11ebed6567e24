import type { Database } from '../storage/database.ts';
import { locking } from '../storage/operations.ts';
import type { TestHooks } from '../tests/store.ts';
import {
  beginDelivery,
  cancelTest,
  deliveryInput,
  finishDelivery,
  interruptedDeliveries,
  recoverDeliveries,
  rejectDelivery,
} from './delivery-store.ts';
import { catchUpSchedules, nextScheduleAt, runDueSchedules } from './schedule-store.ts';
import { triggerTasks } from './trigger.ts';

export const deliverCommands = (hooks: TestHooks) => {
  const withHooks =
    <Args, Result>(command: (database: Database, args: Args, hooks: TestHooks) => Result) =>
    (database: Database, args: Args): Result =>
      command(database, args, hooks);
  return {
    ...locking('application', {
      triggerTasks,
      beginDelivery: withHooks(beginDelivery),
      finishDelivery: withHooks(finishDelivery),
      rejectDelivery: withHooks(rejectDelivery),
      cancelTest: withHooks(cancelTest),
    }),
    ...locking('global', {
      recoverDeliveries: withHooks(recoverDeliveries),
      catchUpSchedules,
      runDueSchedules,
    }),
  };
};
export type DeliverCommands = ReturnType<typeof deliverCommands>;
export const deliverQueries = { interruptedDeliveries, deliveryInput, nextScheduleAt };
