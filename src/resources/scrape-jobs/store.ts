import type { ListOf } from '../../contract/paging.ts';
import { oneOfEach } from '../../storage/sql.ts';
import type { ById, Owner } from '../../contract/owner.ts';
import { cancelJob, enqueueJob } from '../../jobs/store.ts';
import type { Database } from '../../storage/database.ts';
import { LISTED_PAGES, type NewScrapeJob, type ScrapeJob, type ScrapeJobsQuery } from './contract.ts';
import { getScrapeJob, scrapeJobs, withPages } from './record.ts';
import { progressCommands, progressQueries } from './progress.ts';
import { SCRAPE, setStatus } from './work.ts';
import { quickstarts } from '../quickstarts/record.ts';
import { topics } from '../topics/record.ts';

/** Creates a scrape job. Throws `not_found` for the topic or the quickstart. */
function createScrapeJob(
  database: Database,
  { owner, id, job, at }: ById & { job: NewScrapeJob; at: number },
): ScrapeJob {
  const { application } = owner;
  const { initiatedBy, name, url, topicId, quickstartId, ...options } = job;
  topics.requireAll(database, application, [topicId]);
  quickstarts.requireAll(database, application, [quickstartId]);
  scrapeJobs.insert(
    database,
    { application, at },
    {
      id,
      initiatedBy,
      name,
      url,
      status: 'MAPPING',
      reason: null,
      quickstartStatus: quickstartId === null ? 'NOT_ASSOCIATED' : 'PENDING',
      quickstartId,
      options: { ...options, topicId },
    },
  );
  enqueueJob(database, { application, kind: SCRAPE, key: id, dueAt: at, at });
  return getScrapeJob(database, { owner, id });
}

/** Cancels a job; its documents remain. Throws `not_found`, and `conflict` when it has ended. */
function cancelScrapeJob(database: Database, { owner, id, at }: ById & { at: number }): ScrapeJob {
  const { application } = owner;
  setStatus(database, { application, id, event: 'cancelled', reason: 'The scrape job was cancelled.', at });
  // A run in progress checks the status itself.
  cancelJob(database, { kind: SCRAPE, key: id });
  return getScrapeJob(database, { owner, id });
}

function listScrapeJobs(
  database: Database,
  { owner, query: { status, quickstartId, ...page } }: { owner: Owner; query: ScrapeJobsQuery },
): ListOf<ScrapeJob> {
  const where = oneOfEach({ status, quickstart_id: quickstartId });
  const found = scrapeJobs.list(database, owner, { where, page });
  const data = found.data.map((job) => withPages(database, job, owner, LISTED_PAGES));
  return { data, pagination: found.pagination };
}

export const scrapeJobCommands = { createScrapeJob, cancelScrapeJob, ...progressCommands };
export const scrapeJobQueries = { getScrapeJob, listScrapeJobs, ...progressQueries };
