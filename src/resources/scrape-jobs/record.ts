import { isoTime } from '../../contract/values.ts';
import type { Owner } from '../../contract/owner.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import type { ScrapeJob, ScrapeOptions } from './contract.ts';
import { categoryOf } from './page-url.ts';
import { isOver } from './states.ts';

export interface ById {
  owner: Owner;
  id: string;
}

export type Row = Pick<
  ScrapeJob,
  'id' | 'initiatedBy' | 'name' | 'url' | 'status' | 'reason' | 'quickstartStatus' | 'quickstartId'
> & { options: string; createdAt: number; modifiedAt: number };

export const COLUMNS = `id, initiated_by AS initiatedBy, name, url, status, reason, quickstart_status AS quickstartStatus,
  quickstart_id AS quickstartId, options, created_at AS createdAt, modified_at AS modifiedAt`;

/** With all its pages. Throws `not_found`. */
export function getScrapeJob(database: Database, { owner, id }: ById): ScrapeJob {
  const row = database.get<Row>(
    `SELECT ${COLUMNS} FROM scrape_job WHERE application = ? AND id = ?`,
    owner.application,
    id,
  );
  if (!row) throw new AppError('not_found', 'scrape job not found');
  return recordOf(database, row, owner, Number.MAX_SAFE_INTEGER);
}

interface PageRow {
  url: string;
  title: string | null;
  description: string | null;
  error: string | null;
}

/** The record of a row with at most `limit` pages, and as many that failed. */
export function recordOf(database: Database, row: Row, owner: Owner, limit: number): ScrapeJob {
  const { application, orgId, applicationId } = owner;
  const pagesIn = (states: readonly string[]): PageRow[] =>
    database.all<PageRow>(
      `SELECT coalesce(final_url, url) AS url, title, description, error FROM scrape_page
       WHERE application = ? AND job_id = ? AND state IN (SELECT value FROM json_each(?)) ORDER BY seq LIMIT ?`,
      application,
      row.id,
      JSON.stringify(states),
      limit,
    );
  const { options, createdAt, modifiedAt, ...rest } = row;
  return {
    ...rest,
    ...(JSON.parse(options) as ScrapeOptions),
    orgId,
    applicationId,
    createdAt: isoTime(createdAt),
    modifiedAt: isoTime(modifiedAt),
    pages: pagesIn(isOver(row.status) ? ['DONE'] : ['FOUND', 'READ', 'DONE']).map(pageOf),
    failedPages: pagesIn(['FAILED']).map(({ url, error }) => ({ url, error: error ?? '' })),
  };
}

function pageOf({ url, title, description }: PageRow): ScrapeJob['pages'][number] {
  const category = categoryOf(url);
  return {
    url,
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
    ...(category === undefined ? {} : { category }),
  };
}
