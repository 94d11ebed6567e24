import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import type { ScrapeOptions } from './contract.ts';
import { scrapeJobs } from './record.ts';
import { isScrapeOver, nextStatus, type ScrapeEvent, type ScrapeStatus } from './states.ts';

/** Kind of the jobs that scrape; their key is the id of the scrape job. */
export const SCRAPE = 'scrape';

export interface OfJob {
  application: number;
  id: string;
}

/** State of a scrape job that a run needs. */
export interface ScrapeWork {
  url: string;
  status: ScrapeStatus;
  options: ScrapeOptions;
  quickstartId: string | null;
  /** Number of pages found so far, in any state. */
  pageCount: number;
}

/** Returns the state of a scrape job; throws `not_found`. */
export function scrapeWork(database: Database, { application, id }: OfJob): ScrapeWork {
  const { url, status, options, quickstartId } = scrapeJobs.require(database, application, id);
  const counted = database.get<{ n: number }>(
    'SELECT count(*) AS n FROM scrape_page WHERE application = :application AND job_id = :id',
    { application, id },
  );
  return { url, status, options, quickstartId, pageCount: counted?.n ?? 0 };
}

/** Returns the state of a job with this status. Throws `conflict` too when it was cancelled. */
export function workIn(database: Database, job: OfJob, status: ScrapeStatus): ScrapeWork {
  const work = scrapeWork(database, job);
  if (work.status !== status) throw new AppError('conflict', `The scrape job is already ${work.status}`);
  return work;
}

/** Changes the status of a scrape job. Throws `not_found` and `conflict`. */
export function setStatus(
  database: Database,
  {
    application,
    id,
    event,
    reason = null,
    at,
  }: OfJob & { event: ScrapeEvent; reason?: string | null; at: number },
): void {
  const before = scrapeJobs.require(database, application, id);
  const status = nextStatus(before.status, event);
  const isForQuickstart = status === 'COMPLETED' && before.quickstartId !== null;
  const quickstartStatus = isForQuickstart ? 'COMPLETED' : undefined;
  scrapeJobs.update(database, { application, id, at }, { status, reason, quickstartStatus });
  // Deletes texts of pages that will not become documents.
  if (isScrapeOver(status))
    database.run(
      `DELETE FROM scrape_page WHERE application = :application AND job_id = :id AND state NOT IN ('DONE', 'FAILED')`,
      { application, id },
    );
}
