import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { queries } from '../operations.ts';
import { collectAfterStart } from '../runtime/garbage.ts';
import { serveQueries } from '../storage/postgres/run-query.ts';
import { openThread, type PostgresThreadData, type ThreadControl } from '../storage/postgres/thread-data.ts';
import { setThreadPrices } from '../traces/own-rules/open.ts';
import type { PriceTable } from '../traces/prices/model-price.ts';

const data = workerData as PostgresThreadData;
setThreadPrices((data.forQueries ?? {}) as PriceTable);
const { database, numbers } = openThread(data);
(parentPort as MessagePort).on('message', (control: ThreadControl) => {
  if ('connect' in control) serveQueries(control.connect, { database, queries, numbers });
  else {
    database.close();
    process.exit(0);
  }
});
collectAfterStart();
