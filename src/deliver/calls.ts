import { commandsOf, queriesOf } from '../storage/calls.ts';
import type { deliverCommands, deliverQueries } from './operations.ts';

export const {
  triggerTasks,
  pruneDeliveries,
  beginDelivery,
  finishDelivery,
  rejectDelivery,
  cancelTest,
  recoverDeliveries,
  catchUpSchedules,
  replanSchedules,
  runDueSchedules,
} = commandsOf<ReturnType<typeof deliverCommands>>();
export const { interruptedDeliveries, deliveryInput, nextScheduleAt } = queriesOf<typeof deliverQueries>();
