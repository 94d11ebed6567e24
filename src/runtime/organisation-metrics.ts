/** Applications and stored bytes of an organisation, and what it has used since the start. */
export interface OrganisationNumbers {
  id: string;
  applications: number;
  decodingSeconds: number;
  /** Bytes of traces, estimated. */
  storedBytes: number;
}

/** Most organisations with series of their own; all others are one. */
const MAX_SERIES = 20;
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
] as const;

/**
 * Returns the metrics of organisations in the format of Prometheus: of those that used the most, and of `other`, the sum of the
 * rest. `only`: the one whose series are shown; null shows all.
 */
export function organisationMetrics(all: readonly OrganisationNumbers[], only: string | null): string {
  const shown = only === null ? largest(all) : all.filter(({ id }) => id === only);
  return METRICS.map(([name, type, help, valueOf]) =>
    [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...shown.map((one) => `${name}{organisation=${JSON.stringify(one.id)}} ${valueOf(one)}`),
    ].join('\n'),
  ).join('\n\n');
}

function largest(all: readonly OrganisationNumbers[]): OrganisationNumbers[] {
  const sorted = all.toSorted((one, other) => other.decodingSeconds - one.decodingSeconds);
  const rest = sorted.slice(MAX_SERIES);
  if (rest.length === 0) return sorted;
  const sum = (valueOf: (one: OrganisationNumbers) => number): number =>
    rest.reduce((total, one) => total + valueOf(one), 0);
  const other = {
    id: 'other',
    applications: sum(({ applications }) => applications),
    decodingSeconds: sum(({ decodingSeconds }) => decodingSeconds),
    storedBytes: sum(({ storedBytes }) => storedBytes),
  };
  return [...sorted.slice(0, MAX_SERIES), other];
}
