import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { scrapeJobCommands, scrapeJobQueries } from './store.ts';

export const {
  createScrapeJob,
  cancelScrapeJob,
  addScrapePages,
  setScrapeStatus,
  finishMapping,
  storeVisit,
  storeScrapedPage,
  finishScrape,
  failScrape,
} = commandsOf<typeof scrapeJobCommands>();
export const { getScrapeJob, listScrapeJobs, scrapeWork, nextScrapePage } =
  queriesOf<typeof scrapeJobQueries>();
