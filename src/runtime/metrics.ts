import { Registry } from 'prom-client';
import { fromZero, metricFactory, type MetricFactory } from './metric-factory.ts';
import { COUNTED_DELIVERIES, ENDED_CONNECTIONS, INGEST_REJECTIONS, SPAN_OUTCOMES } from './metric-values.ts';
import { organisationMetrics } from './organisation-metrics.ts';
import { type MetricSources, scrapedMetrics } from './scraped-metrics.ts';

/** Creates the metrics of one server, in a registry of their own. */
export function createMetrics(sources: MetricSources, registry = new Registry()) {
  const make = metricFactory(registry);
  const readSources = scrapedMetrics(make, sources);
  const collectors: (() => void)[] = [];

  return {
    ...ingestMetrics(make),
    ...maskingMetrics(make),
    ...httpMetrics(make),
    ...evaluationMetrics(make),
    ...retentionMetrics(make),
    deliveries: fromZero(
      make.counter(
        'touchstone_deliveries_total',
        'Requests to webhooks by outcome: `accepted`, `rejected` = another status than 200, `not_sent`, `timeout`, `lost` = the connection broke, `cancelled` = the test was cancelled meanwhile, `unknown` = the server was interrupted.',
        'outcome',
      ),
      'outcome',
      COUNTED_DELIVERIES,
    ),
    jobRuns: make.counter(
      'touchstone_job_runs_total',
      'Runs of jobs by outcome; `settle` = the run settled the job, others = it failed or was interrupted.',
      'kind',
      'outcome',
    ),
    contentType: registry.contentType,

    /** Registers a function that sets gauges before each scrape. */
    beforeScrape(collect: () => void): void {
      collectors.push(collect);
    },

    /** Returns all metrics in the format of Prometheus; `organisation`: the only one whose series are shown. */
    async text(organisation: string | null = null): Promise<string> {
      for (const collect of collectors) collect();
      const histograms = await readSources();
      const ofOrganisations = organisationMetrics((await sources.organisations?.list()) ?? [], organisation);
      return `${await registry.metrics()}\n${histograms}\n\n${ofOrganisations}\n`;
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

function retentionMetrics({ counter, gauge }: MetricFactory) {
  return {
    retentionDeletedTraces: counter(
      'touchstone_retention_deleted_traces_total',
      'Traces deleted by retention.',
    ),
    retentionDeletedBytes: counter(
      'touchstone_retention_deleted_bytes_total',
      'Bytes of traces deleted by retention, estimated.',
    ),
    storeGrowth: gauge(
      'touchstone_store_growth_bytes_per_day',
      'Growth of the store, beyond what retention deletes; measured every hour.',
    ),
    storeUnusedBytes: gauge(
      'touchstone_store_unused_bytes',
      'Bytes of the database file that are free for new data.',
    ),
    storeTimeLeft: gauge(
      'touchstone_store_time_left_seconds',
      'Time until the disk is full at the present growth; +Inf without growth.',
    ),
  };
}

function maskingMetrics({ counter, gauge }: MetricFactory) {
  return {
    maskedValues: counter(
      'touchstone_masked_values_total',
      'Values that masking rules replaced or removed, by detector; `own` are all own patterns.',
      'detector',
    ),
    suspendedMaskingPatterns: gauge(
      'touchstone_suspended_masking_patterns',
      'Own masking patterns that are suspended because they are slow; long texts of their applications are masked completely.',
    ),
  };
}

function ingestMetrics({ counter, gauge, histogram }: MetricFactory) {
  return {
    ingestRequests: counter(
      'touchstone_ingest_requests_total',
      'Requests to ingest endpoints; those over gRPC with the HTTP status of the same error.',
      'endpoint',
      'status',
    ),
    ingestSpans: fromZero(
      counter('touchstone_ingest_spans_total', 'Spans by outcome.', 'outcome'),
      'outcome',
      SPAN_OUTCOMES,
    ),
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
      'touchstone_ingest_duration_seconds',
      'Time from the first byte of a request to an ingest endpoint to its response.',
      'endpoint',
    ),
    rejected: fromZero(
      counter(
        'touchstone_rejected_total',
        'Requests to ingest endpoints that were rejected, by reason.',
        'reason',
      ),
      'reason',
      INGEST_REJECTIONS,
    ),
    ...ingestGauges({ gauge }),
  };
}

function ingestGauges({ gauge }: Pick<MetricFactory, 'gauge'>) {
  return {
    activeIngest: gauge(
      'touchstone_ingest_active_requests',
      'Requests to ingest endpoints in progress: being read, prepared or waiting for their commit.',
    ),
    oldestIngest: gauge(
      'touchstone_ingest_oldest_request_age_seconds',
      'Age of the oldest request to an ingest endpoint in progress; 0 without one.',
    ),
  };
}

function issueMetrics({ counter }: Pick<MetricFactory, 'counter'>) {
  return {
    issuesReopened: counter(
      'touchstone_issues_reopened_total',
      'Resolved issues that were opened again because their problem came back, by evidence.',
      'evidence',
    ),
    issueMessages: counter(
      'touchstone_issue_messages_total',
      'Attempts to send a message about an issue to the issue webhook, by outcome: `delivered`, `retried` later, or `failed` for good.',
      'outcome',
    ),
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
      'touchstone_evaluation_duration_seconds',
      'Duration of deterministic evaluations.',
      'type',
    ),
    evaluationWaitSeconds: histogram(
      'touchstone_evaluation_wait_seconds',
      'Time that deterministic evaluations waited for a turn, by queue.',
      'queue',
    ),
    evaluationCalls: gauge(
      'touchstone_evaluation_queue_length',
      'Tests and traces whose deterministic evaluation waits for a turn, by queue.',
      'queue',
    ),
    suspendedDefinitions: gauge(
      'touchstone_suspended_definitions',
      'Versions of definitions that are suspended because they timed out several times.',
    ),
    ...issueMetrics({ counter }),
    evals: counter('touchstone_evals_total', 'Evals that have ended, by type and status.', 'type', 'status'),
    monitoredTraces: counter(
      'touchstone_monitored_traces_total',
      'Live traces sampled for evaluation; `dropped` = too many waited, `planned` = idle and planned for evaluation.',
      'outcome',
    ),
    monitoredSessions: counter(
      'touchstone_monitored_sessions_total',
      'Live sessions sampled for evaluation; `dropped` = too many waited, `planned` = idle and planned for evaluation.',
      'outcome',
    ),
    judgeCalls: counter(
      'touchstone_judge_calls_total',
      'Requests to judges by outcome: `answered`, `replayed`, or the reason why there was no answer.',
      'judge',
      'outcome',
    ),
    judgeSlowDowns: counter(
      'touchstone_judge_slow_downs_total',
      'Requests to judges that were rejected because they are too many; they wait and are sent again.',
      'judge',
    ),
    judgeRequests: gauge(
      'touchstone_judge_requests',
      'Requests to judges: `running`, or `waiting` for their turn.',
      'judge',
      'state',
    ),
    judgeLimit: gauge(
      'touchstone_judge_request_limit',
      'Requests to a judge at once, as it keeps up with them; its setting `concurrency` at most.',
      'judge',
    ),
    judgePause: gauge(
      'touchstone_judge_pause_seconds',
      'Time until the next request to a judge that pauses after a rejection; 0 without one.',
      'judge',
    ),
    scorerRequests: gauge(
      'touchstone_scorer_requests',
      'Requests to scorers: `running`, or `waiting` for their turn.',
      'state',
    ),
    webhookRequests: gauge(
      'touchstone_webhook_requests',
      'Requests to webhooks: `running`, or `waiting` because their app does not keep up with more at once.',
      'state',
    ),
    slowWebhooks: gauge(
      'touchstone_slow_webhooks',
      'Webhooks that get fewer requests at once because their app did not keep up.',
    ),
    judgeTokens: counter('touchstone_judge_tokens_total', 'Tokens used by judges.', 'judge', 'direction'),
    judgeCost: counter(
      'touchstone_judge_cost_dollars_total',
      'Cost of judges in US dollars, where a price is known.',
      'judge',
    ),
    judgeSeconds: longHistogram(
      'touchstone_judge_call_duration_seconds',
      'Duration of requests to judges, including all attempts.',
      'judge',
    ),
  };
}

function httpMetrics({ counter, gauge, httpHistogram }: MetricFactory) {
  return {
    httpSeconds: httpHistogram(
      'http_server_request_duration_seconds',
      "Duration of HTTP requests until the end of their response, by OpenTelemetry's conventions; unknown paths have no route.",
      'http_request_method',
      'http_route',
      'http_response_status_code',
      'url_scheme',
    ),
    streams: gauge('touchstone_streams', 'Open streams by kind: of tests, of traces, exports.', 'kind'),
    signIns: counter(
      'touchstone_sign_ins_total',
      'Attempts to sign in: `failed` = wrong credentials, `limited` = not checked after too many failures, `busy` = not checked because too many waited.',
      'method',
      'outcome',
    ),
    credentialChecks: counter(
      'touchstone_credential_checks_total',
      'Checks of credentials without a sign-in: `ownPassword` = the current password before a change, `linkToken` = a link before its password is chosen; outcomes as those of sign-ins.',
      'method',
      'outcome',
    ),
    revokedCalls: counter(
      'touchstone_revoked_calls_total',
      'Streams, uploads and other calls in progress that were ended because their caller lost the permission.',
    ),
    foreignCalls: counter(
      'touchstone_foreign_calls_total',
      'Calls of the REST API that other replicas let through and reported, which count against the rate limits here too.',
    ),
    connections: gauge('touchstone_connections', 'Open HTTP connections.'),
    grpcConnections: gauge('touchstone_grpc_connections', 'Open gRPC connections.'),
    rejectedConnections: fromZero(
      counter(
        'touchstone_rejected_connections_total',
        'Connections that the server ended or rejected, by reason.',
        'reason',
      ),
      'reason',
      ENDED_CONNECTIONS,
    ),
  };
}
