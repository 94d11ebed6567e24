import type { GroupOf, Party } from '../runtime/party.ts';
import type { PrepareThread } from './prepare-thread.ts';
import type { PrepareCalls, PrepareRequest } from './requests.ts';

interface PooledThread {
  calls: PrepareThread;
  /** True once the thread has loaded its code. */
  isReady: boolean;
  /** Number of requests in progress, by organisation. */
  requests: Map<Party, number>;
  /** Bytes of the bodies of these requests. */
  bytes: number;
}

/**
 * Spreads requests over prepare threads. All requests of an organisation that are in progress at one time are in one
 * thread, which keeps the order of each application; so no organisation occupies all threads. Threads start when they are
 * first needed, and have their first request when they are ready: until then, turns in another thread are shorter to wait for.
 */
export class PreparePool implements Omit<PrepareCalls, 'rewrite'> {
  private readonly threads: PooledThread[] = [];
  private readonly start: () => PrepareThread;
  private readonly maxThreads: number;
  private readonly groupOf: GroupOf;

  /** `groupOf` returns the organisation of an application. */
  constructor(start: () => PrepareThread, maxThreads: number, groupOf: GroupOf) {
    this.groupOf = groupOf;
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
    { application, body }: PrepareRequest,
    call: (thread: PrepareThread) => Promise<T>,
  ): Promise<T> {
    const group = this.groupOf(application);
    const thread = this.threadFor(group);
    const { calls, requests } = thread;
    // Read first, because a large body moves to the thread.
    const { length } = body;
    thread.bytes += length;
    requests.set(group, (requests.get(group) ?? 0) + 1);
    try {
      return await call(calls);
    } finally {
      thread.bytes -= length;
      const left = (requests.get(group) ?? 1) - 1;
      if (left > 0) requests.set(group, left);
      else requests.delete(group);
    }
  }

  /**
   * Returns the thread that works for the organisation, else the one with the fewest bytes in progress: no other organisation
   * joins the one that sends large bodies while there is a thread without.
   */
  private threadFor(group: Party): PooledThread {
    const own = this.threads.find(({ requests }) => requests.has(group));
    if (own) return own;
    const [first, ...others] = this.threads as [PooledThread, ...PooledThread[]];
    const least = others.reduce((best, one) => (one.isReady && isLessBusy(one, best) ? one : best), first);
    const isStarting = others.some(({ isReady }) => !isReady);
    if (least.requests.size > 0 && !isStarting && this.threads.length < this.maxThreads) this.open();
    return least;
  }

  private open(): void {
    const calls = this.start();
    const thread: PooledThread = { calls, isReady: false, requests: new Map<Party, number>(), bytes: 0 };
    this.threads.push(thread);
    void calls.ready.then(() => (thread.isReady = true));
  }
}

const isLessBusy = (one: PooledThread, other: PooledThread): boolean =>
  one.bytes < other.bytes || (one.bytes === other.bytes && one.requests.size < other.requests.size);
