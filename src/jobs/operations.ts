import { claimJobs, leaveLanes, openEpoch } from './claim.ts';
import {
  buryJob,
  endRun,
  enqueueJob,
  finishJob,
  jobNumbers,
  listDeadJobs,
  markRun,
  retryJob,
} from './store.ts';

export const jobCommands = {
  openEpoch,
  leaveLanes,
  claimJobs,
  markRun,
  endRun,
  enqueueJob,
  finishJob,
  retryJob,
  buryJob,
};
export const jobQueries = { listDeadJobs, jobNumbers };
