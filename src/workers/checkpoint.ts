import { fsyncSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckpointRequest } from '../storage/sqlite/checkpointer.ts';
import { runCheckpointPass } from '../storage/sqlite/checkpoints.ts';
import { openForCheckpoints } from '../storage/sqlite/open.ts';

const port = parentPort;
if (!port) throw new Error('started outside a worker thread');
const { file, descriptor } = workerData as { file: string; descriptor: number };
const connection = openForCheckpoints(file);

port.on('message', (request: CheckpointRequest) => {
  if (request === 'pass')
    port.postMessage(
      runCheckpointPass(connection, () => fsyncSync(descriptor)),
      [],
    );
  else {
    connection.close();
    port.close();
  }
});
