/** Does the jobs of the store in the file named; kills itself after so many, or ends when none is left. */
import { startJobs } from '../../src/jobs/runner.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { KIND } from './kind.ts';
import { beginWork, finishWork, startThread } from './thread.ts';

const [, , file = '', killAfter] = process.argv;
const thread = startThread(file);
let done = 0;
const jobs = startJobs({
  write: thread.write,
  kinds: {
    [KIND]: {
      total: 8,
      perApplication: 3,
      maxAttempts: 10,
      run: async ({ id, key }) => {
        await thread.write(beginWork, { key });
        await thread.write(finishWork, { id, key });
        done += 1;
        if (done === Number(killAfter)) process.kill(process.pid, 'SIGKILL');
      },
    },
  },
  metrics: createMetrics({
    storeNumbers: () => Promise.reject(new Error('not asked for')),
    memory: { used: 0, limit: 0 },
  }),
  log: createLog({ level: 'warn', write: (line) => process.stderr.write(line), forPeople: false }),
  now: Date.now,
  isShared: false,
  version: () => '',
});
await jobs.idle();
await jobs.stop();
await thread.close();
