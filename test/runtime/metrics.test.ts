import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import type { OrganisationNumbers } from '../../src/runtime/organisation-metrics.ts';
import { Organisations } from '../../src/runtime/organisations.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import type { StoreNumbers } from '../../src/runtime/scraped-metrics.ts';

const numbers: StoreNumbers = {
  commits: 3,
  commitSeconds: 0.5,
  commands: 7,
  failure: null,
  failedCommits: 1,
  longestCommitSeconds: 0.125,
  commitBuckets: [0, 1, 0, 2],
  checkpoints: 2,
  failedCheckpoints: 1,
  holdChecks: 3,
  seesLock: true,
  checkpointSeconds: 0.25,
  walBytes: 4096,
  fileBytes: 8192,
  queuedWrites: 4,
  queuedReads: 5,
  reads: 11,
  readWaitSeconds: 0.75,
  rejectedReads: 3,
};
const memory = { used: 10, limit: 100 };
const lines = (text: string): string[] => text.split('\n');

describe('the metrics', () => {
  it('show what the endpoints count', async () => {
    const metrics = createMetrics({ storeNumbers: async () => numbers, memory });
    metrics.ingestRequests.inc({ endpoint: 'otlp', status: '200' });
    metrics.ingestSpans.inc({ outcome: 'stored' }, 5);
    metrics.ingestSeconds.observe({ endpoint: 'otlp' }, 0.02);
    metrics.httpSeconds.observe(
      {
        http_request_method: 'GET',
        http_route: '/v0/traces',
        http_response_status_code: 200,
        url_scheme: 'http',
      },
      0.02,
    );
    metrics.rejected.inc({ reason: 'unavailable' });
    const text = lines(await metrics.text());
    expect(text).toEqual(
      expect.arrayContaining([
        'touchstone_ingest_requests_total{endpoint="otlp",status="200"} 1',
        'touchstone_ingest_spans_total{outcome="stored"} 5',
        'touchstone_ingest_duration_seconds_bucket{le="0.025",endpoint="otlp"} 1',
        'http_server_request_duration_seconds_count{http_request_method="GET",http_route="/v0/traces",http_response_status_code="200",url_scheme="http"} 1',
        'touchstone_rejected_total{reason="unavailable"} 1',
        'touchstone_memory_budget_usage_bytes 10',
        'touchstone_memory_budget_limit_bytes 100',
      ]),
    );
  });

  it('have a series at 0 for each kind of rejection from the start', async () => {
    const text = lines(await createMetrics({ storeNumbers: async () => numbers, memory }).text());
    expect(text).toEqual(
      expect.arrayContaining([
        'touchstone_rejected_total{reason="too_large"} 0',
        'touchstone_rejected_total{reason="unavailable"} 0',
        'touchstone_rejected_connections_total{reason="slow_body"} 0',
        'touchstone_ingest_spans_total{outcome="rejected"} 0',
        'touchstone_deliveries_total{outcome="rejected"} 0',
      ]),
    );
  });

  it('ask the store at each scrape', async () => {
    let commits = 3;
    const metrics = createMetrics({ storeNumbers: async () => ({ ...numbers, commits }), memory });
    await metrics.text();
    commits = 4;
    const text = lines(await metrics.text());
    expect(text).toContain('touchstone_store_commits_total 4');
    expect(text).toContain('touchstone_store_wal_bytes 4096');
    expect(text).toContain('touchstone_store_queued_reads 5');
    expect(text).toContain('touchstone_store_up 1');
    expect(text.filter((line) => line.startsWith('touchstone_store_commit_duration_seconds'))).toEqual([
      'touchstone_store_commit_duration_seconds_bucket{le="0.001"} 0',
      'touchstone_store_commit_duration_seconds_bucket{le="0.0025"} 1',
      'touchstone_store_commit_duration_seconds_bucket{le="0.005"} 1',
      ...['0.01', '0.025', '0.05', '0.1', '0.25', '0.5', '1', '2.5', '5', '+Inf'].map(
        (bound) => `touchstone_store_commit_duration_seconds_bucket{le="${bound}"} 3`,
      ),
      'touchstone_store_commit_duration_seconds_sum 0.5',
      'touchstone_store_commit_duration_seconds_count 3',
    ]);
  });

  it('say so when the store does not answer, and show the rest', async () => {
    const metrics = createMetrics({ storeNumbers: () => Promise.reject(new Error('busy')), memory });
    const text = await metrics.text();
    expect(text).toContain('touchstone_store_up 0');
    expect(text).toMatch(/process_resident_memory_bytes \d{6,}/);
  });

  it('belong to one server each', async () => {
    const one = createMetrics({ storeNumbers: async () => numbers, memory });
    const other = createMetrics({ storeNumbers: async () => numbers, memory });
    one.rejected.inc({ reason: 'unavailable' });
    expect(await other.text()).toContain('touchstone_rejected_total{reason="unavailable"} 0');
  });
});

