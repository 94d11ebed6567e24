import type { Case, Step } from '../case.ts';
import { DOCUMENT, invalid, MESSAGE, SCRAPE_JOB, UNKNOWN, VERSION } from '../records.ts';
import { inAnyOrder, listOf, only, optional, TEXT, UUID } from '../shapes.ts';

const put = (name: string, body: unknown, more: Omit<Case, 'name' | 'request' | 'body'>): Case => ({
  name,
  given: ['topic', 'document'],
  request: 'PUT /v0/documents/{{document.id}}',
  body,
  ...more,
});
const IN_TOPIC: Case['given'] = [
  'topic',
  {
    as: 'document',
    request: 'POST /v0/documents',
    body: { title: 'A', content: 'B', type: 'POLICY', topicId: '{{topic.id}}' },
  },
];
const document = (assignee: string | null, more: object = {}): Step => ({
  request: 'POST /v0/documents',
  body: { title: 'A', content: 'B', type: 'KNOWLEDGE', assignee, ...more },
});

export const DOCUMENT_CASES: readonly Case[] = [
  {
    name: 'a document is answered whole after a change',
    line: [
      'Document.*',
      'DocumentVersion.*',
      'UpdateDocument.answer',
      'UpdateDocument.id',
      'UpdateDocument.topicId',
    ],
    given: ['topic', 'document'],
    request: 'PUT /v0/documents/{{document.id}}',
    body: { topicId: '{{topic.id}}' },
    status: 200,
    contains: only({
      document: {
        ...DOCUMENT,
        title: 'Refunds',
        content: 'Within 14 days. No questions.',
        type: 'KNOWLEDGE',
        status: 'ACTIVE',
        assignee: 'ann',
        topicId: '{{topic.id}}',
        scrapeJobId: null,
        fileProcessingId: null,
        versions: [
          {
            ...VERSION,
            documentId: '{{document.id}}',
            versionNumber: 1,
            status: 'APPROVED',
            type: 'KNOWLEDGE',
            title: 'Refunds',
            originalSentences: ['Within 14 days.', 'No questions.'],
          },
        ],
      },
    }),
  },
  put(
    'null takes a document out of its topic',
    { topicId: null },
    {
      line: 'UpdateDocument.null removes it',
      given: IN_TOPIC,
      status: 200,
      contains: { document: { topicId: null } },
    },
  ),
  put(
    'a topic that is left out stays',
    {},
    {
      line: 'UpdateDocument.topicId',
      given: IN_TOPIC,
      status: 200,
      contains: { document: { topicId: '{{topic.id}}' } },
    },
  ),
  put(
    'a topic in capitals is answered in small letters',
    { topicId: '{{topic.id|upper}}' },
    {
      line: 'UpdateDocument.topicId',
      status: 200,
      contains: { document: { topicId: '{{topic.id}}' } },
    },
  ),
  put(
    'an unknown topic is not found',
    { topicId: UNKNOWN },
    {
      line: 'UpdateDocument.topicId',
      status: 404,
      contains: MESSAGE,
      after: { request: 'GET /v0/documents/{{document.id}}', contains: { document: { topicId: null } } },
    },
  ),
  put(
    'a topic that is no uuid is invalid',
    { topicId: 'x' },
    {
      line: 'UpdateDocument.topicId',
      status: 422,
      contains: invalid([['topicId'], 'invalid_string']),
    },
  ),
  put(
    'a topic that is a number is invalid',
    { topicId: 1 },
    {
      line: 'UpdateDocument.topicId',
      status: 422,
      contains: invalid([['topicId'], 'invalid_type']),
    },
  ),
  {
    name: 'an unknown document is not found',
    line: 'UpdateDocument.id',
    request: `PUT /v0/documents/${UNKNOWN}`,
    body: { topicId: null },
    status: 404,
    contains: MESSAGE,
  },
  {
    name: 'a document whose id is no uuid is invalid',
    line: 'UpdateDocument.id',
    request: 'PUT /v0/documents/1',
    body: { topicId: null },
    status: 422,
    contains: invalid([['id'], 'invalid_string']),
  },
  {
    name: 'a document from a scrape tells of it',
    line: ['Document.scrapeJob', 'Document.scrapeJobId', 'ScrapeJob.*'],
    given: ['scraped'],
    request: 'GET /v0/documents/{{found.0.id}}',
    status: 200,
    contains: {
      document: {
        scrapeJobId: '{{scrapeJob.id}}',
        scrapeJob: {
          ...SCRAPE_JOB,
          id: '{{scrapeJob.id}}',
          status: 'COMPLETED',
          quickstartStatus: 'NOT_ASSOCIATED',
          pages: listOf(
            only({
              url: /\/200\/help$/,
              title: 'Help',
              description: optional(TEXT),
              category: optional(TEXT),
            }),
          ),
        },
      },
    },
  },
  {
    name: 'a page that fails is told of with its error',
    line: 'ScrapeJob.failedPages',
    given: [
      { as: 'failing', request: 'POST /v0/scrape-jobs', body: { name: 'Gone', url: '{{app}}/404/help' } },
    ],
    request: 'GET /v0/scrape-jobs',
    status: 200,
    contains: { data: [{ id: '{{failing.id}}' }] },
    after: {
      request: 'GET /v0/scrape-jobs/{{failing.id}}',
      until: true,
      contains: { data: { pages: [], failedPages: [only({ url: /\/404\/help$/, error: /./ })] } },
    },
  },
  {
    name: 'a document that was not scraped has no scrape job',
    line: 'Document.scrapeJob',
    given: ['document'],
    request: 'GET /v0/documents/{{document.id}}',
    status: 200,
    contains: { document: { scrapeJobId: null } },
    containsNot: ['"scrapeJob":'],
  },
  {
    name: 'documents of a file tell which',
    line: 'Document.fileProcessingId',
    request: 'POST /v0/documents/upload',
    form: { type: 'KNOWLEDGE', file: 'title,content\nA,B\n' },
    status: 201,
    contains: { data: { fileProcessingId: UUID, created: 1 } },
    after: { request: 'GET /v0/documents', contains: { data: [{ fileProcessingId: UUID, title: 'A' }] } },
  },
  ...(['DRAFT', 'ACTIVE'] as const).map(
    (status): Case => ({
      name: `a document may be ${status}`,
      line: ['Document.status', 'States.document'],
      request: 'POST /v0/documents',
      body: { title: 'A', content: 'B', type: 'POLICY', status },
      status: 201,
      contains: { document: { status, type: 'POLICY', optimized: false, isVerified: false } },
    }),
  ),
  {
    name: 'a document has no other status',
    line: 'States.document',
    request: 'POST /v0/documents',
    body: { title: 'A', content: 'B', type: 'POLICY', status: 'ARCHIVED' },
    status: 422,
    contains: invalid([['status'], 'invalid_enum_value']),
  },
  {
    name: 'a document has no other type',
    line: 'Document.type',
    request: 'POST /v0/documents',
    body: { title: 'A', content: 'B', type: 'FAQ' },
    status: 422,
    contains: invalid([['type'], 'invalid_enum_value']),
  },
];

