import type { UseQueryResult } from '@tanstack/react-query';
import type { QueryReportBody, Report } from '../../api/generated/schema.ts';
import { useCall } from '../api/use-api.ts';

/** Returns a report. Reports with equal bodies share one response. */
export const useReport = (body: QueryReportBody, { enabled = true } = {}): UseQueryResult<Report> =>
  useCall(
    '/v0/reporting/query',
    { query: { ...body } },
    (api, signal) => api.POST('/v0/reporting/query', { body, signal }),
    { enabled, keepsRows: true },
  );

const WEEK_MS = 7 * 24 * 3_600_000;
const MINUTE_MS = 60_000;

/** Returns the moment `weeks` weeks ago, to the minute so that calls repeat. */
export const weeksAgo = (weeks: number, now = Date.now()): string =>
  new Date(Math.ceil((now - weeks * WEEK_MS) / MINUTE_MS) * MINUTE_MS).toISOString();

/** Returns the start of the last 30 days, to the minute. */
export const monthAgo = (): string => weeksAgo(30 / 7);

/** Returns the name of a group of a report; null for rows without a value. */
export function groupName(group: Report['data'][number]['groups'][string] | undefined): string | null {
  if (group === null || group === undefined) return null;
  return typeof group === 'object' ? group.name : String(group);
}

/** Returns the id of a group that is a record; null for rows without one. */
export const groupId = (group: Report['data'][number]['groups'][string] | undefined): string | null =>
  typeof group === 'object' && group !== null ? group.id : null;
