import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { watchEventLoopLag } from './event-loop-lag.ts';
import type { MetricFactory } from './metric-factory.ts';
import type { OrganisationNumbers } from './organisation-metrics.ts';
import { maxOpenFiles, openFiles } from './open-files.ts';
import type { SpanNumbers } from './own-traces/numbers.ts';
import { residentBytes } from './resident-memory.ts';

/** Bucket bounds of the duration of commits, in seconds. */
export const COMMIT_BOUNDS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
];

/** Metrics of a store, for a scrape. */
export interface StoreNumbers {
  commits: number;
  commitSeconds: number;
  longestCommitSeconds: number;
  /** Number of commits, failed ones included, by the first of `COMMIT_BOUNDS` that they do not exceed; the last number is of longer ones. */
  commitBuckets: readonly number[];
  commands: number;
  failedCommits: number;
  /** Code of the fault for which the store rejects data, or cannot be read; null when it works. */
  failure: string | null;
  /** Times that the store was found to be still that of this process. */
  holdChecks: number;
  /** True if these checks see the lock of the kernel; otherwise they compare the files only. */
  seesLock: boolean;
  checkpoints: number;
  failedCheckpoints: number;
  checkpointSeconds: number;
  walBytes: number;
  fileBytes: number;
  queuedWrites: number;
  queuedReads: number;
  reads: number;
  readWaitSeconds: number;
  rejectedReads: number;
  /** Numbers of the connections to a database server; absent where the store is a file. */
  database?: DatabaseNumbers;
}

export interface DatabaseNumbers {
  /** Threads with a connection of their own. */
  threads: number;
  /** Transactions that were run again after a deadlock, or because they did not fit others at the same time. */
  repeatedTransactions: number;
  lostConnections: number;
  roundTrips: number;
  roundTripSeconds: number;
}

/** Metrics of jobs of one kind. */
export interface JobNumbers {
  kind: string;
  waiting: number;
  running: number;
  dead: number;
  /** Time when the first waiting job is or was due, in Unix milliseconds; null when none waits. */
  oldestDueAt: number | null;
}

export interface MetricSources {
  /** Finished spans of the server's own work; null when it sends none. */
  ownSpans?: SpanNumbers | null;
  storeNumbers: () => Promise<StoreNumbers>;
  jobNumbers?: () => Promise<JobNumbers[]>;
  memory: Bounded;
  /** Responses that wait to be sent, in bytes. */
  responseMemory?: Bounded;
  uploads?: Bounded;
  organisations?: { list: () => OrganisationNumbers[] | Promise<OrganisationNumbers[]> };
}

interface Bounded {
  readonly used: number;
  readonly limit: number;
}

const NOTHING: Bounded = { used: 0, limit: 0 };
/** Counters of the store: field, name and help text. */
const STORE_COUNTERS = [
  ['commits', 'commits_total', 'Commits of the store.'],
  ['commitSeconds', 'commit_seconds_total', 'Time spent in commits.'],
  ['commands', 'commands_total', 'Commands in commits.'],
  ['failedCommits', 'failed_commits_total', 'Commits that failed completely.'],
  [
    'holdChecks',
    'hold_checks_total',
    'Checks that the store still belongs to this process: after each commit, and every 2 seconds.',
  ],
  ['checkpoints', 'checkpoints_total', 'Checkpoints of the write-ahead log.'],
  [
    'failedCheckpoints',
    'failed_checkpoints_total',
    'Checkpoints that could not write the database file; the log stays and grows.',
  ],
  ['checkpointSeconds', 'checkpoint_seconds_total', 'Time that commits waited for checkpoints.'],
  ['reads', 'reads_total', 'Queries that were begun.'],
  ['readWaitSeconds', 'read_wait_seconds_total', 'Time that queries waited for a reader.'],
  ['rejectedReads', 'rejected_reads_total', 'Queries that were rejected because too many waited.'],
] as const;
const STORE_GAUGES = [
  ['longestCommitSeconds', 'longest_commit_seconds', 'Duration of the longest commit since the start.'],
  ['walBytes', 'wal_bytes', 'Bytes of the write-ahead log that the database lacks or readers need.'],
  ['fileBytes', 'file_bytes', 'Size of the database file.'],
  ['queuedWrites', 'queued_writes', 'Commands that wait for a commit.'],
  ['queuedReads', 'queued_reads', 'Queries in progress or waiting.'],
] as const;

