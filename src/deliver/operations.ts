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
import { advanceTest, cancelTest, dueTests, triggerTasks } from './test-store.ts';

export const deliverCommands = {
  triggerTasks,
  beginDelivery,
  finishDelivery,
  refuseDelivery,
  recoverDeliveries,
  advanceTest,
  cancelTest,
  catchUpSchedules,
  runDueSchedules,
};
export const deliverQueries = { cutDeliveries, deliveryInput, dueTests, testSpans, isScheduleDue };
