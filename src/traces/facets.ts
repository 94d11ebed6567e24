import type { Database } from '../storage/database.ts';
import type { Owner } from '../contract/owner.ts';
import { type ShownSearch, shownSearch } from './list.ts';
import { type TraceFilter, TraceWhere } from './trace-where.ts';

/** Traces that are counted at most: the newest that meet the filters. */
const MAX_TRACES = 10_000;
/** Values of each facet, the most frequent first. */
const MAX_VALUES = 20;

export const FACETS = [
  'name',
  'status',
  'model',
  'service',
  'environment',
  'provider',
  'kind',
  'tag',
] as const;
type Facet = (typeof FACETS)[number];

export interface FacetValue {
  value: string;
  traces: number;
}

export interface TraceFacets extends ShownSearch {
  /** Number of traces that were counted. */
  traces: number;
  /** True if there are more, older ones. */
  isTruncated: boolean;
  facets: Record<Facet, FacetValue[]>;
}

interface Row {
  rootName: string;
  errorCount: number;
  models: string;
  services: string;
  attributes: string;
}

/** Counts the traces that meet the filters by their most frequent names, models, services and so on. */
export function traceFacets(
  database: Database,
  { filter, ...owner }: Owner & { filter: TraceFilter },
): TraceFacets {
  const where = new TraceWhere(database, owner.application, filter);
  const rows = database.all<Row>(
    `SELECT root_name AS rootName, error_count AS errorCount, models, services, attributes FROM trace
     WHERE ${where.sql} ORDER BY start_ns DESC, trace_id DESC LIMIT ?`,
    ...where.values,
    MAX_TRACES + 1,
  );
  const counted = rows.slice(0, MAX_TRACES);
  const counts = new Map(FACETS.map((facet) => [facet, new Map<string, number>()]));
  for (const row of counted) {
    for (const [facet, value] of valuesOf(row)) {
      const values = counts.get(facet);
      values?.set(value, (values.get(value) ?? 0) + 1);
    }
  }
  const facets = Object.fromEntries(FACETS.map((facet) => [facet, mostFrequent(counts.get(facet))]));
  return {
    traces: counted.length,
    isTruncated: rows.length > MAX_TRACES,
    facets: facets as TraceFacets['facets'],
    ...shownSearch(where),
  };
}

/** Returns the values of a trace, each once. */
function valuesOf(row: Row): (readonly [Facet, string])[] {
  const attributes = JSON.parse(row.attributes) as [key: string, value: string][];
  return [
    ['name', row.rootName],
    ['status', row.errorCount > 0 ? 'error' : 'ok'],
    ...(JSON.parse(row.models) as string[]).map((model) => ['model', model] as const),
    ...(JSON.parse(row.services) as string[]).map((service) => ['service', service] as const),
    ...attributes.flatMap(([key, value]) => (isAttributeFacet(key) ? [[key, value] as const] : [])),
  ];
}

const isAttributeFacet = (key: string): key is Facet =>
  key === 'environment' || key === 'provider' || key === 'kind' || key === 'tag';

function mostFrequent(counts: ReadonlyMap<string, number> = new Map()): FacetValue[] {
  return [...counts]
    .map(([value, traces]) => ({ value, traces }))
    .sort((a, b) => b.traces - a.traces || (a.value < b.value ? -1 : 1))
    .slice(0, MAX_VALUES);
}