const COUNTED: Case['given'] = [
  document('ann'),
  document('ann'),
  document('bob'),
  document(null),
  document('ann', { type: 'POLICY' }),
  document('bob', { status: 'DRAFT' }),
];
const counts = (
  line: string,
  query: string,
  expected: Readonly<Record<string, number>>,
  more: Partial<Case> = {},
): Case => ({
  name: `counts by assignee${query} are ${JSON.stringify(expected)}`,
  line: ['AssigneeCount.*', `CountByAssignee.${line}`],
  given: COUNTED,
  request: `GET /v0/documents/count-by-assignee${query}`,
  status: 200,
  contains: only({
    data: inAnyOrder(...Object.entries(expected).map(([assignee, count]) => only({ assignee, count }))),
  }),
  ...more,
});
const wrongCount = (name: 'type' | 'status', value: string): Case => ({
  name: `counts of the ${name} ${value} are invalid`,
  line: `CountByAssignee.${name}`,
  request: `GET /v0/documents/count-by-assignee?${name}=${value}`,
  status: 422,
  contains: invalid([[name], 'invalid_enum_value']),
});

export const ASSIGNEE_COUNT_CASES: readonly Case[] = [
  counts('answer', '', { ann: 2, bob: 1 }),
  counts('type', '?type=KNOWLEDGE', { ann: 2, bob: 1 }),
  counts('type', '?type=POLICY', { ann: 1 }),
  counts('status', '?status=ACTIVE', { ann: 2, bob: 1 }),
  counts('status', '?status=DRAFT', { bob: 1 }),
  counts('status', '?type=POLICY&status=DRAFT', {}),
  wrongCount('type', 'FAQ'),
  wrongCount('status', 'ARCHIVED'),
  counts(
    'of the organization',
    '?type=KNOWLEDGE',
    { ann: 3, bob: 1 },
    {
      name: 'counts are of all applications of the organization',
      given: [
        ...COUNTED,
        { as: 'created', request: 'POST /v0/applications', body: { title: 'B', type: 'AGENT' }, whole: true },
        {
          request: 'POST /v0/documents',
          headers: { 'x-application-id': '{{created.data.id}}', 'x-api-key': '{{created.apiKey.key}}' },
          body: { title: 'A', content: 'B', type: 'KNOWLEDGE', assignee: 'ann' },
        },
      ],
    },
  ),
];
