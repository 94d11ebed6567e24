/** Quickstarts beyond the interface. */
import type { Case, Step } from '../../case.ts';
import { listCases, missing } from '../../lists.ts';
import { OWNED, UPLOAD, MESSAGE, page, UNKNOWN } from '../../records.ts';
import { only, TIME, UUID } from '../../shapes.ts';

const STATUSES = [
  'UPLOADING',
  'PROCESSING',
  'TASKS_TOPICS_REVIEW',
  'KNOWLEDGE_BASE_REVIEW',
  'POLICIES_REVIEW',
  'STYLE_REVIEW',
  'COMPLETING',
  'COMPLETE',
  'FAILED',
];
const QUICKSTART = { ...OWNED, name: 'Start', status: 'UPLOADING', styleGuideId: null, uploads: [] } as const;

export const QUICKSTARTS: readonly Case[] = [
  {
    name: 'a quickstart is made',
    line: 'Quickstart.*',
    request: 'POST /v0/quickstarts',
    body: { name: 'Start' },
    status: 201,
    contains: only({ data: QUICKSTART }),
  },
  {
    name: 'quickstarts are listed',
    given: ['quickstart'],
    request: 'GET /v0/quickstarts',
    status: 200,
    contains: only({ data: [QUICKSTART], pagination: page(1) }),
  },
  {
    name: 'a quickstart is read',
    given: ['quickstart'],
    request: 'GET /v0/quickstarts/{{quickstart.id}}',
    status: 200,
    contains: only({ data: QUICKSTART }),
  },
  {
    name: 'a quickstart is changed',
    given: ['quickstart', 'styleGuide'],
    request: 'PUT /v0/quickstarts/{{quickstart.id}}',
    body: { name: 'B', styleGuideId: '{{styleGuide.id}}' },
    status: 200,
    contains: { data: { name: 'B', styleGuideId: '{{styleGuide.id}}' } },
  },
  {
    name: 'a review is not skipped',
    given: ['quickstart'],
    request: 'PUT /v0/quickstarts/{{quickstart.id}}',
    body: { status: 'STYLE_REVIEW' },
    status: 409,
    contains: MESSAGE,
  },
  ...STATUSES.map(
    (status): Case => ({
      name: `quickstarts in ${status} are asked for`,
      line: 'Quickstart.status',
      given: ['quickstart'],
      request: `GET /v0/quickstarts?status=${status}`,
      status: 200,
      contains: { pagination: page(status === 'UPLOADING' ? 1 : 0) },
    }),
  ),
  {
    name: 'an upload is taken',
    line: 'Upload.*',
    given: ['quickstart'],
    request: 'POST /v1/quickstarts/uploads',
    form: { quickstartId: '{{quickstart.id}}', materialType: 'conversations', file: 'input\nHow much?\n' },
    status: 201,
    contains: only({ data: { ...UPLOAD, materialType: 'conversations', fileSize: 16 } }),
  },
  {
    name: 'an upload shows in its quickstart',
    line: 'Quickstart.uploads',
    given: ['upload'],
    request: 'GET /v0/quickstarts/{{quickstart.id}}',
    status: 200,
    contains: { data: { uploads: [{ ...UPLOAD, id: '{{upload.id}}' }] } },
  },
  {
    name: 'an upload tells what became of its rows',
    given: ['upload'],
    request: 'GET /v1/quickstarts/uploads/{{upload.id}}',
    status: 200,
    contains: only({
      data: {
        ...UPLOAD,
        status: 'COMPLETED',
        report: {
          rows: 1,
          created: { tasks: 1, inputExamples: 1, conversations: 1 },
          rejected: [],
          rejectedCount: 0,
          unusedColumns: [],
        },
      },
    }),
  },
  {
    name: 'the conversations of an upload are shown',
    line: 'Conversation.*',
    given: ['upload', { as: 'tasks', request: 'GET /v0/tasks' }],
    request: 'GET /v0/quickstarts/{{quickstart.id}}/conversations?taskId={{tasks.0.id}}',
    status: 200,
    contains: only({
      data: [
        only({
          id: UUID,
          orgId: '{{application.orgId}}',
          applicationId: '{{application.id}}',
          createdAt: TIME,
          quickstartId: '{{quickstart.id}}',
          uploadId: '{{upload.id}}',
          externalId: null,
          taskId: '{{tasks.0.id}}',
          turns: [only({ role: 'user', content: 'How much?' })],
        }),
      ],
      pagination: page(1),
    }),
  },
  ...listCases({
    path: '/v0/quickstarts/{{quickstart.id}}/conversations',
    given: ['conversations'],
    total: 3,
    fields: ['createdAt', 'id'],
  }),
  missing(`GET /v0/quickstarts/${UNKNOWN}/conversations`),
  missing(`GET /v1/quickstarts/uploads/${UNKNOWN}`),
  missing(`GET /v0/quickstarts/${UNKNOWN}`),
  ...listCases({
    path: '/v0/quickstarts',
    given: [
      'styleReview',
      ...['A', 'Start'].map((name): Step => ({ request: 'POST /v0/quickstarts', body: { name } })),
    ],
    total: 3,
    fields: ['createdAt', 'modifiedAt', 'name', 'status', 'id'],
  }),
];
