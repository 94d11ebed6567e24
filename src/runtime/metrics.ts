import { performance } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Numbers of a store for a scrape. */
export interface StoreNumbers {
  commits: number;
  commitSeconds: number;
  longestCommitSeconds: number;
  commands: number;
  failedCommits: number;
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
}

/** Numbers of jobs of one kind. */
export interface JobNumbers {
  kind: string;
  waiting: number;
  running: number;
  dead: number;
  /** Time when the first of the waiting falls or fell due, Unix milliseconds; null = none waits. */
  oldestDueAt: number | null;
}

export interface MetricSources {
  storeNumbers: () => Promise<StoreNumbers>;
  jobNumbers?: () => Promise<JobNumbers[]>;
  memory: Bounded;
  /** Responses that wait to be sent, in bytes. */
  responseMemory?: Bounded;
  uploads?: Bounded;
}

interface Bounded {
  readonly used: number;
  readonly limit: number;
}

const NOTHING: Bounded = { used: 0, limit: 0 };

/** Bucket bounds for the duration of model requests. */
const LONG_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60, 120, 300];
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Counters of the store: field, name, help. */
const STORE_COUNTERS = [
  ['commits', 'commits_total', 'Commits.'],
  ['commitSeconds', 'commit_seconds_total', 'Time spent in commits.'],
  ['commands', 'commands_total', 'Commands in commits.'],
  ['failedCommits', 'failed_commits_total', 'Commits that failed as a whole.'],
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
  ['queuedReads', 'queued_reads', 'Queries under way or waiting.'],
] as const;