/**
 * Registers the metrics that are read only at a scrape. Returns the function that reads them, and returns the text of
 * those that another thread has counted in buckets, which the registry cannot hold.
 */
export function scrapedMetrics(make: MetricFactory, sources: MetricSources): () => Promise<string> {
  const { storeNumbers, jobNumbers = async () => [] } = sources;
  const readBudgets = budgetMetrics(make, sources);
  const readStore = storeMetrics(make, storeNumbers);
  const readJobs = jobMetrics(make, jobNumbers);
  const readProcess = processMetrics(make);
  const readSpans = ownSpanMetrics(make, sources.ownSpans ?? null);
  return async () => {
    readSpans();
    readBudgets();
    readProcess();
    const [text] = await Promise.all([readStore(), readJobs()]);
    return text;
  };
}

function budgetMetrics(
  { gauge }: MetricFactory,
  { memory, responseMemory = NOTHING, uploads = NOTHING }: MetricSources,
): () => void {
  const memoryUsage = gauge('touchstone_memory_budget_usage_bytes', 'Memory that requests in progress hold.');
  const memoryLimit = gauge('touchstone_memory_budget_limit_bytes', 'Memory that requests may hold.');
  const responseUsage = gauge(
    'touchstone_response_memory_usage_bytes',
    'Memory of responses that wait to be sent.',
  );
  const responseLimit = gauge(
    'touchstone_response_memory_limit_bytes',
    'Memory that responses may use while they wait to be sent.',
  );
  const activeUploads = gauge('touchstone_active_uploads', 'Uploads in progress.');
  const uploadLimit = gauge('touchstone_upload_limit', 'Most uploads in progress at once.');
  const budgets = [
    [memory, memoryUsage, memoryLimit],
    [responseMemory, responseUsage, responseLimit],
    [uploads, activeUploads, uploadLimit],
  ] as const;
  return () => {
    for (const [budget, usage, limit] of budgets) {
      usage.set(budget.used);
      limit.set(budget.limit);
    }
  };
}

/** Counters of the connections to a database server: field, name and help text. */
const DATABASE_COUNTERS = [
  [
    'repeatedTransactions',
    'repeated_transactions_total',
    'Transactions that were run again after a deadlock.',
  ],
  ['lostConnections', 'lost_connections_total', 'Connections to the database that were lost.'],
  ['roundTrips', 'round_trips_total', 'Statements and commits that threads waited for.'],
  ['roundTripSeconds', 'round_trip_seconds_total', 'Time that threads waited for the database.'],
] as const;

/** Registers the metrics of the store. When it does not respond, they keep their last values. */
function storeMetrics(
  { counter, gauge }: MetricFactory,
  storeNumbers: MetricSources['storeNumbers'],
): () => Promise<string> {
  const counters = STORE_COUNTERS.map(
    ([field, name, help]) => [field, counter(`touchstone_store_${name}`, help)] as const,
  );
  const gauges = STORE_GAUGES.map(
    ([field, name, help]) => [field, gauge(`touchstone_store_${name}`, help)] as const,
  );
  const ofDatabase = DATABASE_COUNTERS.map(
    ([field, name, help]) =>
      [field, counter(`touchstone_store_${name}`, `${help} With PostgreSQL only.`)] as const,
  );
  const threads = gauge(
    'touchstone_store_database_threads',
    'Threads with a connection to the database. With PostgreSQL only.',
  );
  let histogram = commitHistogram([], 0);
  const isUp = gauge('touchstone_store_up', '1 if the store responded to this scrape, else 0.');
  return async () => {
    const numbers = await storeNumbers().catch(() => null);
    isUp.set(numbers ? 1 : 0);
    if (!numbers) return histogram;
    histogram = commitHistogram(numbers.commitBuckets, numbers.commitSeconds);
    for (const [field, metric] of gauges) metric.set(numbers[field]);
    for (const [field, metric] of counters) {
      metric.reset();
      metric.inc(numbers[field]);
    }
    const { database } = numbers;
    if (!database) return histogram;
    threads.set(database.threads);
    for (const [field, metric] of ofDatabase) {
      metric.reset();
      metric.inc(database[field]);
    }
    return histogram;
  };
}

