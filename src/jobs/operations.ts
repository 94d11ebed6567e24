import { claimJobs, openEpoch } from './claim.ts';
import { buryJob, endRun, enqueueJob, finishJob, jobNumbers, listDeadJobs, retryJob } from './store.ts';

export const jobCommands = { openEpoch, claimJobs, endRun, enqueueJob, finishJob, retryJob, buryJob };
export const jobQueries = { listDeadJobs, jobNumbers };
