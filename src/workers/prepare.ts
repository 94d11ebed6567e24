import { parentPort, workerData } from 'node:worker_threads';
import { Preparer, type PrepareThreadData } from '../ingest/prepare.ts';
import { MemoryBudget } from '../runtime/memory-budget.ts';
import { createPriceList } from '../traces/prices/price-list.ts';
import { answerCall, answerError, type CallMessage, ThreadCaller } from '../runtime/thread-calls.ts';

const { writer, budget, maxBodyBytes, prices } = workerData as PrepareThreadData;
const port = parentPort;
if (!port) throw new Error('started outside a worker thread');
const preparer = new Preparer({
  writer: new ThreadCaller(writer, 8_192),
  budget: MemoryBudget.over(budget.buffer, budget.limit),
  maxBodyBytes,
  prices: createPriceList(prices),
});

port.on('message', ({ id, name, args }: CallMessage) => {
  preparer.run(name, args).then(
    (value) => answerCall(port, id, value),
    (error: unknown) => answerError(port, id, error),
  );
});
