/** Unit of an axis, as Grafana names it. */
export type Unit = 'short' | 'reqps' | 'cps' | 's' | 'bytes' | 'percentunit' | 'currencyUSD';

/** One line, or one line for each value of the labels in `legend`. */
export interface Series {
  expr: string;
  legend: string;
}

export interface Panel {
  title: string;
  /** Sentence about what it shows, for readers. */
  description: string;
  unit: Unit;
  series: readonly Series[];
}

export interface Row {
  title: string;
  panels: readonly Panel[];
}

/** Every query is about the server that is chosen at the top of the dashboard. */
const OF = 'instance="$instance"';

const rate = (metric: string, labels = ''): string => `rate(${metric}{${OF}${labels}}[$__rate_interval])`;
const quantile = (q: number, metric: string): string =>
  `histogram_quantile(${q}, sum by (le) (${rate(`${metric}_bucket`)}))`;
const gauge = (metric: string, labels = ''): string => `${metric}{${OF}${labels}}`;

const quantiles = (metric: string): Series[] => [
  { expr: quantile(0.5, metric), legend: 'median' },
  { expr: quantile(0.99, metric), legend: '99th percentile' },
];
const usedOf = (metric: string): Series[] => [
  { expr: gauge(`${metric}_usage_bytes`), legend: 'used' },
  { expr: gauge(`${metric}_limit_bytes`), legend: 'limit' },
];

