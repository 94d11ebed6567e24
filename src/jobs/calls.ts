import { commandsOf, queriesOf } from '../storage/calls.ts';
import type { jobCommands, jobQueries } from './operations.ts';

export const {
  openLease,
  renewLease,
  closeLease,
  leaveQueues,
  claimJobs,
  markRun,
  endRun,
  enqueueJob,
  finishJob,
  retryJob,
  buryJob,
} = commandsOf<typeof jobCommands>();
export const { jobNumbers } = queriesOf<typeof jobQueries>();
