import type { paths } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { PERIODS } from '../tests/test-query.ts';

type LedgerAnswer = paths['/v0/ingest/ledger']['get']['responses'][200]['content']['application/json'];
export type LedgerRow = LedgerAnswer['data'][number];

const PAGE = 100;
/** Most calls for one view: 5 000 rows, as of seven months with one key. */
const MAX_CALLS = 50;
const REFRESH_MS = 30_000;

/** Returns the rows of the ledger of a period, the newest hour first. */
export function useLedger(last: string, keyId: string) {
  return useApi(
    ['ledger', 'period', { last, keyId }],
    async (api, signal) => {
      const startDate = startOf(last, Date.now());
      const query = {
        ...(keyId !== '' && { keyId }),
        ...(startDate !== undefined && { startDate }),
        limit: PAGE,
      };
      const first = await api.GET('/v0/ingest/ledger', { params: { query }, signal });
      const total = Math.min(first.data?.pagination.total ?? 0, PAGE * MAX_CALLS);
      for (let skip = PAGE; first.data && skip < total; skip += PAGE) {
        const next = await api.GET('/v0/ingest/ledger', { params: { query: { ...query, skip } }, signal });
        if (!next.data) return next;
        first.data.data.push(...next.data.data);
      }
      return first;
    },
    { refresh: () => REFRESH_MS },
  );
}

const HOUR = 3_600_000;

/** Returns the beginning of the hour in which a period began; undefined for all time. */
export function startOf(last: string, now: number): string | undefined {
  const period = PERIODS[last]?.milliseconds;
  return period === undefined ? undefined : new Date(Math.floor((now - period) / HOUR) * HOUR).toISOString();
}
