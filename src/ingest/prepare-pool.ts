import type { PrepareThread } from './prepare-thread.ts';
import type { PrepareCalls, PrepareRequest } from './requests.ts';

interface PooledThread {
  calls: PrepareThread;
  /** Number of requests in progress, by application. */
  requests: Map<number, number>;
}

/**
 * Spreads requests over prepare threads. All requests of an application that are in progress at one time are in one
 * thread, which keeps their order; so a request that needs long occupies one thread only. Threads start when they are
 * first needed.
 */
export class PreparePool implements Omit<PrepareCalls, 'rewrite'> {
  private readonly threads: PooledThread[] = [];
  private readonly start: () => PrepareThread;
  private readonly maxThreads: number;

  constructor(start: () => PrepareThread, maxThreads: number) {
    this.start = start;
    this.maxThreads = maxThreads;
    this.open();
  }

  traces: PrepareCalls['traces'] = (request) => this.run(request, (thread) => thread.traces(request));
  events: PrepareCalls['events'] = (request) => this.run(request, (thread) => thread.events(request));
  logs: PrepareCalls['logs'] = (request) => this.run(request, (thread) => thread.logs(request));
  metrics: PrepareCalls['metrics'] = (request) => this.run(request, (thread) => thread.metrics(request));

  async close(): Promise<void> {
    await Promise.all(this.threads.map(({ calls }) => calls.close()));
  }

  private async run<T>(
    { application }: PrepareRequest,
    call: (thread: PrepareThread) => Promise<T>,
  ): Promise<T> {
    const { calls, requests } = this.threadFor(application);
    requests.set(application, (requests.get(application) ?? 0) + 1);
    try {
      return await call(calls);
    } finally {
      const left = (requests.get(application) ?? 1) - 1;
      if (left > 0) requests.set(application, left);
      else requests.delete(application);
    }
  }

  /** Returns the thread that works for the application, else the one that works for the fewest applications. */
  private threadFor(application: number): PooledThread {
    const own = this.threads.find(({ requests }) => requests.has(application));
    if (own) return own;
    const [first, ...others] = this.threads as [PooledThread, ...PooledThread[]];
    const least = others.reduce((best, one) => (one.requests.size < best.requests.size ? one : best), first);
    return least.requests.size > 0 && this.threads.length < this.maxThreads ? this.open() : least;
  }

  private open(): PooledThread {
    const thread = { calls: this.start(), requests: new Map<number, number>() };
    this.threads.push(thread);
    return thread;
  }
}
