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
import { type AdvanceTest, cancelTest, dueTests, type OnTestEnded } from './test-store.ts';
import { triggerTasks } from './trigger.ts';
import { followTest, type TestHooks } from './test-evaluation.ts';

export const deliverCommands = (hooks: TestHooks) => {
  const { onTestEnded } = hooks;
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
    followTest: (database: Database, args: AdvanceTest): boolean => followTest(database, args, hooks),
    cancelTest: telling(cancelTest),
    catchUpSchedules,
    runDueSchedules,
  };
};
export type DeliverCommands = ReturnType<typeof deliverCommands>;
export const deliverQueries = { cutDeliveries, deliveryInput, dueTests, testSpans, isScheduleDue };
