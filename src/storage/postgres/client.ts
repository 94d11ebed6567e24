import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import { Organisations } from '../../runtime/organisations.ts';
import { SharedCount } from '../../runtime/shared-count.ts';
import { ThreadCaller } from '../../runtime/thread-calls.ts';
import { startWorker } from '../../runtime/worker.ts';
import type { StoreNumbers } from '../../runtime/scraped-metrics.ts';
import { CLEARED } from '../clearing.ts';
import { type Reader, type ReadNumbers, ReadQueue } from '../sqlite/read-queue.ts';
import type { NoticeTopic } from '../replicas.ts';
import type { Storage } from '../storage.ts';
import { CallsInProgress, endOf, ReadFaults } from '../storage-threads.ts';
import { CommandPool } from './command-pool.ts';
import type { IoMessage, StoreReport } from './io-messages.ts';
import { inTerm, Leadership } from './leadership.ts';
import { sumOfThreads, ThreadNumbers } from './numbers.ts';
import { NEWEST_SCHEMA } from './prepare.ts';
import { QUERIES_READY } from './run-query.ts';
import type { DatabaseTarget } from './target.ts';
import type { PostgresThreadData, ThreadControl } from './thread-data.ts';

/** Most threads for the commands that someone waits for; bulk commands have one more. */
const COMMAND_THREADS = 3;
const MAX_CALLS = 8_192;

type Write = (name: string, args: unknown, bytes?: Uint8Array) => Promise<unknown>;

/**
 * Starts the PostgreSQL engine over a database that `prepareDatabase` has prepared: a thread that speaks with the database,
 * and threads for commands and queries, which wait for it. `onDeath` is called when a thread ends unexpectedly, after which
 * the process must end too. The other arguments are those of `openSqliteStorage`.
 */
export function openPostgresStorage(
  target: DatabaseTarget,
  onDeath: (error: Error) => void,
  organisations = new Organisations(),
  forQueries: unknown = null,
): Storage {
  const commits = new SharedCount();
  const calls = new CallsInProgress();
  const watched = new Watched();
  const io = startWorker('postgres', null);
  const ioEnded = endOf(io, calls, onDeath);
  const tell = (message: IoMessage, moved: readonly MessagePort[] = []): void =>
    io.postMessage(message, moved);
  tell({ watch: target });

  const threads = new Threads({ target, commits, forQueries, calls, tell, onDeath });
  const pool = new CommandPool(
    () => threads.start('postgres-command').newCaller(),
    COMMAND_THREADS,
    organisations.groupOf,
  );
  let bulk: StartedThread | null = null;
  const readFaults = new ReadFaults();
  const startSecond = async (): Promise<Reader> => {
    if (calls.isClosed) throw new AppError('unavailable', 'the server is stopping');
    const caller = threads.start('postgres-query').newCaller();
    await caller.call(QUERIES_READY, null);
    return readFaults.readerOf(caller);
  };
  const first = readFaults.readerOf(threads.start('postgres-query').newCaller());
  const reads = new ReadQueue([first], startSecond, organisations.groupOf);
  const write: Write = (name, args, bytes) =>
    calls.run(() => {
      watched.requireKnownSchema();
      return pool.run(name, args, bytes);
    });
  const leadership = new Leadership(
    (term) =>
      ((name: string, args: unknown, bytes?: Uint8Array) =>
        write(inTerm(term, name), args, bytes)) as Storage['write'],
    onDeath,
  );
  const listeners = new Map<NoticeTopic, ((text: string) => void)[]>();
  io.on('message', (report: StoreReport) => {
    watched.note(report);
    leadership.set(report.term);
    for (const { topic, text } of report.notices)
      for (const listener of listeners.get(topic) ?? []) listener(text);
  });
  const stop = async (): Promise<void> => {
    await calls.close();
    await threads.end();
    await io.terminate();
    await ioEnded;
  };
  let stopped: Promise<void> | null = null;

  return {
    write: write as Storage['write'],
    read: ((name, args) =>
      calls.run(() => {
        watched.requireKnownSchema();
        return reads.read(name, args);
      })) as Storage['read'],
    replicas: {
      whileLeading: (start) => leadership.whileLeading(start),
      publish: (topic, text) => tell({ publish: { topic, text } }),
      subscribe: (topic, listener) => void listeners.set(topic, [...(listeners.get(topic) ?? []), listener]),
      count: () => watched.replicas,
    },
    isShared: true,
    version: () => `${commits.value} ${watched.foreignChanges}`,
    connectWriter: () => (bulk ??= threads.start('postgres-command')).connect(),
    clearRemains: () => Promise.resolve(CLEARED),
    stats: () =>
      Promise.resolve({
        ...numbersOf(threads.numbers),
        failure: watched.failure ?? readFaults.recent,
        fileBytes: watched.fileBytes,
        queuedWrites: pool.waiting,
        ...reads.numbers,
      }),
    close: () => (stopped ??= stop()),
  };
}

