import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import type { ScrapeOptions } from './contract.ts';
import { isOver, nextStatus, type ScrapeEvent, type ScrapeStatus } from './states.ts';

/** The kind of the jobs that do the work; their key is the id of the scrape job. */
export const SCRAPE = 'scrape';

export interface OfJob {
  application: number;
  id: string;
}

/** What a run has to know of its scrape job. */
export interface ScrapeWork {
  url: string;
  status: ScrapeStatus;
  options: ScrapeOptions;
  quickstartId: string | null;
  /** Pages found so far, whatever became of them. */
  pageCount: number;
}

/** Throws `not_found`. */
export function scrapeWork(database: Database, { application, id }: OfJob): ScrapeWork {
  const row = database.get<Omit<ScrapeWork, 'options'> & { options: string }>(
    `SELECT url, status, options, quickstart_id AS quickstartId,
       (SELECT count(*) FROM scrape_page WHERE application = ?1 AND job_id = ?2) AS pageCount
     FROM scrape_job WHERE application = ?1 AND id = ?2`,
    application,
    id,
  );
  if (!row) throw new AppError('not_found', 'scrape job not found');
  return { ...row, options: JSON.parse(row.options) as ScrapeOptions };
}

/** The same of a job that is in this status. Throws `conflict` too: it was cancelled. */
export function workIn(database: Database, job: OfJob, status: ScrapeStatus): ScrapeWork {
  const work = scrapeWork(database, job);
  if (work.status !== status) throw new AppError('conflict', `The scrape job is ${work.status} already`);
  return work;
}

/** Takes a scrape job from one status to the next. Throws `not_found` and `conflict`. */
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
  const status = nextStatus(scrapeWork(database, { application, id }).status, event);
  database.run(
    `UPDATE scrape_job SET status = ?1, reason = ?2, modified_at = ?3,
       quickstart_status = iif(?1 = 'COMPLETED' AND quickstart_id IS NOT NULL, 'COMPLETED', quickstart_status)
     WHERE application = ?4 AND id = ?5`,
    status,
    reason,
    at,
    application,
    id,
  );
  // Texts of pages that will not become documents are of no use.
  if (isOver(status))
    database.run(
      `DELETE FROM scrape_page WHERE application = ? AND job_id = ? AND state NOT IN ('DONE', 'FAILED')`,
      application,
      id,
    );
}