/** Rows of the dashboard, from what senders see to what the process needs. */
export const ROWS: readonly Row[] = [
  {
    title: 'Receiving',
    panels: [
      {
        title: 'Spans',
        description:
          'Spans a second by outcome. Every span that was received is stored, duplicate, replaced or rejected.',
        unit: 'cps',
        series: [
          { expr: `sum by (outcome) (${rate('touchstone_ingest_spans_total')})`, legend: '{{outcome}}' },
        ],
      },
      {
        title: 'Ingest requests',
        description: 'Requests a second by endpoint and status. 503 asks senders to arrive again.',
        unit: 'reqps',
        series: [
          {
            expr: `sum by (endpoint, status) (${rate('touchstone_ingest_requests_total')})`,
            legend: '{{endpoint}} {{status}}',
          },
        ],
      },
      {
        title: 'Time until a request is stored',
        description: 'From the first byte to the response, which is sent when the disk has the spans.',
        unit: 's',
        series: quantiles('touchstone_ingest_duration_seconds'),
      },
      {
        title: 'Requests in progress',
        description: 'Ingest requests that are read, prepared or waiting for their commit.',
        unit: 'short',
        series: [{ expr: gauge('touchstone_ingest_active_requests'), legend: 'requests' }],
      },
      {
        title: 'Oldest request in progress',
        description: 'Age of the ingest request that has been in progress for the longest time.',
        unit: 's',
        series: [{ expr: gauge('touchstone_ingest_oldest_request_age_seconds'), legend: 'age' }],
      },
      {
        title: 'Rejected requests',
        description: 'Requests a second by reason.',
        unit: 'reqps',
        series: [{ expr: `sum by (reason) (${rate('touchstone_rejected_total')})`, legend: '{{reason}}' }],
      },
    ],
  },
  {
    title: 'Tests and verdicts',
    panels: [
      {
        title: 'Jobs',
        description: 'Deliveries, evaluations and other work that waits or runs. Dead jobs failed for good.',
        unit: 'short',
        series: [
          { expr: `sum by (kind, state) (${gauge('touchstone_jobs')})`, legend: '{{kind}} {{state}}' },
        ],
      },
      {
        title: 'Longest wait of a job',
        description: 'How long the job that is due for the longest time has been waiting.',
        unit: 's',
        series: [
          {
            expr: `clamp_min(time() - (${gauge('touchstone_jobs_oldest_due_timestamp_seconds')} > 0), 0)`,
            legend: 'waiting',
          },
        ],
      },
      {
        title: 'Deliveries',
        description: 'Requests to webhooks a second, by outcome.',
        unit: 'reqps',
        series: [
          { expr: `sum by (outcome) (${rate('touchstone_deliveries_total')})`, legend: '{{outcome}}' },
        ],
      },
      {
        title: 'Evals',
        description: 'Evals that ended, a second, by status.',
        unit: 'cps',
        series: [{ expr: `sum by (status) (${rate('touchstone_evals_total')})`, legend: '{{status}}' }],
      },
      {
        title: 'Judge calls',
        description: 'Calls of judge models a second, by judge and outcome.',
        unit: 'cps',
        series: [
          {
            expr: `sum by (judge, outcome) (${rate('touchstone_judge_calls_total')})`,
            legend: '{{judge}} {{outcome}}',
          },
        ],
      },
      {
        title: 'Time of a judge call',
        description: 'Total of all attempts of a call.',
        unit: 's',
        series: quantiles('touchstone_judge_call_duration_seconds'),
      },
      {
        title: 'Cost of judges, an hour',
        description: 'At the rate of the last hour, for judges with a known price.',
        unit: 'currencyUSD',
        series: [
          {
            expr: `sum by (judge) (increase(touchstone_judge_cost_dollars_total{${OF}}[1h]))`,
            legend: '{{judge}}',
          },
        ],
      },
    ],
  },
  {
    title: 'Store',
    panels: [
      {
        title: 'Commits',
        description:
          'Commits a second, and those that failed. A failed commit changes nothing; its senders get 503.',
        unit: 'cps',
        series: [
          { expr: rate('touchstone_store_commits_total'), legend: 'commits' },
          { expr: rate('touchstone_store_failed_commits_total'), legend: 'failed' },
        ],
      },
      {
        title: 'Time of a commit',
        description:
          'Median, 99th percentile, and the longest since the start. All writes wait for the same writer.',
        unit: 's',
        series: [
          ...quantiles('touchstone_store_commit_duration_seconds'),
          { expr: gauge('touchstone_store_longest_commit_seconds'), legend: 'longest' },
        ],
      },
      {
        title: 'Queries and changes that wait',
        description: 'Work for the writer and the readers that is in progress or waiting.',
        unit: 'short',
        series: [
          { expr: gauge('touchstone_store_queued_writes'), legend: 'changes' },
          { expr: gauge('touchstone_store_queued_reads'), legend: 'queries' },
        ],
      },
      {
        title: 'Size',
        description: 'The database file and its write-ahead log.',
        unit: 'bytes',
        series: [
          { expr: gauge('touchstone_store_file_bytes'), legend: 'database' },
          { expr: gauge('touchstone_store_wal_bytes'), legend: 'write-ahead log' },
        ],
      },
    ],
  },
  {
    title: 'Organisations',
    panels: [
      {
        title: 'Used part of limits',
        description: 'Organisations that are nearest to one of their limits; at 100 % the limit is reached.',
        unit: 'percentunit',
        series: [
          {
            expr: `topk(10, ${gauge('touchstone_organisation_quota_usage_ratio')})`,
            legend: '{{organisation}} {{quota}}',
          },
        ],
      },
      {
        title: 'Stored traces',
        description: 'Bytes of the traces of each organisation, estimated with their indexes.',
        unit: 'bytes',
        series: [{ expr: gauge('touchstone_organisation_stored_bytes'), legend: '{{organisation}}' }],
      },
      {
        title: 'Decoding',
        description:
          'Seconds a second for which requests of an organisation occupy the threads that decode them.',
        unit: 'percentunit',
        series: [
          { expr: rate('touchstone_organisation_decoding_seconds_total'), legend: '{{organisation}}' },
        ],
      },
      {
        title: 'Cost of judges, an hour',
        description: 'By organisation, at the rate of the last hour, for judges with a known price.',
        unit: 'currencyUSD',
        series: [
          {
            expr: `increase(touchstone_organisation_judge_cost_dollars_total{${OF}}[1h])`,
            legend: '{{organisation}}',
          },
        ],
      },
    ],
  },
  {
    title: 'Process',
    panels: [
      {
        title: 'HTTP requests',
        description: 'Requests a second by status.',
        unit: 'reqps',
        series: [
          {
            expr: `sum by (http_response_status_code) (${rate('http_server_request_duration_seconds_count')})`,
            legend: '{{http_response_status_code}}',
          },
        ],
      },
      {
        title: 'Slowest routes',
        description: 'The 99th percentile of the five slowest routes.',
        unit: 's',
        series: [
          {
            expr: `topk(5, histogram_quantile(0.99, sum by (http_route, le) (${rate('http_server_request_duration_seconds_bucket')})))`,
            legend: '{{http_route}}',
          },
        ],
      },
      {
        title: 'CPU, and the main thread',
        description: 'Cores in use by all threads, and the share of time for which the main thread was busy.',
        unit: 'percentunit',
        series: [
          { expr: rate('process_cpu_seconds_total'), legend: 'all threads' },
          { expr: gauge('nodejs_eventloop_utilization_ratio'), legend: 'main thread' },
        ],
      },
      {
        title: 'Memory',
        description: 'Resident memory of the process, and the heap of its main thread.',
        unit: 'bytes',
        series: [
          { expr: gauge('process_resident_memory_bytes'), legend: 'resident' },
          { expr: gauge('nodejs_heap_size_used_bytes'), legend: 'heap of the main thread' },
        ],
      },
      {
        title: 'Memory budget of requests',
        description: 'What requests hold, and what they may hold.',
        unit: 'bytes',
        series: usedOf('touchstone_memory_budget'),
      },
      {
        title: 'Connections and streams',
        description: 'Open connections, and streams by kind.',
        unit: 'short',
        series: [
          { expr: gauge('touchstone_connections'), legend: 'connections' },
          { expr: gauge('touchstone_streams'), legend: 'streams of {{kind}}' },
        ],
      },
    ],
  },
];
