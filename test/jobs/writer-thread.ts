import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import { openForWriting } from '../../src/storage/sqlite/open.ts';
import { Writer } from '../../src/storage/sqlite/writer.ts';
import { inlineCheckpoints } from '../support/storage.ts';
import { commands } from './thread.ts';

const { file, port } = workerData as { file: string; port: MessagePort };
const database = new SqliteDatabase(openForWriting(file));
const writer = new Writer(database, commands, inlineCheckpoints(database));
writer.attach(port, 'calls');
parentPort?.on('message', () => void writer.close().then(() => process.exit(0)));
