import type { Pagination } from '../../contract/paging.ts';
import { type SqlFragment, oneOf } from '../../storage/sql.ts';
import type { Owner } from '../../contract/owner.ts';
import { enqueueJob } from '../../jobs/store.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import { listRows } from '../../storage/list-rows.ts';
import { requireRows } from '../require-rows.ts';
import { LISTED_PAGES, type NewScrapeJob, type ScrapeJob, type ScrapeJobsQuery } from './contract.ts';
import { type ById, COLUMNS, getScrapeJob, recordOf, type Row } from './record.ts';
import type { InsertDocument } from './page-store.ts';
import { progressCommands, progressQueries } from './progress.ts';
import { SCRAPE, setStatus } from './work.ts';

/** Begins a scrape job. Throws `not_found` of the topic or the quickstart. */
function createScrapeJob(
  database: Database,
  { owner, id, job, at }: ById & { job: NewScrapeJob; at: number },
): ScrapeJob {
  const { application } = owner;
  const { maxPages, maxDepth, pathPrefix, type, topicId, quickstartId, assignee } = job;
  if (topicId !== null) requireRows(database, application, 'topic', [topicId]);
  if (quickstartId !== null) requireRows(database, application, 'quickstart', [quickstartId]);
  database.run(
    `INSERT INTO scrape_job (id, application, initiated_by, name, url, status, quickstart_status, quickstart_id, options,
       created_at, modified_at)
     VALUES (?1, ?2, ?3, ?4, ?5, 'MAPPING', ?6, ?7, ?8, ?9, ?9)`,
    id,
    application,
    job.initiatedBy,
    job.name,
    job.url,
    quickstartId === null ? 'NOT_ASSOCIATED' : 'PENDING',
    quickstartId,
    JSON.stringify({ maxPages, maxDepth, pathPrefix, type, topicId, assignee }),
    at,
  );
  enqueueJob(database, { application, kind: SCRAPE, key: id, dueAt: at, at });
  return getScrapeJob(database, { owner, id });
}

/** Its documents stay. Throws `not_found`, and `conflict` when it is over. */
function cancelScrapeJob(database: Database, { owner, id, at }: ById & { at: number }): ScrapeJob {
  const { application } = owner;
  setStatus(database, { application, id, event: 'cancelled', reason: 'It was cancelled.', at });
  // A run that is under way sees the status by itself.
  database.run(`DELETE FROM job WHERE kind = ? AND key = ? AND state <> 'running'`, SCRAPE, id);
  return getScrapeJob(database, { owner, id });
}

const ORDER = {
  createdAt: 'created_at',
  modifiedAt: 'modified_at',
  name: 'name',
  status: 'status',
  id: 'id',
};

function listScrapeJobs(
  database: Database,
  { owner, query: { status, quickstartId, ...page } }: { owner: Owner; query: ScrapeJobsQuery },
): { data: ScrapeJob[]; pagination: Pagination } {
  const where: SqlFragment[] = [];
  if (status) where.push(oneOf('status', status));
  if (quickstartId) where.push(oneOf('quickstart_id', quickstartId));
  const { rows, pagination } = listRows<Row, keyof typeof ORDER>(database, {
    application: owner.application,
    table: 'scrape_job',
    columns: COLUMNS,
    where,
    order: ORDER,
    page,
  });
  return { data: rows.map((row) => recordOf(database, row, owner, LISTED_PAGES)), pagination };
}

export const scrapeJobCommands = (insertDocument: InsertDocument) => ({
  createScrapeJob,
  cancelScrapeJob,
  ...progressCommands(insertDocument),
});
export const scrapeJobQueries = { getScrapeJob, listScrapeJobs, ...progressQueries };
