import type { Database } from '../storage/sqlite/database.ts';
import {
  beginDelivery,
  cutDeliveries,
  deliveryInput,
  finishDelivery,
  recoverDeliveries,
  refuseDelivery,
} from './delivery-store.ts';
import { catchUpSchedules, isScheduleDue, runDueSchedules } from './schedule-store.ts';
import { testSpans } from './test-spans.ts';
import { advanceTest, cancelTest, dueTests, type OnTestEnded, triggerTasks } from './test-store.ts';

/** What rooms above want to be told of, within the command in which it happens. */
export interface DeliverHooks {
  onTestEnded: OnTestEnded;
}

export const deliverCommands = ({ onTestEnded }: DeliverHooks) => {
  const telling =
    <Args, Result>(command: (database: Database, args: Args, told: OnTestEnded) => Result) =>
    (database: Database, args: Args): Result =>
      command(database, args, onTestEnded);
  return {
    triggerTasks,
    beginDelivery,
    finishDelivery: telling(finishDelivery),
    refuseDelivery: telling(refuseDelivery),
    recoverDeliveries,
    advanceTest: telling(advanceTest),
    cancelTest: telling(cancelTest),
    catchUpSchedules,
    runDueSchedules,
  };
};
export type DeliverCommands = ReturnType<typeof deliverCommands>;
export const deliverQueries = { cutDeliveries, deliveryInput, dueTests, testSpans, isScheduleDue };