/** The numbers of one server, in a registry of their own. */
export function createMetrics({
  storeNumbers,
  jobNumbers = async () => [],
  memory,
  responseMemory = NOTHING,
  uploads = NOTHING,
}: MetricSources) {
  const registry = new Registry();
  const make = metricFactory(registry);
  const { counter, gauge, histogram } = make;
  const memoryBytes = gauge('touchstone_memory_budget_bytes', 'The memory budget of requests.', 'state');
  const responseBytes = gauge(
    'touchstone_response_memory_bytes',
    'Memory of responses that wait to be sent.',
    'state',
  );
  const uploadSlots = gauge('touchstone_uploads', 'Uploads in progress, and their limit.', 'state');
  const bounded = [
    [memoryBytes, memory],
    [responseBytes, responseMemory],
    [uploadSlots, uploads],
  ] as const;
  const storeCounters = STORE_COUNTERS.map(
    ([field, name, help]) => [field, counter(`touchstone_store_${name}`, help)] as const,
  );
  const storeGauges = STORE_GAUGES.map(
    ([field, name, help]) => [field, gauge(`touchstone_store_${name}`, help)] as const,
  );
  const storeUp = gauge('touchstone_store_up', 'Whether the store answered this scrape.');
  const jobs = gauge('touchstone_jobs', 'Jobs by state; `dead` = given up.', 'kind', 'state');
  const oldestDue = gauge(
    'touchstone_jobs_oldest_due_timestamp_seconds',
    'When the first waiting job falls or fell due, Unix seconds.',
    'kind',
  );
  const collectProcess = processNumbers(counter, gauge);
  const collectors: (() => void)[] = [];

  const collectStore = async (): Promise<void> => {
    const numbers = await storeNumbers().catch(() => null);
    storeUp.set(numbers ? 1 : 0);
    if (!numbers) return;
    for (const [field, metric] of storeGauges) metric.set(numbers[field]);
    for (const [field, metric] of storeCounters) {
      metric.reset();
      metric.inc(numbers[field]);
    }
  };

  const collectJobs = async (): Promise<void> => {
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

  return {
    ...ingestMetrics(make),
    jobRuns: counter(
      'touchstone_job_runs_total',
      'Runs of jobs by how they ended; `settle` = as their work decided, others = it failed or was cut off.',
      'kind',
      'outcome',
    ),
    ...evaluationMetrics(make),
    httpRequests: counter('touchstone_http_requests_total', 'HTTP requests.', 'method', 'route', 'status'),
    httpSeconds: histogram(
      'touchstone_http_seconds',
      'Time to the answer of HTTP requests.',
      'method',
      'route',
    ),
    connections: gauge('touchstone_connections', 'Open HTTP connections.'),
    rejectedConnections: counter(
      'touchstone_rejected_connections_total',
      'Connections that the server ended or turned away, by reason.',
      'reason',
    ),
    contentType: registry.contentType,

    /** Registers a function that sets gauges before each scrape. */
    beforeScrape(collect: () => void): void {
      collectors.push(collect);
    },

    /** All of it, as Prometheus reads it. A store that does not answer leaves its numbers as they were. */
    async text(): Promise<string> {
      for (const [metric, { used, limit }] of bounded) {
        metric.set({ state: 'used' }, used);
        metric.set({ state: 'limit' }, limit);
      }
      collectProcess();
      for (const collect of collectors) collect();
      await Promise.all([collectStore(), collectJobs()]);
      return registry.metrics();
    },
  };
}

/** Makes metrics of one registry. */
function metricFactory(registry: Registry) {
  const registers = [registry];
  return {
    counter: <L extends string>(name: string, help: string, ...labelNames: L[]): Counter<L> =>
      new Counter({ name, help, labelNames, registers }),
    gauge: <L extends string>(name: string, help: string, ...labelNames: L[]): Gauge<L> =>
      new Gauge({ name, help, labelNames, registers }),
    histogram: <L extends string>(name: string, help: string, ...labelNames: L[]): Histogram<L> =>
      new Histogram({ name, help, labelNames, registers, buckets: SECONDS }),
    longHistogram: <L extends string>(name: string, help: string, ...labelNames: L[]): Histogram<L> =>
      new Histogram({ name, help, labelNames, registers, buckets: LONG_SECONDS }),
  };
}

type MetricFactory = ReturnType<typeof metricFactory>;

function ingestMetrics({ counter, histogram }: MetricFactory) {
  return {
    ingestRequests: counter(
      'touchstone_ingest_requests_total',
      'Requests to ingest endpoints. `door` is the former name of `endpoint`.',
      'endpoint',
      'door',
      'status',
    ),
    ingestSpans: counter('touchstone_ingest_spans_total', 'Spans by what became of them.', 'outcome'),
    ingestLogRecords: counter(
      'touchstone_ingest_log_records_total',
      'Log records that belong to a span, by what became of them.',
      'outcome',
    ),
    expiredLogRecords: counter(
      'touchstone_expired_log_records_total',
      'Log records removed because their trace never came.',
    ),
    droppedItems: counter(
      'touchstone_dropped_items_total',
      'Log records and metrics that were accepted and not kept.',
      'signal',
    ),
    rewrites: counter(
      'touchstone_rewrites_total',
      'Traces rewritten behind; `again` = spans came meanwhile, `failed` = put off for an hour.',
      'outcome',
    ),
    refreshes: counter(
      'touchstone_refreshes_total',
      'Traces whose sums and previews were worked out anew; `again` = spans came meanwhile.',
      'outcome',
    ),
    ingestSeconds: histogram(
      'touchstone_ingest_seconds',
      'Time from the first byte of a request to an ingest endpoint to its response. `door` is the former name of `endpoint`.',
      'endpoint',
      'door',
    ),
    rejected: counter(
      'touchstone_rejected_total',
      'Requests to ingest endpoints that were rejected, by reason.',
      'reason',
    ),
    /** Former name of `rejected`, counted for dashboards that still use it. */
    refused: counter('touchstone_refused_total', 'Former name of touchstone_rejected_total.', 'reason'),
  };
}

function evaluationMetrics({ counter, gauge, histogram, longHistogram }: MetricFactory) {
  return {
    evaluations: counter(
      'touchstone_evaluations_total',
      'Deterministic evaluations by how they ended; `timeout`, `crashed` = failed and cost a thread, `suspended` = not run.',
      'type',
      'outcome',
    ),
    evaluationSeconds: histogram(
      'touchstone_evaluation_seconds',
      'Time that deterministic evaluations took.',
      'type',
    ),
    evaluationWaitSeconds: histogram(
      'touchstone_evaluation_wait_seconds',
      'Time that deterministic evaluations waited for a turn, by queue. `lane` is the former name of `queue`.',
      'queue',
      'lane',
    ),
    evaluationCalls: gauge(
      'touchstone_evaluation_queue',
      'Tests and traces whose deterministic evaluation waits for a turn, by queue. `lane` is the former name of `queue`.',
      'queue',
      'lane',
    ),
    suspendedDefinitions: gauge(
      'touchstone_suspended_definitions',
      'Versions of definitions that are suspended because they timed out several times.',
    ),
    /** Former name of `suspendedDefinitions`, set for dashboards that still use it. */
    suspendedRules: gauge('touchstone_suspended_rules', 'Former name of touchstone_suspended_definitions.'),
    evals: counter('touchstone_evals_total', 'Evals that have ended, by type and status.', 'type', 'status'),
    monitoredTraces: counter(
      'touchstone_monitored_traces_total',
      'Live traces drawn to be judged; `dropped` = too many waited, `planned` = quiet, and handed on.',
      'outcome',
    ),
    judgeCalls: counter(
      'touchstone_judge_calls_total',
      'Questions to judges by how they ended: `answered`, `replayed`, or why there was no answer.',
      'judge',
      'outcome',
    ),
    judgeTokens: counter('touchstone_judge_tokens_total', 'Tokens of judges.', 'judge', 'direction'),
    judgeCost: counter(
      'touchstone_judge_cost_dollars_total',
      'What judges took, where a price is known.',
      'judge',
    ),
    judgeSeconds: longHistogram(
      'touchstone_judge_seconds',
      'Time to the answers of judges, all tries together.',
      'judge',
    ),
  };
}

/** The few numbers of the process that dashboards for Node ask for, read only at a scrape. */
function processNumbers(
  counter: (name: string, help: string) => Counter,
  gauge: (name: string, help: string) => Gauge,
): () => void {
  const cpu = counter('process_cpu_seconds_total', 'CPU time of the process.');
  const started = gauge('process_start_time_seconds', 'Start of the process, Unix seconds.');
  const resident = gauge('process_resident_memory_bytes', 'Resident memory.');
  const heap = gauge('nodejs_heap_size_used_bytes', 'Heap of the main thread in use.');
  const external = gauge('nodejs_external_memory_bytes', 'Memory outside the heap of the main thread.');
  const busy = gauge('nodejs_eventloop_utilization', 'Share of the time the main thread was busy, 0 to 1.');
  let before = performance.eventLoopUtilization();

  started.set(performance.timeOrigin / 1000);
  return () => {
    const { user, system } = process.cpuUsage();
    cpu.reset();
    cpu.inc((user + system) / 1e6);
    const memory = process.memoryUsage();
    resident.set(memory.rss);
    heap.set(memory.heapUsed);
    external.set(memory.external);
    const current = performance.eventLoopUtilization();
    busy.set(performance.eventLoopUtilization(current, before).utilization);
    before = current;
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
