/** Documents beyond the interface, their versions, and scrape jobs. */
import type { Case, Step } from '../../case.ts';
import { listCases, missing } from '../../lists.ts';
import { VERSION, DOCUMENT, SCRAPE_JOB, MESSAGE, invalid, page, UNKNOWN } from '../../records.ts';
import { UUID, TEXT, only, listOf, isOneOf, type Shape } from '../../shapes.ts';

const post = (path: `/${string}`, body: object): Step => ({ request: `POST ${path}`, body });

/** What answers about one version show. */
const versionOf = (fields: Readonly<Record<string, Shape>>): Shape => {
  const version = { ...VERSION, ...fields };
  return only({ data: version, version, document: { id: '{{document.id}}', type: 'KNOWLEDGE' } });
};

export const DOCUMENTS: readonly Case[] = [
  {
    name: 'a document is made',
    line: 'Document.*',
    request: 'POST /v0/documents',
    body: { title: 'A', content: 'B', type: 'KNOWLEDGE' },
    status: 201,
    contains: only({
      document: {
        ...DOCUMENT,
        status: 'ACTIVE',
        isVerified: false,
        assignee: null,
        versions: [{ ...VERSION, status: 'APPROVED', metadata: only({}) }],
      },
    }),
  },
  {
    name: 'the first version of a draft is a draft',
    request: 'POST /v0/documents',
    body: { title: 'A', content: 'B', type: 'KNOWLEDGE', status: 'DRAFT' },
    status: 201,
    contains: { document: { status: 'DRAFT', versions: [{ status: 'DRAFT' }] } },
  },
  {
    name: 'a document is read',
    given: ['document'],
    request: 'GET /v0/documents/{{document.id}}',
    status: 200,
    contains: only({ document: DOCUMENT }),
  },
  {
    name: 'documents are listed',
    given: ['document'],
    request: 'GET /v0/documents',
    status: 200,
    contains: only({ data: [DOCUMENT], pagination: page(1) }),
  },
  {
    name: 'a document is deleted',
    given: ['document'],
    request: 'DELETE /v0/documents/{{document.id}}',
    status: 204,
    after: { request: 'GET /v0/documents/{{document.id}}', status: 404, contains: MESSAGE },
  },
  {
    name: 'a document needs a title and a content; it is knowledge unless it says otherwise',
    request: 'POST /v0/documents',
    body: {},
    status: 422,
    contains: invalid([['title'], 'invalid_type'], [['content'], 'invalid_type']),
  },
  {
    name: 'a version is added',
    given: ['document'],
    request: 'POST /v0/documents/{{document.id}}/versions',
    body: { content: 'Within 30 days.' },
    status: 201,
    contains: versionOf({
      versionNumber: 2,
      status: 'DRAFT',
      title: 'Refunds',
      content: 'Within 30 days.',
      documentId: '{{document.id}}',
    }),
  },
  {
    name: 'versions are listed',
    given: ['draftVersion'],
    request: 'GET /v0/documents/{{document.id}}/versions',
    status: 200,
    contains: only({
      data: [{ ...VERSION, versionNumber: 2, originalSentences: [] }, { versionNumber: 1 }],
      document: { id: '{{document.id}}' },
      versions: [{ versionNumber: 2 }, { versionNumber: 1 }],
      pagination: page(2),
    }),
  },
  {
    name: 'a version is read',
    given: ['document'],
    request: 'GET /v0/documents/{{document.id}}/versions/1',
    status: 200,
    contains: versionOf({ versionNumber: 1 }),
  },
  {
    name: 'a version goes to review',
    given: ['draftVersion'],
    request: 'PUT /v0/documents/{{document.id}}/versions/2',
    body: { status: 'REVIEW' },
    status: 200,
    contains: versionOf({ status: 'REVIEW' }),
  },
  {
    name: 'a version is not approved without review',
    given: ['draftVersion'],
    request: 'PUT /v0/documents/{{document.id}}/versions/2',
    body: { status: 'APPROVED' },
    status: 409,
    contains: MESSAGE,
  },
  {
    name: 'a version is activated whatever its status is',
    given: ['draftVersion'],
    request: 'PUT /v0/documents/{{document.id}}/versions/2/activate',
    status: 200,
    contains: versionOf({ status: 'APPROVED' }),
    after: {
      request: 'GET /v0/documents/{{document.id}}',
      contains: {
        document: { status: 'ACTIVE', versions: [{ status: 'APPROVED' }, { status: 'ARCHIVED' }] },
      },
    },
  },
  {
    name: 'the tags of a document are replaced',
    given: ['document', 'tag'],
    request: 'PUT /v0/documents/{{document.id}}/tags',
    body: { tagIds: ['{{tag.id}}'] },
    status: 200,
    contains: only({ data: [{ id: '{{tag.id}}' }], pagination: { total: 1 } }),
    after: { request: 'GET /v0/documents?tagId={{tag.id}}', contains: { data: [{ id: '{{document.id}}' }] } },
  },
  {
    name: 'the tags of a document are listed',
    given: [
      'document',
      'tag',
      { request: 'PUT /v0/documents/{{document.id}}/tags', body: { tagIds: ['{{tag.id}}'] } },
    ],
    request: 'GET /v0/documents/{{document.id}}/tags',
    status: 200,
    contains: only({ data: [{ id: '{{tag.id}}' }], pagination: page(1) }),
  },
  {
    name: 'documents are made of a file',
    request: 'POST /v0/documents/upload',
    form: { type: 'POLICY', file: 'title,content\nA,B\nC,D\n' },
    status: 201,
    contains: only({
      data: only({
        fileProcessingId: UUID,
        created: 2,
        documentIds: [UUID, UUID],
        rejected: [],
        rejectedCount: 0,
      }),
    }),
  },
  {
    name: 'documents come in chunks',
    given: ['document'],
    request: 'GET /v0/documents/chunked',
    status: 200,
    contains: only({
      data: [
        only({
          documentId: '{{document.id}}',
          versionNumber: 1,
          index: 0,
          title: 'Refunds',
          text: TEXT,
          start: 0,
          end: 29,
        }),
      ],
      pagination: page(1),
    }),
  },
  ...listCases({
    path: '/v0/documents',
    given: ['B', 'A', 'B'].map((title, i) =>
      post('/v0/documents', {
        title,
        content: 'C',
        type: i === 0 ? 'POLICY' : 'KNOWLEDGE',
        status: i === 1 ? 'DRAFT' : 'ACTIVE',
      }),
    ),
    total: 3,
    fields: ['createdAt', 'modifiedAt', 'title', 'type', 'status', 'id'],
  }),
  missing(`GET /v0/documents/${UNKNOWN}`),
  missing(`GET /v0/documents/${UNKNOWN}/versions`),
  {
    name: 'a scrape job is made',
    line: 'ScrapeJob.*',
    request: 'POST /v0/scrape-jobs',
    body: { name: 'Help', url: '{{app}}/200/help', initiatedBy: 'ann' },
    status: 201,
    contains: only({
      data: {
        ...SCRAPE_JOB,
        initiatedBy: 'ann',
        url: '{{app}}/200/help',
        status: isOneOf('MAPPING', 'PENDING'),
        quickstartStatus: 'NOT_ASSOCIATED',
        pages: [],
      },
    }),
  },
  {
    name: 'a scrape job is cancelled',
    given: [
      {
        as: 'scrapeJob',
        request: 'POST /v0/scrape-jobs',
        body: { name: 'Help', url: '{{app}}/0/help', maxDepth: 0 },
      },
    ],
    request: 'POST /v0/scrape-jobs/{{scrapeJob.id}}/cancel',
    status: 200,
    contains: only({ data: { id: '{{scrapeJob.id}}', status: 'FAILED' } }),
  },
  {
    name: 'a scrape job that is over is not cancelled',
    given: ['scraped'],
    request: 'POST /v0/scrape-jobs/{{scrapeJob.id}}/cancel',
    status: 409,
    contains: MESSAGE,
  },
  {
    name: 'scrape jobs are listed',
    given: ['scraped'],
    request: 'GET /v0/scrape-jobs',
    status: 200,
    contains: only({
      data: [{ ...SCRAPE_JOB, status: 'COMPLETED', pages: listOf({ url: TEXT }) }],
      pagination: page(1),
    }),
  },
  {
    name: 'a scrape job is read',
    given: ['scraped'],
    request: 'GET /v0/scrape-jobs/{{scrapeJob.id}}',
    status: 200,
    contains: only({ data: { ...SCRAPE_JOB, id: '{{scrapeJob.id}}' } }),
  },
  {
    name: 'a scrape job of a quickstart waits for it',
    line: 'ScrapeJob.quickstartStatus',
    given: ['quickstart'],
    request: 'POST /v0/scrape-jobs',
    body: { name: 'Help', url: '{{app}}/200/help', quickstartId: '{{quickstart.id}}' },
    status: 201,
    contains: { data: { quickstartStatus: 'PENDING' } },
  },
  {
    name: 'a scrape job needs a name and an address',
    request: 'POST /v0/scrape-jobs',
    body: {},
    status: 422,
    contains: invalid([['name'], 'invalid_type'], [['url'], 'invalid_type']),
  },
  missing(`GET /v0/scrape-jobs/${UNKNOWN}`),
];
