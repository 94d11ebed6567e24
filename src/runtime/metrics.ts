import { performance } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Metrics of a store, for a scrape. */
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
/** Counters of the store: field, name and help text. */
const STORE_COUNTERS = [
  ['commits', 'commits_total', 'Commits.'],
  ['commitSeconds', 'commit_seconds_total', 'Time spent in commits.'],
  ['commands', 'commands_total', 'Commands in commits.'],
  ['failedCommits', 'failed_commits_total', 'Commits that failed completely.'],
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

/** Creates the metrics of one server, in a registry of their own. */
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
  const storeUp = gauge('touchstone_store_up', '1 if the store responded to this scrape, else 0.');
  const jobs = gauge('touchstone_jobs', 'Jobs by state; `dead` = failed for good.', 'kind', 'state');
  const oldestDue = gauge(
    'touchstone_jobs_oldest_due_timestamp_seconds',
    'Time when the first waiting job is or was due, in Unix seconds.',
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
      'Runs of jobs by outcome; `settle` = the run settled the job, others = it failed or was interrupted.',
      'kind',
      'outcome',
    ),
    ...evaluationMetrics(make),
    httpRequests: counter('touchstone_http_requests_total', 'HTTP requests.', 'method', 'route', 'status'),
    httpSeconds: histogram(
      'touchstone_http_seconds',
      'Duration of HTTP requests until their response.',
      'method',
      'route',
    ),
    streams: gauge('touchstone_streams', 'Open streams by kind: of tests, of traces, exports.', 'kind'),
    connections: gauge('touchstone_connections', 'Open HTTP connections.'),
    rejectedConnections: counter(
      'touchstone_rejected_connections_total',
      'Connections that the server ended or rejected, by reason.',
      'reason',
    ),
    contentType: registry.contentType,

    /** Registers a function that sets gauges before each scrape. */
    beforeScrape(collect: () => void): void {
      collectors.push(collect);
    },

    /**
     * Returns all metrics in the format of Prometheus. When the store does not respond, its metrics keep their last
     * values.
     */
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

/** Returns functions that create the metrics of one registry. */
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
    ingestSpans: counter('touchstone_ingest_spans_total', 'Spans by outcome.', 'outcome'),
    ingestLogRecords: counter(
      'touchstone_ingest_log_records_total',
      'Log records that belong to a span, by outcome.',
      'outcome',
    ),
    expiredLogRecords: counter(
      'touchstone_expired_log_records_total',
      'Log records removed because their trace never arrived.',
    ),
    droppedItems: counter(
      'touchstone_dropped_items_total',
      'Log records and metrics that were accepted but not stored.',
      'signal',
    ),
    rewrites: counter(
      'touchstone_rewrites_total',
      'Traces rewritten in the background; `again` = spans arrived in the meantime, `failed` = postponed for an hour.',
      'outcome',
    ),
    refreshes: counter(
      'touchstone_refreshes_total',
      'Traces whose sums and previews were computed again; `again` = spans arrived in the meantime.',
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
      'Deterministic evaluations by outcome; `timeout`, `crashed` = failed and ended a thread, `suspended` = not run.',
      'type',
      'outcome',
    ),
    evaluationSeconds: histogram(
      'touchstone_evaluation_seconds',
      'Duration of deterministic evaluations.',
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
      'Live traces sampled for evaluation; `dropped` = too many waited, `planned` = idle and planned for evaluation.',
      'outcome',
    ),
    judgeCalls: counter(
      'touchstone_judge_calls_total',
      'Requests to judges by outcome: `answered`, `replayed`, or the reason why there was no answer.',
      'judge',
      'outcome',
    ),
    judgeTokens: counter('touchstone_judge_tokens_total', 'Tokens used by judges.', 'judge', 'direction'),
    judgeCost: counter(
      'touchstone_judge_cost_dollars_total',
      'Cost of judges in US dollars, where a price is known.',
      'judge',
    ),
    judgeSeconds: longHistogram(
      'touchstone_judge_seconds',
      'Duration of requests to judges, including all attempts.',
      'judge',
    ),
  };
}

/** Registers the metrics of the process that common Node dashboards use. They are read only at a scrape. */
function processNumbers(
  counter: (name: string, help: string) => Counter,
  gauge: (name: string, help: string) => Gauge,
): () => void {
  const cpu = counter('process_cpu_seconds_total', 'CPU time of the process.');
  const started = gauge('process_start_time_seconds', 'Start of the process, in Unix seconds.');
  const resident = gauge('process_resident_memory_bytes', 'Resident memory in bytes.');
  const heap = gauge('nodejs_heap_size_used_bytes', 'Used heap of the main thread.');
  const external = gauge('nodejs_external_memory_bytes', 'Memory outside the heap of the main thread.');
  const busy = gauge(
    'nodejs_eventloop_utilization',
    'Share of time for which the main thread was busy, 0 to 1.',
  );
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
