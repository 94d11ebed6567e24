import { once } from 'node:events';
import type { MemoryBudget } from '../runtime/memory-budget.ts';
import type { Organisations } from '../runtime/organisations.ts';
import { ThreadCaller } from '../runtime/thread-calls.ts';
import { startWorker } from '../runtime/worker.ts';
import type { Storage } from '../storage/storage.ts';
import type { TraceFeed } from '../traces/trace-feed.ts';
import type { PriceTable } from '../traces/prices/model-price.ts';
import type { PrepareThreadData } from './prepare.ts';
import type {
  EventsReply,
  EventsRequest,
  LogsReply,
  PrepareCalls,
  PrepareRequest,
  TracesReply,
} from './requests.ts';

export interface PrepareThreadOptions {
  connectWriter: Storage['connectWriter'];
  budget: MemoryBudget;
  feed: TraceFeed;
  organisations: Organisations;
  maxBodyBytes: number;
  /** Prices that take precedence over the built-in ones. */
  prices: PriceTable;
  /** Called when the thread ends unexpectedly, after which the process must end too. */
  onDeath: (error: Error) => void;
}

export interface PrepareThread extends PrepareCalls {
  /** Resolves when the thread has loaded its code. */
  ready: Promise<void>;
  /** Waits for the calls in progress, then ends the thread. */
  close: () => Promise<void>;
}

/** Most requests in progress; further ones are rejected with `unavailable`. */
const MAX_REQUESTS = 4_096;

/** Starts a prepare thread. Large bodies move to it, small ones are copied. */
export function startPrepare({
  connectWriter,
  budget,
  feed,
  organisations,
  maxBodyBytes,
  prices,
  onDeath,
}: PrepareThreadOptions): PrepareThread {
  const writer = connectWriter();
  const data: PrepareThreadData = {
    writer,
    budget: { buffer: budget.buffer, limit: budget.limit },
    readers: feed.readerCount.buffer,
    organisations: organisations.buffer,
    maxBodyBytes,
    prices,
  };
  const worker = startWorker('prepare', data, [writer]);
  let closing = false;
  worker.on('error', onDeath);
  worker.on('exit', (code) => {
    if (!closing) onDeath(new Error(`prepare thread ended with code ${code}`));
  });
  const caller = new ThreadCaller(worker, MAX_REQUESTS);
  const move = (name: keyof PrepareCalls, { body, ...request }: PrepareRequest): Promise<unknown> =>
    caller.call(name, request, body);
  return {
    ready: caller.call('ready', null).then(() => undefined),
    traces: (request: PrepareRequest) => move('traces', request) as Promise<TracesReply>,
    events: (request: EventsRequest) => move('events', request) as Promise<EventsReply>,
    logs: (request) => move('logs', request) as Promise<LogsReply>,
    metrics: (request) => move('metrics', request) as Promise<number>,
    rewrite: (tkey) => caller.call('rewrite', tkey) as Promise<boolean>,
    close: async () => {
      closing = true;
      await caller.idle();
      const ended = once(worker, 'exit');
      await worker.terminate();
      await ended;
    },
  };
}
