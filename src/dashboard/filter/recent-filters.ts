/** Filters that were used in this browser. */
const PREFIX = 'touchstone.filters.';
/** Filters that are kept for each screen of an application. */
const MAX_FILTERS = 50;

export interface RecentFilter {
  line: string;
  /** Unix milliseconds of its last use. */
  at: number;
}

/** A screen of an application. */
export interface FilterScope {
  applicationId: string;
  screen: string;
}

const keyOf = ({ applicationId, screen }: FilterScope): string => `${PREFIX}${applicationId}.${screen}`;

/** Returns the filters of a screen, the latest first. */
export function recentFilters(scope: FilterScope): RecentFilter[] {
  try {
    const stored = JSON.parse(localStorage.getItem(keyOf(scope)) ?? '[]') as unknown;
    return Array.isArray(stored) ? stored.filter(isRecent) : [];
  } catch {
    return [];
  }
}

const isRecent = (value: unknown): value is RecentFilter =>
  typeof value === 'object' &&
  value !== null &&
  'line' in value &&
  typeof value.line === 'string' &&
  'at' in value &&
  typeof value.at === 'number';

/** Keeps a filter that was used. */
export function rememberFilter(scope: FilterScope, line: string, at = Date.now()): void {
  if (line === '') return;
  const others = recentFilters(scope).filter((one) => one.line !== line);
  try {
    localStorage.setItem(keyOf(scope), JSON.stringify([{ line, at }, ...others].slice(0, MAX_FILTERS)));
  } catch {
    // The storage of the browser is full or switched off: the filter works all the same.
  }
}

/** Removes all filters, which may name users, when someone signs out. */
export function forgetFilters(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}
