import type { OperationNotes } from './note.ts';
import { dates, ID, owner, page } from './values.ts';

const text = 'Customers may return products within 30 days.';
const listedVersion = {
  id: ID.version,
  ...owner,
  ...dates,
  title: 'Returns',
  language: 'en',
  status: 'APPROVED',
  type: 'POLICY',
  versionNumber: 1,
  documentId: ID.document,
};
const version = { ...listedVersion, content: text, metadata: {}, originalSentences: [text] };
const fields = {
  id: ID.document,
  ...owner,
  ...dates,
  type: 'POLICY',
  optimized: false,
  isVerified: false,
  status: 'ACTIVE',
  title: 'Returns',
  assignee: 'ada',
  scrapeJobId: null,
  fileProcessingId: null,
  topicId: ID.topic,
  quickstartId: null,
  content: text,
};
const document = { ...fields, versions: [version] };

const scrapeJob = {
  id: ID.scrapeJob,
  ...owner,
  ...dates,
  initiatedBy: 'ada',
  name: 'Help pages',
  url: 'https://shop.example.com/help',
  status: 'COMPLETED',
  reason: null,
  quickstartStatus: 'NOT_ASSOCIATED',
  quickstartId: null,
  topicId: ID.topic,
  type: 'KNOWLEDGE',
  assignee: null,
  maxPages: 50,
  maxDepth: 2,
  pathPrefix: '/help',
  pages: [{ url: 'https://shop.example.com/help/returns', title: 'Returns', category: 'help' }],
  failedPages: [{ url: 'https://shop.example.com/help/old', error: 'The server answered 404' }],
};

/** Knowledge and policies, and where they are scraped from. */
export const documentNotes: OperationNotes = {
  'POST /v0/documents': {
    id: 'createDocument',
    body: { title: 'Returns', content: text, type: 'POLICY', topicId: ID.topic, assignee: 'ada' },
    answer: { document },
  },
  'GET /v0/documents': { id: 'listDocuments', answer: page([{ ...fields, versions: [listedVersion] }]) },
  'GET /v0/documents/{id}': { id: 'getDocument', answer: { document } },
  'PUT /v0/documents/{id}': {
    id: 'updateDocument',
    body: { topicId: null },
    answer: { document: { ...document, topicId: null } },
  },
  'DELETE /v0/documents/{id}': { id: 'deleteDocument' },
  'GET /v0/documents/count-by-assignee': {
    id: 'countDocumentsByAssignee',
    answer: { data: [{ assignee: 'ada', count: 12 }] },
  },
  'GET /v0/documents/chunked': {
    id: 'listDocumentChunks',
    answer: page([
      {
        documentId: ID.document,
        versionNumber: 1,
        index: 0,
        title: 'Returns',
        text,
        start: 0,
        end: text.length,
      },
    ]),
  },
  'POST /v0/documents/upload': {
    id: 'uploadDocuments',
    answer: {
      data: {
        fileProcessingId: ID.upload,
        created: 1,
        documentIds: [ID.document],
        rejected: [{ line: 3, error: 'content: must have text' }],
        rejectedCount: 1,
      },
    },
  },
  'GET /v0/documents/{id}/versions': { id: 'listDocumentVersions', answer: page([listedVersion]) },
  'POST /v0/documents/{id}/versions': {
    id: 'createDocumentVersion',
    body: { content: text },
    answer: { data: { ...version, status: 'DRAFT' } },
  },
  'GET /v0/documents/{id}/versions/{n}': { id: 'getDocumentVersion', answer: { data: version } },
  'PUT /v0/documents/{id}/versions/{n}': {
    id: 'updateDocumentVersion',
    body: { status: 'REVIEW' },
    answer: { data: { ...version, status: 'REVIEW' } },
  },

  'POST /v0/scrape-jobs': {
    id: 'createScrapeJob',
    body: { name: 'Help pages', url: scrapeJob.url, pathPrefix: '/help', topicId: ID.topic },
    answer: { data: { ...scrapeJob, status: 'MAPPING', pages: [], failedPages: [] } },
  },
  'GET /v0/scrape-jobs': { id: 'listScrapeJobs', answer: page([scrapeJob]) },
  'GET /v0/scrape-jobs/{id}': { id: 'getScrapeJob', answer: { data: scrapeJob } },
  'POST /v0/scrape-jobs/{id}/cancel': {
    id: 'cancelScrapeJob',
    answer: { data: { ...scrapeJob, status: 'FAILED', reason: 'Cancelled' } },
  },
};
