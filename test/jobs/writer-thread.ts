import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { Database } from '../../src/storage/sqlite/database.ts';
import { openForWriting } from '../../src/storage/sqlite/open.ts';
import { ReadGate } from '../../src/storage/sqlite/read-gate.ts';
import { Writer } from '../../src/storage/sqlite/writer.ts';
import { commands } from './thread.ts';

const { file, port } = workerData as { file: string; port: MessagePort };
const writer = new Writer(new Database(openForWriting(file)), commands, new ReadGate());
writer.attach(port);
parentPort?.on('message', () => {
  writer.close();
  process.exit(0);
});
