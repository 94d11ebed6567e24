import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { commands } from '../operations.ts';
import { collectAfterStart } from '../runtime/garbage.ts';
import { SharedCount } from '../runtime/shared-count.ts';
import { CommandRunner } from '../storage/postgres/run-command.ts';
import { openThread, type PostgresThreadData, type ThreadControl } from '../storage/postgres/thread-data.ts';

const data = workerData as PostgresThreadData;
const { database, numbers } = openThread(data);
const runner = new CommandRunner({ database, commands, numbers, commits: new SharedCount(data.commits) });
(parentPort as MessagePort).on('message', (control: ThreadControl) => {
  if ('connect' in control) runner.attach(control.connect);
  else {
    runner.close();
    // After the answers, which are sent at the end of this turn.
    setImmediate(() => process.exit(0));
  }
});
collectAfterStart();
