import type { GuardedClient } from '../../deliver/guarded-client.ts';
import { AppError } from '../../errors.ts';
import type { ClaimedJob } from '../../jobs/claim.ts';
import type { JobKind } from '../../jobs/job-kind.ts';
import type { Read, Write } from '../../storage/calls.ts';
import {
  addScrapePages,
  failScrape,
  finishMapping,
  finishScrape,
  nextScrapePage,
  scrapeWork,
  setScrapeStatus,
  storeScrapedPage,
  storeVisit,
} from './calls.ts';
import { readPageUrl } from './page-url.ts';
import type { FoundPage } from './page-store.ts';
import { isScrapeOver } from './states.ts';
import { openSite, type Site } from './visit.ts';
import { type OfJob, SCRAPE, type ScrapeWork } from './work.ts';

/** Most sites fetched from at once: in total, and for one application. */
const TOTAL = 4;
const PER_APPLICATION = 2;
/** Most runs, including those interrupted by the end of the process. */
const MAX_RUNS = 10;
/** Number of times that a site may be unreachable before the job fails. */
const MAX_FAULTS = 3;
const PAUSE_MS = 250;

export interface ScrapeDeps {
  read: Read;
  write: Write;
  client: GuardedClient;
  now: () => number;
  /** Pause between two requests to a site. */
  pauseMs?: number;
}

/** Declares the jobs of scraping. */
export const scrapeKinds = (deps: ScrapeDeps): Record<string, JobKind> => ({ [SCRAPE]: scrapeKind(deps) });

/**
 * Declares the jobs of the kind SCRAPE. They work page by page, so that a run continues where an interrupted one
 * stopped.
 */
function scrapeKind(deps: ScrapeDeps): JobKind {
  const { read, write, now } = deps;
  return {
    total: TOTAL,
    perApplication: PER_APPLICATION,
    maxAttempts: 2 * MAX_RUNS,
    // Only the page in progress is lost, and a stop does not wait for other sites.
    graceMs: 0,
    run: async ({ id: jobId, application, key: id, attempt }: ClaimedJob, signal) => {
      const job = { application, id };
      try {
        if (attempt > MAX_RUNS)
          throw new AppError('conflict', 'The service could not finish the scrape job.');
        const work = await read(scrapeWork, job);
        if (isScrapeOver(work.status))
          throw new AppError('conflict', `The scrape job is already ${work.status}`);
        const run = new ScrapeRun(deps, job, work, signal);
        if (work.status === 'MAPPING') {
          const pages = await run.map();
          await write(finishMapping, { ...job, pages, jobId, at: now() });
        } else {
          await run.makeDocuments();
          await write(finishScrape, { ...job, jobId, at: now() });
        }
      } catch (error) {
        const isFinal = error instanceof AppError && (error.code !== 'unavailable' || attempt >= MAX_FAULTS);
        if (signal.aborted || !isFinal) throw error;
        // For a job that was cancelled in the meantime, this only ends the work.
        await write(failScrape, { ...job, jobId, reason: error.message, at: now() });
      }
    },
  };
}

class ScrapeRun {
  private readonly deps: ScrapeDeps;
  private readonly job: OfJob;
  private readonly work: ScrapeWork;
  private readonly start: URL;
  private readonly signal: AbortSignal;

  constructor(deps: ScrapeDeps, job: OfJob, work: ScrapeWork, signal: AbortSignal) {
    this.deps = deps;
    this.job = job;
    this.work = work;
    this.start = readPageUrl(work.url) as URL;
    this.signal = signal;
  }

  /** Finds the pages. Returns those of the sitemap, or none when they were found and read by following links. */
  async map(): Promise<FoundPage[]> {
    const { job } = this;
    const { read, write, now } = this.deps;
    const { maxPages, maxDepth } = this.work.options;
    const site = await this.openSite();
    if (this.work.pageCount === 0) {
      const { href } = this.start;
      const first = (await site.allowed([href])).map((url) => ({ url, depth: 0 }));
      const named = maxDepth > 0 ? await site.mapped(maxPages) : [];
      if (named.length > 0) return [...first, ...named.map((url) => ({ url, depth: 1 }))];
      await write(addScrapePages, { ...job, pages: first });
    }
    for (;;) {
      const page = await read(nextScrapePage, { ...job, states: ['FOUND'] });
      if (!page) return [];
      const visit = await site.visit(page.url);
      await write(storeVisit, { ...job, seq: page.seq, visit, at: now() });
    }
  }

  async makeDocuments(): Promise<void> {
    const { job } = this;
    const { read, write, now } = this.deps;
    if (this.work.status === 'PENDING') await write(setScrapeStatus, { ...job, event: 'started', at: now() });
    let site: Site | null = null;
    for (;;) {
      const page = await read(nextScrapePage, { ...job, states: ['FOUND', 'READ'] });
      if (!page) return;
      this.signal.throwIfAborted();
      const visit = page.isRead ? null : await (site ??= await this.openSite()).visit(page.url);
      await write(storeScrapedPage, { ...job, seq: page.seq, visit, at: now() });
    }
  }

  private openSite(): Promise<Site> {
    const { client, pauseMs = PAUSE_MS } = this.deps;
    const { origin } = this.start;
    const { pathPrefix } = this.work.options;
    return openSite({ client, scope: { origin, pathPrefix }, pauseMs, signal: this.signal });
  }
}
