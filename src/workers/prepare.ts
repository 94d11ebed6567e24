import { parentPort, workerData } from 'node:worker_threads';
import { Preparer, type PrepareThreadData } from '../ingest/prepare.ts';
import { MemoryBudget } from '../runtime/memory-budget.ts';
import { Organisations } from '../runtime/organisations.ts';
import { SharedCount } from '../runtime/shared-count.ts';
import { createPriceList } from '../traces/prices/price-list.ts';
import { openEnvelope } from '../runtime/outbox.ts';
import { type CallEnvelope, ThreadCaller, ThreadResponder } from '../runtime/thread-calls.ts';
import { collectAfterStart } from '../runtime/garbage.ts';

const { writer, budget, readers, organisations, maxBodyBytes, prices } = workerData as PrepareThreadData;
const port = parentPort;
if (!port) throw new Error('started outside a worker thread');
const preparer = new Preparer({
  writer: new ThreadCaller(writer, 8_192),
  budget: MemoryBudget.over(budget.buffer, budget.limit),
  readers: new SharedCount(readers),
  organisations: new Organisations(organisations),
  maxBodyBytes,
  prices: createPriceList({ file: prices }),
});

const responder = new ThreadResponder(port);
port.on('message', (envelope: CallEnvelope) => {
  openEnvelope(envelope, ({ id, name, args }, body) => {
    preparer.run(name, args, body).then(
      (value) => responder.answer(id, value),
      (error: unknown) => responder.fail(id, error),
    );
  });
});
collectAfterStart();
