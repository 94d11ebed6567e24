import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { several } from '../../contract/query.ts';
import { dateTime, uuid } from '../../contract/values.ts';
import { documentType } from '../../contract/document-type.ts';
import { MAX_URL, readPageUrl } from './page-url.ts';
import { SCRAPE_STATUSES } from './states.ts';

const status = z
  .enum(SCRAPE_STATUSES)
  .describe(
    '`MAPPING`: its pages are being found; `PENDING`: they are, and it waits for its turn; `IN_PROGRESS`: they are being made documents; `COMPLETED`, or `FAILED` with a `reason`.',
  );

const MAX_PAGES = 500;
const MAX_DEPTH = 5;
/** Pages of each kind that a list shows for each job. */
export const LISTED_PAGES = 10;

const maxPages = z.int().min(1).max(MAX_PAGES);
const maxDepth = z.int().min(0).max(MAX_DEPTH);

const page = z.object({
  url: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  category: z.string().optional().describe('The first part of its path, if the path has several.'),
});
const failedPage = z.object({ url: z.string(), error: z.string() });

export const scrapeJob = namedObject('ScrapeJob', {
  id: uuid,
  orgId: z.string(),
  applicationId: uuid,
  createdAt: dateTime,
  modifiedAt: dateTime,
  initiatedBy: z.string().describe('A user, or the `keyId` of the API key.'),
  name: z.string(),
  url: z.string(),
  status,
  reason: z.string().nullable().describe('Why it failed.'),
  quickstartStatus: z
    .enum(['NOT_ASSOCIATED', 'PENDING', 'COMPLETED'])
    .describe('Whether the quickstart it belongs to, if any, has got its documents.'),
  quickstartId: uuid.nullable(),
  topicId: uuid.nullable(),
  type: documentType,
  assignee: z.string().nullable(),
  maxPages,
  maxDepth,
  pathPrefix: z.string().nullable(),
  pages: z
    .array(page)
    .describe(
      `The pages found so far; once it is over, those that were made documents. In lists the first ${LISTED_PAGES}.`,
    ),
  failedPages: z
    .array(failedPage)
    .describe(`The pages of which no document was made. In lists the first ${LISTED_PAGES}.`),
});
export type ScrapeJob = z.input<typeof scrapeJob>;

const assignee = z.string().trim().min(1).max(256);

export const createScrapeJobBody = z
  .object({
    name: z.string().trim().min(1).max(256),
    url: z
      .string()
      .max(MAX_URL)
      .refine((url) => readPageUrl(url) !== null, {
        error: 'must be a URL such as https://example.org/docs, without a user name or password',
        params: { code: 'invalid_string' },
      })
      .describe('Where to begin. Only pages of its host and port are fetched.'),
    maxPages: maxPages.default(50).describe('How many pages to fetch at most, those that fail included.'),
    maxDepth: maxDepth
      .default(2)
      .describe(
        'How many links away from `url` a page may be. A page of the sitemap counts as one link away.',
      ),
    pathPrefix: z
      .string()
      .max(MAX_URL)
      .regex(/^\//, 'must begin with /')
      .nullable()
      .default(null)
      .describe('Only pages whose path begins so are fetched; `url` is to be one of them.'),
    type: documentType.default('KNOWLEDGE').describe('Of the documents.'),
    topicId: uuid.nullable().default(null).describe('Of the documents.'),
    quickstartId: uuid
      .nullable()
      .default(null)
      .describe('The quickstart it belongs to; its documents are drafts until that completes.'),
    assignee: assignee.nullable().default(null).describe('Of the documents: an identifier of a user.'),
    initiatedBy: assignee
      .optional()
      .describe('An identifier of a user. Default: the `keyId` of the API key.'),
  })
  .refine(({ url, pathPrefix }) => pathPrefix === null || isUnder(url, pathPrefix), {
    path: ['pathPrefix'],
    error: 'must be what the path of url begins with',
  });
export type NewScrapeJob = z.output<typeof createScrapeJobBody> & { initiatedBy: string };

/** Limits of a job, and the fields of its documents. */
export type ScrapeOptions = Pick<
  NewScrapeJob,
  'maxPages' | 'maxDepth' | 'pathPrefix' | 'type' | 'topicId' | 'assignee'
>;

const isUnder = (url: string, pathPrefix: string): boolean =>
  readPageUrl(url)?.pathname.startsWith(pathPrefix) ?? true;

export const scrapeJobsQuery = z.object({
  ...paging(['createdAt', 'modifiedAt', 'name', 'status', 'id']),
  status: several(status).describe('Scrape jobs with one of these statuses.'),
  quickstartId: several(uuid).describe('Scrape jobs of one of these quickstarts.'),
});
export type ScrapeJobsQuery = z.output<typeof scrapeJobsQuery>;
