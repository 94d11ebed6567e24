import { randomUUID } from 'node:crypto';
import type { FieldsOf } from '../../storage/record.ts';
import type { Database } from '../../storage/database.ts';
import { valuesOf } from '../../storage/dialect.ts';
import { insertDocument } from '../documents/store.ts';
import { readOwner } from '../applications/read-application.ts';
import { addressOf, listedPages, pages } from './page-record.ts';
import { scrapeJobs } from './record.ts';
import type { Visit } from './visit.ts';
import { type OfJob, workIn } from './work.ts';

export interface FoundPage {
  url: string;
  /** Number of links between it and the first page. */
  depth: number;
}

/** Adds new pages, up to the limit of the job. Throws `conflict`. */
export function addScrapePages(
  database: Database,
  { application, id, pages: found }: OfJob & { pages: readonly FoundPage[] },
): void {
  const { maxPages } = workIn(database, { application, id }, 'MAPPING').options;
  const before = listedPages.all(database, application, 'job_id = :id', { id });
  const known = new Set(before.flatMap((page) => [page.url, addressOf(page)]));
  let seq = before.length;
  for (const { url, depth } of found) {
    if (seq >= maxPages) return;
    if (known.has(url)) continue;
    known.add(url);
    pages.insert(database, { application, at: 0 }, { jobId: id, seq: seq++, depth, state: 'FOUND', url });
  }
}

/** A waiting page: to be fetched, or, with `isRead`, to become a document. */
interface WaitingPage {
  seq: number;
  url: string;
  isRead: boolean;
}

/** Returns the first page of a job in one of these states; null when there is none. */
export function nextScrapePage(
  database: Database,
  { application, id, states }: OfJob & { states: readonly ('FOUND' | 'READ')[] },
): WaitingPage | null {
  const condition = `job_id = :id AND state IN ${valuesOf(':states')} ORDER BY seq LIMIT 1`;
  const [page] = listedPages.all(database, application, condition, { id, states: JSON.stringify(states) });
  return page ? { seq: page.seq, url: page.url, isRead: page.state === 'READ' } : null;
}

/**
 * Stores the content of a page until a document is created, and adds the pages that it links to. Throws `conflict`
 * when the job was cancelled.
 */
export function storeVisit(
  database: Database,
  { application, id, seq, visit, at }: OfJob & { seq: number; visit: Visit; at: number },
): void {
  const { options } = workIn(database, { application, id }, 'MAPPING');
  if (!keepVisit(database, { application, id, seq, visit, at }) || visit.kind === 'failed') return;
  const { depth } = pageBySeq(database, { application, id, seq });
  if (depth >= options.maxDepth) return;
  const linked = visit.links.map((url) => ({ url, depth: depth + 1 }));
  addScrapePages(database, { application, id, pages: linked });
}

const IS_PAGE = 'job_id = :id AND seq = :seq';
type OfPage = OfJob & { seq: number };

/** Stores the result of a visit; returns false when another page has the same address. */
function keepVisit(
  database: Database,
  { application, id, seq, visit, at }: OfPage & { visit: Visit; at: number },
): boolean {
  scrapeJobs.update(database, { application, id, at }, {});
  const setPage = (page: number, given: Parameters<typeof pages.updateAll>[2]): number =>
    pages.updateAll(database, { application, at }, given, IS_PAGE, { id, seq: page });
  if (visit.kind === 'failed') {
    setPage(seq, { state: 'FAILED', error: visit.error });
    return true;
  }
  const { finalUrl, title, description, content } = visit;
  const [other] = listedPages.all(
    database,
    application,
    `job_id = :id AND seq <> :seq AND (url = :finalUrl OR final_url = :finalUrl) AND state IN ('FOUND', 'READ', 'DONE')`,
    { id, seq, finalUrl },
  );
  if (other && other.state !== 'FOUND') {
    setPage(seq, { state: 'MOVED' });
    return false;
  }
  if (other) setPage(other.seq, { state: 'MOVED' });
  const { url } = pageBySeq(database, { application, id, seq });
  setPage(seq, { state: 'READ', finalUrl: finalUrl === url ? null : finalUrl, title, description, content });
  return true;
}

const pageBySeq = (database: Database, { application, id, seq }: OfPage): FieldsOf<typeof pages> =>
  pages.all(database, application, IS_PAGE, { id, seq })[0] as FieldsOf<typeof pages>;

interface StoreScrapedPage extends OfJob {
  seq: number;
  /** Visit of the page; null when the page was read while the site was mapped. */
  visit: Visit | null;
  at: number;
}

/** Creates a document from a page, once. Throws `conflict` when the job was cancelled. */
export function storeScrapedPage(
  database: Database,
  { application, id, seq, visit, at }: StoreScrapedPage,
): void {
  const { options, quickstartId } = workIn(database, { application, id }, 'IN_PROGRESS');
  if (visit && (!keepVisit(database, { application, id, seq, visit, at }) || visit.kind === 'failed')) return;
  const page = pageBySeq(database, { application, id, seq });
  const { title, description, content } = page;
  const { type, topicId, assignee } = options;
  insertDocument(database, {
    owner: readOwner(database, { application }),
    id: randomUUID(),
    fields: {
      title: title ?? '',
      content: content ?? '',
      type,
      status: isOpen(database, application, quickstartId) ? 'DRAFT' : 'ACTIVE',
      assignee,
      isVerified: false,
      topicId,
      quickstartId,
      metadata: { url: addressOf(page), ...(description ? { description } : {}) },
    },
    origin: { scrapeJobId: id },
    at,
  });
  const done = { state: 'DONE', content: null } as const;
  pages.updateAll(database, { application, at }, done, IS_PAGE, { id, seq });
  scrapeJobs.update(database, { application, id, at }, {});
}

/** Reports whether there is a quickstart that has yet to activate its drafts. */
const isOpen = (database: Database, application: number, quickstartId: string | null): boolean =>
  database.get(
    `SELECT 1 FROM quickstart WHERE application = :application AND id = :quickstartId AND status NOT IN ('COMPLETING', 'COMPLETE')`,
    { application, quickstartId },
  ) !== undefined;
