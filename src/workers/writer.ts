import { parentPort, workerData } from 'node:worker_threads';
import { commands } from '../operations.ts';
import type { WriterControl, WriterReport, WriterThreadData } from '../storage/sqlite/client.ts';
import { createCheckpointer } from '../storage/sqlite/checkpointer.ts';
import { Checkpoints } from '../storage/sqlite/checkpoints.ts';
import { Organisations } from '../runtime/organisations.ts';
import { SharedCount } from '../runtime/shared-count.ts';
import { SqliteDatabase } from '../storage/sqlite/database.ts';
import { openForWriting } from '../storage/sqlite/open.ts';
import { ReadGate } from '../storage/sqlite/read-gate.ts';
import { StoreHold } from '../storage/sqlite/store-hold.ts';
import { Writer } from '../storage/sqlite/writer.ts';
import { collectAfterStart } from '../runtime/garbage.ts';

const { file, descriptor, gate, commits, organisations } = workerData as WriterThreadData;
const connection = openForWriting(file);
const checkpoints = new Checkpoints(connection, new ReadGate(gate), () =>
  createCheckpointer(file, descriptor),
);
const writer = new Writer(new SqliteDatabase(connection), commands, checkpoints, {
  descriptor,
  commits: new SharedCount(commits),
  groupOf: new Organisations(organisations).groupOf,
  hold: new StoreHold(file),
  onLost: (lost) => parentPort?.postMessage({ lost } satisfies WriterReport),
});

parentPort?.on('message', (control: WriterControl) => {
  if ('connect' in control) writer.attach(control.connect, control.queue);
  else void writer.close().then(() => process.exit(0));
});
collectAfterStart();
