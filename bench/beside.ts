import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import {
  type Api,
  callOf,
  closeCalls,
  judgeAgain,
  newTask,
  rule,
  runTests,
  startApp,
} from './judged-tests.ts';

/**
 * Work that runs beside a load: one client that changes tags, one that reads, and evaluations, each one call after
 * another. It runs in a thread of its own, so that its latencies are not those of the sender of the load.
 */
export interface Beside {
  /** Milliseconds of each call, sorted. */
  writes: number[];
  lists: number[];
  traces: number[];
  evals: number;
  /** Calls that were answered with an error, and the first of those errors. */
  failed: number;
  failure: string | null;
}

export interface BesideOptions extends Api {
  dataDir: string;
  /** The trace to read. */
  traceId: string;
}

const WRITE_PAUSE_MS = 5;
const READ_PAUSE_MS = 50;
const EVALUATE_PAUSE_MS = 1_000;
const TESTS = 10;
const RULES = 2;

export interface BesideThread {
  start: () => void;
  /** Returns what was measured since the start or since the last call. */
  take: () => Promise<Beside>;
  /** Ends the calls; resolves once those in progress are answered. */
  stop: () => Promise<Beside>;
}

/** Starts the thread; resolves when its tests are there to be judged. */
export async function openBeside(options: BesideOptions): Promise<BesideThread> {
  const worker = new Worker(new URL(import.meta.url), { workerData: options });
  const next = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      worker.once('error', reject);
      worker.once('message', (message) => {
        worker.off('error', reject);
        resolve(message);
      });
    });
  await next();
  return {
    start: () => worker.postMessage('start'),
    take: async () => {
      worker.postMessage('take');
      return (await next()) as Beside;
    },
    stop: async () => {
      worker.postMessage('stop');
      const result = (await next()) as Beside;
      await worker.terminate();
      return result;
    },
  };
}

async function runInThread(options: BesideOptions): Promise<void> {
  const result: Beside = { writes: [], lists: [], traces: [], evals: 0, failed: 0, failure: null };
  const call = (method: string, path: string, body?: unknown): Promise<unknown> =>
    callOf(options, method, path, body);
  const store = new Sqlite(join(options.dataDir, 'touchstone.db'), { readonly: true });
  const app = await startApp(options);
  await call('POST', '/v0/webhook', { url: app.url });
  const bench = { call, store };
  const taskId = await newTask(
    bench,
    Array.from({ length: RULES }, (_, index) => rule(index)),
  );
  await runTests(bench, taskId, TESTS);
  const tag = (await call('POST', '/v0/tags', { name: 'Beside' })) as {
    tag?: { id: string };
    data?: { id: string };
  };
  const tagId = (tag.tag ?? tag.data)?.id;

  const end = new AbortController();
  /** Repeats one kind of call until the end. An error is counted, not thrown: the load is what is measured. */
  const repeat = async (pause: number, one: () => Promise<unknown>, into?: number[]): Promise<void> => {
    while (!end.signal.aborted) {
      const began = performance.now();
      try {
        await one();
        into?.push(performance.now() - began);
      } catch (error) {
        result.failed += 1;
        result.failure ??= String(error).slice(0, 200);
        into?.push(performance.now() - began);
      }
      await delay(pause);
    }
  };
  let changes = 0;
  const loops = async (): Promise<void> => {
    await Promise.all([
      repeat(
        WRITE_PAUSE_MS,
        () => call('PUT', `/v0/tags/${tagId}`, { description: `${++changes}` }),
        result.writes,
      ),
      repeat(READ_PAUSE_MS, () => call('GET', '/v0/traces?limit=25'), result.lists),
      repeat(READ_PAUSE_MS, () => call('GET', `/v0/traces/${options.traceId}`), result.traces),
      repeat(EVALUATE_PAUSE_MS, async () => {
        result.evals += await judgeAgain(bench, taskId);
      }),
    ]);
    app.close();
    store.close();
    closeCalls();
    takeResult();
  };
  const takeResult = (): void => {
    const { writes, lists, traces } = result;
    for (const latencies of [writes, lists, traces]) latencies.sort((a, b) => a - b);
    parentPort?.postMessage(result);
    for (const latencies of [writes, lists, traces]) latencies.length = 0;
    Object.assign(result, { evals: 0, failed: 0, failure: null });
  };
  parentPort?.on('message', (message: 'start' | 'take' | 'stop') => {
    if (message === 'start') void loops();
    else if (message === 'take') takeResult();
    else end.abort();
  });
  parentPort?.postMessage('ready');
}

if (!isMainThread) await runInThread(workerData as BesideOptions);