/** What a metric is, as Prometheus reads it. */
interface Described {
  name: string;
  type: string;
  help: string;
}

/** Units in the names of metrics, all of them base units of Prometheus. */
const UNIT = /_(?:seconds|bytes|ratio|bytes_per_day)$/;
/** Gauges without a unit: numbers of things, or 1 and 0. */
const COUNTED = new Set([
  // Names of the Prometheus client libraries.
  'process_max_fds',
  'process_open_fds',
  'touchstone_active_uploads',
  'touchstone_connections',
  'touchstone_evaluation_queue_length',
  'touchstone_grpc_connections',
  'touchstone_ingest_active_requests',
  'touchstone_jobs',
  'touchstone_judge_request_limit',
  'touchstone_judge_requests',
  'touchstone_organisation_applications',
  'touchstone_scorer_requests',
  'touchstone_slow_webhooks',
  'touchstone_store_database_threads',
  'touchstone_store_queued_reads',
  'touchstone_store_queued_writes',
  'touchstone_store_up',
  'touchstone_streams',
  'touchstone_suspended_definitions',
  'touchstone_suspended_masking_patterns',
  'touchstone_upload_limit',
  'touchstone_webhook_requests',
]);
const registry = new Registry();
const text = await createMetrics({ storeNumbers: async () => numbers, memory }, registry).text();
const ALL: Described[] = [...text.matchAll(/^# HELP (\S+) (.+)\n# TYPE \S+ (\S+)$/gm)].map(
  ([, name = '', help = '', type = '']) => ({ name, help, type }),
);

describe('the name of a metric follows the conventions of Prometheus and OpenTelemetry', () => {
  it.each(ALL)('$name', ({ name, type, help }) => {
    expect(name).toMatch(/^(?:touchstone|http_server|process|nodejs)(?:_[a-z][a-z\d]*)+$/);
    expect(name, 'only counters are totals').toMatch(type === 'counter' ? /_total$/ : /(?<!_total)$/);
    expect(name, 'base units only').not.toMatch(/_(?:ms|milliseconds|minutes|hours|kib|mib|percent)(?:_|$)/);
    if (type === 'histogram') expect(name).toMatch(/_seconds$/);
    if (type === 'gauge' && !COUNTED.has(name)) expect(name).toMatch(UNIT);
    if (COUNTED.has(name)) expect(type).toBe('gauge');
    expect(help, 'help is a sentence').toMatch(/^[A-Z\d].* .*\.$/);
  });

  it.each(registry.getMetricsAsArray() as unknown as { name: string; labelNames: string[] }[])(
    'its labels are words without a unit: $name',
    ({ labelNames }) => {
      for (const label of labelNames) expect(label).toMatch(/^(?!.*(?:seconds|bytes))[a-z]+(?:_[a-z]+)*$/);
    },
  );
});

it.each([
  ['ingest by result', 'touchstone_ingest_requests_total', 'touchstone_ingest_spans_total'],
  ['rejections', 'touchstone_rejected_total'],
  [
    'depth of queues',
    'touchstone_ingest_active_requests',
    'touchstone_store_queued_writes',
    'touchstone_jobs',
  ],
  [
    'age of queues',
    'touchstone_ingest_oldest_request_age_seconds',
    'touchstone_jobs_oldest_due_timestamp_seconds',
  ],
  ['latency of commits', 'touchstone_store_commit_duration_seconds'],
  ['the write-ahead log', 'touchstone_store_wal_bytes'],
  ['deliveries by result', 'touchstone_deliveries_total'],
  ['evals by state', 'touchstone_evals_total'],
  ['cost of judges', 'touchstone_judge_cost_dollars_total'],
  ['delay of the event loop', 'nodejs_eventloop_lag_p99_seconds', 'nodejs_eventloop_lag_max_seconds'],
  ['memory', 'process_resident_memory_bytes', 'nodejs_heap_size_used_bytes'],
  ['duration of requests by route', 'http_server_request_duration_seconds'],
])('there are metrics of %s', (_what, ...names) => {
  expect(ALL.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
});

describe('the metrics of organisations', () => {
  const organisations = new Organisations();
  for (let application = 1; application <= 30; application++) {
    organisations.assign(application, `org-${application}`);
    organisations.addDecoding(application, application * 1_000);
    organisations.addStored(application, application * 100);
    organisations.addJudgeCost(application, application / 4);
  }
  const seriesOf = async (organisation: string | null): Promise<string[]> => {
    const metrics = createMetrics({ storeNumbers: async () => numbers, memory, organisations });
    return lines(await metrics.text(organisation)).filter((line) => line.includes('{organisation='));
  };

  it('are those of the twenty that used the most, and the sum of the others', async () => {
    const series = await seriesOf(null);
    expect(series).toHaveLength(84);
    expect(series).toContain('touchstone_organisation_decoding_seconds_total{organisation="org-30"} 30');
    expect(series).toContain('touchstone_organisation_decoding_seconds_total{organisation="other"} 55');
    expect(series).toContain('touchstone_organisation_applications{organisation="other"} 10');
    expect(series).toContain('touchstone_organisation_stored_bytes{organisation="other"} 5500');
  });

  it('are those of its own for a key', async () => {
    expect(await seriesOf('org-3')).toEqual([
      'touchstone_organisation_decoding_seconds_total{organisation="org-3"} 3',
      'touchstone_organisation_applications{organisation="org-3"} 1',
      'touchstone_organisation_stored_bytes{organisation="org-3"} 300',
      'touchstone_organisation_judge_cost_dollars_total{organisation="org-3"} 0.75',
    ]);
    expect(await seriesOf('org-31')).toEqual([]);
  });

  it('are the used parts of the limits of the twenty that are nearest to one', async () => {
    const list = (): OrganisationNumbers[] =>
      organisations.list().map((one, index) => ({
        ...one,
        quotas: [
          { name: 'storedBytes', used: 30 - index, limit: 60 },
          { name: 'streams', used: 1, limit: null },
        ],
      }));
    const metrics = createMetrics({ storeNumbers: async () => numbers, memory, organisations: { list } });
    const ratios = async (organisation: string | null): Promise<string[]> =>
      lines(await metrics.text(organisation)).filter(
        (line) => line.includes('{') && line.includes('_quota_'),
      );
    const all = await ratios(null);
    expect(all).toHaveLength(20);
    expect(all[0]).toBe(
      'touchstone_organisation_quota_usage_ratio{organisation="org-1",quota="storedBytes"} 0.5',
    );
    expect(await ratios('org-30')).toEqual([
      expect.stringContaining('{organisation="org-30",quota="storedBytes"} 0.016'),
    ]);
  });
});

it('each metric has one name, and a route has few lines', async () => {
  expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
  expect(ALL.filter(({ help }) => /former/i.test(help))).toEqual([]);
  const metrics = createMetrics({ storeNumbers: async () => numbers, memory });
  const request = {
    http_request_method: 'GET',
    http_route: '/v0/traces',
    http_response_status_code: 200,
    url_scheme: 'http',
  };
  metrics.httpSeconds.observe(request, 0.02);
  const ofRoute = lines(await metrics.text()).filter((line) => line.includes('/v0/traces'));
  expect(ofRoute.length).toBeLessThan(10);
});
