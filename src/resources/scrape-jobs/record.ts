import type { ById, Owner } from '../../contract/owner.ts';
import { asIs, json, nullable, text } from '../../storage/column.ts';
import { record, type RecordOf } from '../../storage/record.ts';
import type { Database } from '../../storage/database.ts';
import { valuesOf } from '../../storage/dialect.ts';
import type { ScrapeJob, ScrapeOptions } from './contract.ts';
import { addressOf, type ListedPage, listedPages, type PageState } from './page-record.ts';
import { categoryOf } from './page-url.ts';
import { isScrapeOver } from './states.ts';

export const scrapeJobs = record('scrape_job', 'scrape job', {
  initiatedBy: asIs<ScrapeJob['initiatedBy']>(),
  name: asIs<ScrapeJob['name']>(),
  url: text,
  status: asIs<ScrapeJob['status']>(),
  reason: nullable(text),
  quickstartStatus: asIs<ScrapeJob['quickstartStatus']>(),
  quickstartId: nullable(text),
  options: json<ScrapeOptions>(),
});

/** Returns a scrape job with all its pages. Throws `not_found`. */
export const getScrapeJob = (database: Database, { owner, id }: ById): ScrapeJob =>
  withPages(database, scrapeJobs.get(database, { owner, id }), owner, Number.MAX_SAFE_INTEGER);

/** Returns a scrape job with at most `limit` pages, and as many failed ones. */
export function withPages(
  database: Database,
  { options, ...job }: RecordOf<typeof scrapeJobs>,
  { application }: Owner,
  limit: number,
): ScrapeJob {
  const pagesIn = (states: readonly PageState[]): ListedPage[] =>
    listedPages.all(
      database,
      application,
      `job_id = :id AND state IN ${valuesOf(':states')} ORDER BY seq LIMIT :limit`,
      { id: job.id, states: JSON.stringify(states), limit },
    );
  return {
    ...job,
    ...options,
    pages: pagesIn(isScrapeOver(job.status) ? ['DONE'] : ['FOUND', 'READ', 'DONE']).map(pageOf),
    failedPages: pagesIn(['FAILED']).map((page) => ({ url: addressOf(page), error: page.error ?? '' })),
  };
}

function pageOf(page: ListedPage): ScrapeJob['pages'][number] {
  const { title, description } = page;
  const url = addressOf(page);
  const category = categoryOf(url);
  return {
    url,
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
    ...(category === undefined ? {} : { category }),
  };
}
