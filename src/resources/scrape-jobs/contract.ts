import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { several } from '../../contract/query.ts';
import { recordFields } from '../../contract/record-fields.ts';
import { shortText, uuid } from '../../contract/values.ts';
import { documentType } from '../../contract/document-type.ts';
import { MAX_URL, readPageUrl } from './page-url.ts';
import { SCRAPE_STATUSES } from './states.ts';

const status = z
  .enum(SCRAPE_STATUSES)
  .describe(
    '`MAPPING`: its pages are being found; `PENDING`: all pages are known, and it waits for its turn; `IN_PROGRESS`: documents are being created; `COMPLETED`, or `FAILED` with a `reason`.',
  );

const MAX_PAGES = 500;
const MAX_DEPTH = 5;
/** Most pages of each kind that a list shows for each job. */
export const LISTED_PAGES = 10;

const maxPages = z.int().min(1).max(MAX_PAGES);
const maxDepth = z.int().min(0).max(MAX_DEPTH);

const page = z.object({
  url: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  category: z.string().optional().describe('First part of its path, if the path has several.'),
});
const failedPage = z.object({ url: z.string(), error: z.string() });

export const scrapeJob = namedObject('ScrapeJob', {
  ...recordFields,
  initiatedBy: z.string().describe('Identifier of a user, or the `keyId` of the API key.'),
  name: z.string(),
  url: z.string(),
  status,
  reason: z.string().nullable().describe('Reason of the failure.'),
  quickstartStatus: z
    .enum(['NOT_ASSOCIATED', 'PENDING', 'COMPLETED'])
    .describe('Progress of the documents for its quickstart, if it belongs to one.'),
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
      `Pages found so far; after its end, those with a document. Lists show the first ${LISTED_PAGES}.`,
    ),
  failedPages: z
    .array(failedPage)
    .describe(`Pages without a document. Lists show the first ${LISTED_PAGES}.`),
});
export type ScrapeJob = z.input<typeof scrapeJob>;

const assignee = shortText;

export const createScrapeJobBody = z
  .object({
    name: shortText,
    url: z
      .string()
      .max(MAX_URL)
      .refine((url) => readPageUrl(url) !== null, {
        error: 'must be a URL such as https://example.org/docs, without a user name or password',
        params: { code: 'invalid_string' },
      })
      .describe('URL to begin with. Only pages of its host and port are fetched.'),
    maxPages: maxPages.default(50).describe('Largest number of pages to fetch, including those that fail.'),
    maxDepth: maxDepth
      .default(2)
      .describe(
        'Largest number of links between `url` and a page. A page of the sitemap counts as one link away.',
      ),
    pathPrefix: z
      .string()
      .max(MAX_URL)
      .regex(/^\//, 'must begin with /')
      .nullable()
      .default(null)
      .describe('Path prefix of the pages to fetch, which `url` must have too.'),
    type: documentType.default('KNOWLEDGE').describe('Of the documents.'),
    topicId: uuid.nullable().default(null).describe('Of the documents.'),
    quickstartId: uuid
      .nullable()
      .default(null)
      .describe('Quickstart of the job; its documents are drafts until the quickstart completes.'),
    assignee: assignee.nullable().default(null).describe('Assignee of the documents: identifier of a user.'),
    initiatedBy: assignee.optional().describe('Identifier of a user. Default: the `keyId` of the API key.'),
  })
  .refine(({ url, pathPrefix }) => pathPrefix === null || isUnder(url, pathPrefix), {
    path: ['pathPrefix'],
    error: 'must be a prefix of the path of url',
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
