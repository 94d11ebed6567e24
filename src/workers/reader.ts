import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { setThreadPrices } from '../traces/own-rules/open.ts';
import type { PriceTable } from '../traces/prices/model-price.ts';
import { queries } from '../operations.ts';
import type { StorageThreadData } from '../storage/sqlite/client.ts';
import { SqliteDatabase } from '../storage/sqlite/database.ts';
import { openForReading } from '../storage/sqlite/open.ts';
import { ReadGate } from '../storage/sqlite/read-gate.ts';
import { runReader } from '../storage/sqlite/reader.ts';
import { collectAfterStart } from '../runtime/garbage.ts';

const { file, gate, forQueries } = workerData as StorageThreadData;
setThreadPrices((forQueries ?? {}) as PriceTable);
runReader(parentPort as MessagePort, new SqliteDatabase(openForReading(file)), queries, new ReadGate(gate));
collectAfterStart();
