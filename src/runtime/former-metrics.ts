/** Present metric that a former one takes its series from. */
interface Source {
  name: string;
  /** Former names of labels, by their present ones. */
  labels?: Readonly<Record<string, string>>;
  /** Label that the former metric had besides, such as `state="used"`. */
  added?: string;
  /** Number by which values are multiplied. Default: 1. */
  factor?: number;
}

const of = (name: string, more: Omit<Source, 'name'> = {}): Source[] => [{ name, ...more }];
const usageAndLimit = (usage: string, limit: string): Source[] => [
  { name: usage, added: 'state="used"' },
  { name: limit, added: 'state="limit"' },
];

/** Names that metrics had in the version before, for dashboards and alerts that still use them. */
export const FORMER_METRICS: Readonly<Record<string, readonly Source[]>> = {
  touchstone_refused_total: of('touchstone_rejected_total'),
  touchstone_suspended_rules: of('touchstone_suspended_definitions'),
  touchstone_http_seconds: of('http_server_request_duration_seconds', {
    labels: { http_request_method: 'method', http_route: 'route', http_response_status_code: 'status' },
  }),
  touchstone_ingest_seconds: of('touchstone_ingest_duration_seconds'),
  touchstone_evaluation_seconds: of('touchstone_evaluation_duration_seconds'),
  touchstone_judge_seconds: of('touchstone_judge_call_duration_seconds'),
  touchstone_evaluation_queue: of('touchstone_evaluation_queue_length'),
  touchstone_memory_budget_bytes: usageAndLimit(
    'touchstone_memory_budget_usage_bytes',
    'touchstone_memory_budget_limit_bytes',
  ),
  touchstone_response_memory_bytes: usageAndLimit(
    'touchstone_response_memory_usage_bytes',
    'touchstone_response_memory_limit_bytes',
  ),
  touchstone_uploads: usageAndLimit('touchstone_active_uploads', 'touchstone_upload_limit'),
  touchstone_store_days_left: of('touchstone_store_time_left_seconds', { factor: 1 / 86_400 }),
  nodejs_eventloop_utilization: of('nodejs_eventloop_utilization_ratio'),
};

/** Adds the former metrics to a text in the format of Prometheus, with the values of the present ones. */
export function withFormerMetrics(text: string): string {
  const blocks = new Map(
    text
      .trimEnd()
      .split('\n\n')
      .map((block) => [/^# HELP (\S+)/.exec(block)?.[1] ?? '', block.split('\n')]),
  );
  const former = Object.entries(FORMER_METRICS).map(([name, sources]) =>
    sources.flatMap((source, index) => {
      const [, type = '', ...series] = blocks.get(source.name) ?? [];
      const head = [
        `# HELP ${name} Former name of ${sources.map((each) => each.name).join(' and ')}.`,
        type.replace(source.name, name),
      ];
      return [...(index === 0 ? head : []), ...series.map((line) => formerSeries(line, name, source))];
    }),
  );
  return `${[text.trimEnd(), ...former.map((lines) => lines.join('\n'))].join('\n\n')}\n`;
}

const SERIES = /^(?<name>[^\s{]+)(?:\{(?<labels>.*)\})? (?<value>\S+)$/;

function formerSeries(
  line: string,
  name: string,
  { name: present, labels = {}, added, factor }: Source,
): string {
  const parts = SERIES.exec(line)?.groups;
  if (!parts) return line;
  const { name: found = '', labels: given = '', value = '' } = parts;
  const renamed = Object.entries(labels).reduce(
    (list, [from, to]) => list.replace(new RegExp(`(^|,)${from}=`), `$1${to}=`),
    given,
  );
  const all = [renamed, added].filter(Boolean).join(',');
  const scaled = factor === undefined || value.endsWith('Inf') ? value : String(Number(value) * factor);
  return `${found.replace(present, name)}${all && `{${all}}`} ${scaled}`;
}
