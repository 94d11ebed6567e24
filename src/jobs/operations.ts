import { locking } from '../storage/operations.ts';
import { claimJobs, leaveQueues } from './claim.ts';
import { closeLease, openLease, renewLease } from './lease.ts';
import { buryJob, endRun, enqueueJob, finishJob, jobNumbers, markRun, retryJob } from './store.ts';

export const jobCommands = locking('jobs', {
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
});
export const jobQueries = { jobNumbers };
