import { enqueueJob, finishJob } from '../../jobs/store.ts';
import type { Database } from '../../storage/database.ts';
import {
  addScrapePages,
  type FoundPage,
  nextScrapePage,
  storeScrapedPage,
  storeVisit,
} from './page-store.ts';
import { isScrapeOver } from './states.ts';
import { type OfJob, SCRAPE, scrapeWork, setStatus } from './work.ts';

/** Stores the last found pages; the job then waits for its turn. Throws `conflict` when it was cancelled. */
function finishMapping(
  database: Database,
  { application, id, pages, jobId, at }: OfJob & { pages: readonly FoundPage[]; jobId: number; at: number },
): void {
  addScrapePages(database, { application, id, pages });
  setStatus(database, { application, id, event: 'mapped', at });
  finishJob(database, jobId);
  enqueueJob(database, { application, kind: SCRAPE, key: id, dueAt: at, at });
}

/** Ends a scrape job after its last page. A job without a document has failed. */
function finishScrape(
  database: Database,
  { application, id, jobId, at }: OfJob & { jobId: number; at: number },
): void {
  const first = database.get<{ state: string; error: string | null }>(
    `SELECT state, error FROM scrape_page WHERE application = :application AND job_id = :id AND state IN ('DONE', 'FAILED')
     ORDER BY state, seq LIMIT 1`,
    { application, id },
  );
  if (first?.state === 'DONE') setStatus(database, { application, id, event: 'completed', at });
  else {
    const reason = `No document could be created. ${first?.error ?? 'The robots.txt of the site allows no page to be fetched.'}`;
    setStatus(database, { application, id, event: 'failed', reason, at });
  }
  finishJob(database, jobId);
}

/** Marks a scrape job as failed, unless it has ended. */
function failScrape(
  database: Database,
  { application, id, jobId, reason, at }: OfJob & { jobId: number; reason: string; at: number },
): void {
  const { status } = scrapeWork(database, { application, id });
  if (!isScrapeOver(status)) setStatus(database, { application, id, event: 'failed', reason, at });
  finishJob(database, jobId);
}

export const progressCommands = {
  addScrapePages,
  setScrapeStatus: setStatus,
  finishMapping,
  storeVisit,
  storeScrapedPage,
  finishScrape,
  failScrape,
};
export const progressQueries = { scrapeWork, nextScrapePage };
