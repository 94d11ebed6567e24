import { parentPort, workerData } from 'node:worker_threads';
import type { CheckpointRequest } from '../storage/sqlite/checkpointer.ts';
import { runCheckpointPass } from '../storage/sqlite/checkpoints.ts';
import { openForCheckpoints } from '../storage/sqlite/open.ts';

const port = parentPort;
if (!port) throw new Error('started outside a worker thread');
const connection = openForCheckpoints((workerData as { file: string }).file);

port.on('message', (request: CheckpointRequest) => {
  if (request === 'pass') port.postMessage(runCheckpointPass(connection), []);
  else {
    connection.close();
    port.close();
  }
});
