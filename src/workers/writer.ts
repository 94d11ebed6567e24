import { parentPort, workerData } from 'node:worker_threads';
import { commands } from '../operations.ts';
import type { StorageThreadData, WriterControl } from '../storage/sqlite/client.ts';
import { Database } from '../storage/sqlite/database.ts';
import { openForWriting } from '../storage/sqlite/open.ts';
import { ReadGate } from '../storage/sqlite/read-gate.ts';
import { Writer } from '../storage/sqlite/writer.ts';

const { file, gate } = workerData as StorageThreadData;
const writer = new Writer(new Database(openForWriting(file)), commands, new ReadGate(gate));

parentPort?.on('message', (control: WriterControl) => {
  if ('connect' in control) writer.attach(control.connect);
  else {
    writer.close();
    process.exit(0);
  }
});