type CountedNumbers = Omit<StoreNumbers, keyof ReadNumbers | 'failure' | 'fileBytes' | 'queuedWrites'>;

/** Returns what all threads have counted; what only a file has is 0. */
const numbersOf = (all: readonly ThreadNumbers[]): CountedNumbers => ({
  commits: sumOfThreads(all, 'commits'),
  commitSeconds: sumOfThreads(all, 'commitSeconds'),
  longestCommitSeconds: Math.max(0, ...all.map((one) => one.get('longestCommitSeconds'))),
  commitBuckets: bucketsOf(all),
  commands: sumOfThreads(all, 'commands'),
  failedCommits: sumOfThreads(all, 'failedCommits'),
  holdChecks: 0,
  seesLock: false,
  checkpoints: 0,
  failedCheckpoints: 0,
  checkpointSeconds: 0,
  walBytes: 0,
  database: {
    threads: all.length,
    repeatedTransactions: sumOfThreads(all, 'repeatedTransactions'),
    lostConnections: sumOfThreads(all, 'lostConnections'),
    roundTrips: sumOfThreads(all, 'roundTrips'),
    roundTripSeconds: sumOfThreads(all, 'roundTripSeconds'),
  },
});

interface ThreadsOptions {
  target: DatabaseTarget;
  commits: SharedCount;
  forQueries: unknown;
  calls: CallsInProgress;
  tell: (message: IoMessage, moved: readonly MessagePort[]) => void;
  onDeath: (error: Error) => void;
}

interface StartedThread {
  /** Returns a port by which another thread sends it calls. */
  connect: () => MessagePort;
  newCaller: () => ThreadCaller;
}

/** Threads that run commands or queries, each with a connection of its own. */
class Threads {
  readonly numbers: ThreadNumbers[] = [];
  private readonly options: ThreadsOptions;
  private readonly started: { end: () => void; ended: Promise<void> }[] = [];

  constructor(options: ThreadsOptions) {
    this.options = options;
  }

  start(name: 'postgres-command' | 'postgres-query'): StartedThread {
    const { target, commits, forQueries, calls, tell, onDeath } = this.options;
    const link = new MessageChannel();
    tell({ link: link.port1 }, [link.port1]);
    const own = new ThreadNumbers();
    this.numbers.push(own);
    const shared = { numbers: own.buffer, commits: commits.buffer };
    const data: PostgresThreadData = { target, io: link.port2, ...shared, forQueries };
    const worker = startWorker(name, data, [link.port2]);
    const callers: ThreadCaller[] = [];
    const ports: MessagePort[] = [];
    const connect = (): MessagePort => {
      const { port1, port2 } = new MessageChannel();
      worker.postMessage({ connect: port2 } satisfies ThreadControl, [port2]);
      return port1;
    };
    const newCaller = (): ThreadCaller => {
      const port = connect();
      ports.push(port);
      const caller = new ThreadCaller(port, MAX_CALLS);
      callers.push(caller);
      return caller;
    };
    const ended = endOf(worker, calls, (error) => {
      for (const caller of callers) caller.fail(error);
      onDeath(error);
    });
    this.started.push({
      end: () => worker.postMessage({ close: true } satisfies ThreadControl),
      ended: ended.then(() => ports.forEach((port) => port.close())),
    });
    return { connect, newCaller };
  }

  /** Ends all threads after what was sent to them. */
  async end(): Promise<void> {
    for (const { end } of this.started) end();
    await Promise.all(this.started.map(({ ended }) => ended));
  }
}

/** State of the store that the I/O thread watches, as it was last reported. */
class Watched {
  foreignChanges = 0;
  failure: string | null = null;
  fileBytes = 0;
  replicas = 1;
  private schema = 0;

  note({ foreignChanges, failure, fileBytes, replicas, schema }: StoreReport): void {
    this.replicas = replicas;
    this.schema = schema ?? this.schema;
    this.foreignChanges = foreignChanges;
    this.failure = failure;
    this.fileBytes = fileBytes ?? this.fileBytes;
  }

  /** Throws `unavailable` after the tables were migrated by a version that is too new for this one. */
  requireKnownSchema(): void {
    if (this.schema > NEWEST_SCHEMA)
      throw new AppError(
        'unavailable',
        `the database was migrated to schema ${this.schema}, and this version of Touchstone works with ${NEWEST_SCHEMA} at most; install the new version`,
      );
  }
}

/** Returns the durations of the commits of all threads, by buckets. */
const bucketsOf = (all: readonly ThreadNumbers[]): number[] =>
  (all[0]?.buckets ?? []).map((_, place) => all.reduce((sum, { buckets }) => sum + (buckets[place] ?? 0), 0));