/** Returns the histogram of commits in the format of Prometheus. */
function commitHistogram(buckets: readonly number[], seconds: number): string {
  const name = 'touchstone_store_commit_duration_seconds';
  let count = 0;
  const lines = [...COMMIT_BOUNDS, '+Inf'].map((bound, index) => {
    count += buckets[index] ?? 0;
    return `${name}_bucket{le="${bound}"} ${count}`;
  });
  return [
    `# HELP ${name} Duration of commits, failed ones included.`,
    `# TYPE ${name} histogram`,
    ...lines,
    `${name}_sum ${seconds}`,
    `${name}_count ${count}`,
  ].join('\n');
}

function ownSpanMetrics({ counter }: MetricFactory, numbers: SpanNumbers | null): () => void {
  const spans = counter(
    'touchstone_own_spans_total',
    'Spans of the work of the server itself: `exported`, `failed` = not accepted by the endpoint, `dropped` = too many waited.',
    'outcome',
  );
  return () => {
    spans.reset();
    if (numbers === null) return;
    for (const outcome of ['exported', 'failed', 'dropped'] as const)
      spans.inc({ outcome }, numbers[outcome]);
  };
}

function jobMetrics({ gauge }: MetricFactory, jobNumbers: () => Promise<JobNumbers[]>): () => Promise<void> {
  const jobs = gauge('touchstone_jobs', 'Jobs by state; `dead` = failed for good.', 'kind', 'state');
  const oldestDue = gauge(
    'touchstone_jobs_oldest_due_timestamp_seconds',
    'Time when the first waiting job is or was due, in Unix seconds.',
    'kind',
  );
  return async () => {
    const numbers = await jobNumbers().catch(() => null);
    if (!numbers) return;
    jobs.reset();
    oldestDue.reset();
    for (const { kind, waiting, running, dead, oldestDueAt } of numbers) {
      jobs.set({ kind, state: 'waiting' }, waiting);
      jobs.set({ kind, state: 'running' }, running);
      jobs.set({ kind, state: 'dead' }, dead);
      if (oldestDueAt !== null) oldestDue.set({ kind }, oldestDueAt / 1000);
    }
  };
}

/** Registers the metrics of the process, mostly by the names of prom-client, which dashboards of Node use. */
function processMetrics({ counter, gauge }: MetricFactory): () => void {
  const cpu = counter('process_cpu_seconds_total', 'CPU time of the process.');
  const started = gauge('process_start_time_seconds', 'Start of the process, in Unix seconds.');
  const resident = gauge('process_resident_memory_bytes', 'Resident memory in bytes.');
  const files = gauge('process_open_fds', 'Open file descriptors; only where the system reports them.');
  const maxFiles = gauge(
    'process_max_fds',
    'Limit of open file descriptors; only where the system reports it.',
  );
  const heap = gauge('nodejs_heap_size_used_bytes', 'Used heap of the main thread.');
  const external = gauge('nodejs_external_memory_bytes', 'Memory outside the heap of the main thread.');
  const busy = gauge(
    'nodejs_eventloop_utilization_ratio',
    'Share of time for which the main thread was busy, 0 to 1.',
  );
  const lag = gauge(
    'nodejs_eventloop_lag_p99_seconds',
    'Delay of the main thread since the last scrape, 99th percentile.',
  );
  const longestLag = gauge(
    'nodejs_eventloop_lag_max_seconds',
    'Longest delay of the main thread since the last scrape.',
  );
  const takeLag = watchEventLoopLag();
  let before = performance.eventLoopUtilization();

  started.set(performance.timeOrigin / 1000);
  return () => {
    const { user, system } = process.cpuUsage();
    cpu.reset();
    cpu.inc((user + system) / 1e6);
    resident.set(residentBytes());
    const [open, limit] = [openFiles(), maxOpenFiles()];
    if (open !== null) files.set(open);
    if (limit !== null) maxFiles.set(limit);
    const memory = getHeapStatistics();
    heap.set(memory.used_heap_size);
    external.set(memory.external_memory);
    const current = performance.eventLoopUtilization();
    busy.set(performance.eventLoopUtilization(current, before).utilization);
    before = current;
    const { p99, max } = takeLag();
    lag.set(p99);
    longestLag.set(max);
  };
}
