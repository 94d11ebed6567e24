import type { paths } from '../../api/generated/schema.ts';
import { useAllRows } from '../api/use-all-rows.ts';
import { PERIODS } from '../tests/test-query.ts';

type LedgerAnswer = paths['/v0/ingest/ledger']['get']['responses'][200]['content']['application/json'];
export type LedgerRow = LedgerAnswer['data'][number];

/** Most rows of one view, as of seven months with one key. */
const MOST = 5_000;
const REFRESH_MS = 30_000;

/** Returns the rows of the ledger of a period, the newest hour first. */
export function useLedger(last: string, keyId: string) {
  const startDate = startOf(last, Date.now());
  const query = { ...(keyId !== '' && { keyId }), ...(startDate !== undefined && { startDate }) };
  return useAllRows('/v0/ingest/ledger', query, MOST, { refresh: () => REFRESH_MS });
}

const HOUR = 3_600_000;

/** Returns the beginning of the hour in which a period began; undefined for all time. */
export function startOf(last: string, now: number): string | undefined {
  const period = PERIODS[last]?.milliseconds;
  return period === undefined ? undefined : new Date(Math.floor((now - period) / HOUR) * HOUR).toISOString();
}
