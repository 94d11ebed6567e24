import { randomUUID } from 'node:crypto';
import type { Owner } from '../../contract/owner.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import type { DocumentFields } from '../documents/contract.ts';
import { readApplication } from '../applications/read-application.ts';
import type { Visit } from './visit.ts';
import { type OfJob, workIn } from './work.ts';

/** Stores a document that came from a scrape. */
export type InsertDocument = (
  database: Database,
  args: { owner: Owner; id: string; fields: DocumentFields; origin: { scrapeJobId: string }; at: number },
) => unknown;

export interface FoundPage {
  url: string;
  /** How many links away from the first page. */
  depth: number;
}

/** Adds those pages that are new, as long as there are fewer than the job may have. Throws `conflict`. */
export function addScrapePages(
  database: Database,
  { application, id, pages }: OfJob & { pages: readonly FoundPage[] },
): void {
  const { maxPages } = workIn(database, { application, id }, 'MAPPING').options;
  const found = database.all<{ url: string; finalUrl: string | null }>(
    'SELECT url, final_url AS finalUrl FROM scrape_page WHERE application = ? AND job_id = ?',
    application,
    id,
  );
  const known = new Set(found.flatMap(({ url, finalUrl }) => [url, finalUrl ?? url]));
  let seq = found.length;
  for (const { url, depth } of pages) {
    if (seq >= maxPages) return;
    if (known.has(url)) continue;
    known.add(url);
    database.run(
      `INSERT INTO scrape_page (application, job_id, seq, depth, state, url) VALUES (?, ?, ?, ?, 'FOUND', ?)`,
      application,
      id,
      seq++,
      depth,
      url,
    );
  }
}

/** A page that waits: to be fetched, or, `isRead`, to be made a document. */
interface WaitingPage {
  seq: number;
  url: string;
  isRead: boolean;
}

/** The first page of a job in one of these states; null when there is none. */
export function nextScrapePage(
  database: Database,
  { application, id, states }: OfJob & { states: readonly ('FOUND' | 'READ')[] },
): WaitingPage | null {
  const page = database.get<{ seq: number; url: string; state: string }>(
    `SELECT seq, url, state FROM scrape_page
     WHERE application = ? AND job_id = ? AND state IN (SELECT value FROM json_each(?)) ORDER BY seq LIMIT 1`,
    application,
    id,
    JSON.stringify(states),
  );
  return page ? { seq: page.seq, url: page.url, isRead: page.state === 'READ' } : null;
}

/** Keeps what a page says until it is made a document, and adds the pages it links to. Throws `conflict` when cancelled. */
export function storeVisit(
  database: Database,
  { application, id, seq, visit, at }: OfJob & { seq: number; visit: Visit; at: number },
): void {
  const { options } = workIn(database, { application, id }, 'MAPPING');
  if (!keepVisit(database, { application, id, seq, visit, at }) || visit.kind === 'failed') return;
  const { depth } = pageBySeq(database, { application, id, seq });
  if (depth >= options.maxDepth) return;
  const pages = visit.links.map((url) => ({ url, depth: depth + 1 }));
  addScrapePages(database, { application, id, pages });
}

/** Whether the page is one of its own, and not where another page is. */
function keepVisit(
  database: Database,
  { application, id, seq, visit, at }: OfJob & { seq: number; visit: Visit; at: number },
): boolean {
  database.run('UPDATE scrape_job SET modified_at = ? WHERE application = ? AND id = ?', at, application, id);
  const set = (columns: string, ...values: string[]): void => {
    database.run(
      `UPDATE scrape_page SET ${columns} WHERE application = ? AND job_id = ? AND seq = ?`,
      ...values,
      application,
      id,
      seq,
    );
  };
  if (visit.kind === 'failed') {
    set(`state = 'FAILED', error = ?`, visit.error);
    return true;
  }
  const { finalUrl } = visit;
  const other = database.get<{ seq: number; state: string }>(
    `SELECT seq, state FROM scrape_page WHERE application = ?1 AND job_id = ?2 AND seq <> ?3
       AND (url = ?4 OR final_url = ?4) AND state IN ('FOUND', 'READ', 'DONE')`,
    application,
    id,
    seq,
    finalUrl,
  );
  if (other && other.state !== 'FOUND') {
    set(`state = 'MOVED'`);
    return false;
  }
  if (other)
    database.run(
      `UPDATE scrape_page SET state = 'MOVED' WHERE application = ? AND job_id = ? AND seq = ?`,
      application,
      id,
      other.seq,
    );
  const { title, description, content } = visit;
  set(
    `state = 'READ', final_url = nullif(?, url), title = ?, description = ?, content = ?`,
    finalUrl,
    title,
    description,
    content,
  );
  return true;
}

interface PageRow {
  url: string;
  depth: number;
  title: string | null;
  description: string | null;
  content: string | null;
}

function pageBySeq(database: Database, { application, id, seq }: OfJob & { seq: number }): PageRow {
  return database.get<PageRow>(
    `SELECT coalesce(final_url, url) AS url, depth, title, description, content FROM scrape_page
     WHERE application = ? AND job_id = ? AND seq = ?`,
    application,
    id,
    seq,
  ) as PageRow;
}

interface StoreScrapedPage extends OfJob {
  seq: number;
  /** null when the page was read while the site was mapped. */
  visit: Visit | null;
  at: number;
}

/** Makes a document of a page, once. Throws `conflict` when the job was cancelled. */
export const storeScrapedPage =
  (insertDocument: InsertDocument) =>
  (database: Database, { application, id, seq, visit, at }: StoreScrapedPage): void => {
    const { options, quickstartId } = workIn(database, { application, id }, 'IN_PROGRESS');
    if (visit && (!keepVisit(database, { application, id, seq, visit, at }) || visit.kind === 'failed'))
      return;
    const { url, title, description, content } = pageBySeq(database, { application, id, seq });
    const { type, topicId, assignee } = options;
    const { id: applicationId, orgId } = readApplication(database, { application });
    insertDocument(database, {
      owner: { application, orgId, applicationId },
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
        metadata: { url, ...(description ? { description } : {}) },
      },
      origin: { scrapeJobId: id },
      at,
    });
    database.run(
      `UPDATE scrape_page SET state = 'DONE', content = NULL WHERE application = ? AND job_id = ? AND seq = ?`,
      application,
      id,
      seq,
    );
    database.run(
      'UPDATE scrape_job SET modified_at = ? WHERE application = ? AND id = ?',
      at,
      application,
      id,
    );
  };

/** Whether there is a quickstart that will yet make its drafts active. */
const isOpen = (database: Database, application: number, quickstartId: string | null): boolean =>
  database.get(
    `SELECT 1 FROM quickstart WHERE application = ? AND id = ? AND status NOT IN ('COMPLETING', 'COMPLETE')`,
    application,
    quickstartId,
  ) !== undefined;
