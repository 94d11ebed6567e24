/** Names of the quotas of an organisation; those of an hour, a day or a month count from its begin. */
export const QUOTAS = [
  'applications',
  'streams',
  'uploads',
  'decodingSecondsOfHour',
  'storedBytes',
  'judgeDollarsOfDay',
  'judgeDollarsOfMonth',
] as const;

/** Use of one quota by an organisation. */
export interface Quota {
  name: (typeof QUOTAS)[number];
  used: number;
  /** Most that it may use; null = no limit. */
  limit: number | null;
}

/** Numbers of an organisation; those of time and cost count since the start. */
export interface OrganisationNumbers {
  id: string;
  applications: number;
  decodingSeconds: number;
  /** Bytes of traces, estimated. */
  storedBytes: number;
  /** Cost of judges, where a price is known. */
  judgeDollars: number;
  quotas: Quota[];
}

/** Most organisations with series of their own; all others are one. */
const MAX_SHOWN = 20;
const METRICS = [
  [
    'touchstone_organisation_decoding_seconds_total',
    'counter',
    'Time for which requests of an organisation occupied the threads that decode them.',
    ({ decodingSeconds }: OrganisationNumbers): number => decodingSeconds,
  ],
  [
    'touchstone_organisation_applications',
    'gauge',
    'Applications of an organisation.',
    ({ applications }: OrganisationNumbers): number => applications,
  ],
  [
    'touchstone_organisation_stored_bytes',
    'gauge',
    'Bytes of the traces of an organisation, estimated with their indexes.',
    ({ storedBytes }: OrganisationNumbers): number => storedBytes,
  ],
  [
    'touchstone_organisation_judge_cost_dollars_total',
    'counter',
    'Cost of the judges of an organisation in US dollars, where a price is known.',
    ({ judgeDollars }: OrganisationNumbers): number => judgeDollars,
  ],
] as const;

/**
 * Returns the metrics of organisations in the format of Prometheus: of those that used the most, and of `other`, the sum of the
 * rest. `only`: the one whose series are shown; null shows all.
 */
export function organisationMetrics(all: readonly OrganisationNumbers[], only: string | null): string {
  const own = all.filter(({ id }) => id === only);
  const shown = only === null ? largest(all) : own;
  return [
    ...METRICS.map(([name, type, help, valueOf]) => [
      ...head(name, type, help),
      ...shown.map((one) => series(name, [['organisation', one.id]], valueOf(one))),
    ]),
    quotaMetric(only === null ? nearestToLimit(all) : own),
  ]
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

const head = (name: string, type: string, help: string): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

const series = (
  name: string,
  labels: readonly (readonly [label: string, value: string])[],
  value: number,
): string =>
  `${name}{${labels.map(([label, text]) => `${label}=${JSON.stringify(text)}`).join(',')}} ${value}`;

function quotaMetric(shown: readonly OrganisationNumbers[]): string[] {
  const name = 'touchstone_organisation_quota_usage_ratio';
  return [
    ...head(
      name,
      'gauge',
      'Used part of each limit of an organisation, 1 = all; of those that are nearest to a limit.',
    ),
    ...shown.flatMap(({ id, quotas }) =>
      quotas
        .filter(({ limit }) => limit !== null)
        .map((quota) =>
          series(
            name,
            [
              ['organisation', id],
              ['quota', quota.name],
            ],
            shareOf(quota),
          ),
        ),
    ),
  ];
}

const shareOf = ({ used, limit }: Quota): number => (limit === null ? 0 : used / limit);
const nearest = ({ quotas }: OrganisationNumbers): number => Math.max(0, ...quotas.map(shareOf));

/** Returns the organisations that are nearest to a limit, the nearest one first; as many as have series of their own. */
export const nearestToLimit = (all: readonly OrganisationNumbers[]): OrganisationNumbers[] =>
  all
    .toSorted((one, other) => nearest(other) - nearest(one) || other.decodingSeconds - one.decodingSeconds)
    .slice(0, MAX_SHOWN);

function largest(all: readonly OrganisationNumbers[]): OrganisationNumbers[] {
  const sorted = all.toSorted((one, other) => other.decodingSeconds - one.decodingSeconds);
  const rest = sorted.slice(MAX_SHOWN);
  if (rest.length === 0) return sorted;
  const sum = (valueOf: (one: OrganisationNumbers) => number): number =>
    rest.reduce((total, one) => total + valueOf(one), 0);
  const other = {
    id: 'other',
    applications: sum(({ applications }) => applications),
    decodingSeconds: sum(({ decodingSeconds }) => decodingSeconds),
    storedBytes: sum(({ storedBytes }) => storedBytes),
    judgeDollars: sum(({ judgeDollars }) => judgeDollars),
    quotas: [],
  };
  return [...sorted.slice(0, MAX_SHOWN), other];
}
