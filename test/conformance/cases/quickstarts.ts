import type { Case, Step } from '../case.ts';
import { invalid, MESSAGE, UNKNOWN, UPLOAD } from '../records.ts';
import { ABSENT, inAnyOrder, only } from '../shapes.ts';

const made = (as: string, path: 'topics' | 'definitions', body: object): Step => ({
  as,
  request: `POST /v0/${path}`,
  body: { quickstartId: '{{quickstart.id}}', ...body },
});
const definition = (as: string, body: object = {}): Step =>
  made(as, 'definitions', { name: as, type: 'NATURALNESS', ...body });
const link = (as: string, topic: string): Step => ({
  request: 'POST /v0/definitions/link',
  body: { evalIds: [`{{${as}.id}}`], topicIds: [`{{${topic}.id}}`] },
});
/** Of two topics the first has two definitions, a draft among them; one more is of the application. */
const COUNTED: Case['given'] = [
  'quickstart',
  made('first', 'topics', { title: 'First' }),
  made('second', 'topics', { title: 'Second', status: 'DRAFT' }),
  definition('everywhere'),
  definition('everywhereDraft', { status: 'DRAFT' }),
  definition('topical'),
  definition('topicalDraft', { status: 'DRAFT' }),
  link('topical', 'first'),
  link('topicalDraft', 'first'),
];
const COUNTS = only({
  topicsCount: 2,
  applicationEvalCount: 2,
  topicEvalCounts: inAnyOrder(
    only({ topicId: '{{first.id}}', evalCount: 2 }),
    only({ topicId: '{{second.id}}', evalCount: 0 }),
  ),
});
const confirm = (name: string, line: string, more: Partial<Case>): Case => ({
  name,
  line: `ConfirmStyleScores.${line}`,
  given: ['styleReview'],
  request: 'POST /v0/quickstarts/confirm-style-scores',
  body: { quickstartId: '{{quickstart.id}}' },
  status: 200,
  ...more,
});

export const QUICKSTART_CASES: readonly Case[] = [
  {
    name: 'drafts and active ones are counted',
    line: [
      'PolicyCounts.*',
      'PolicyCounts.drafts and active ones',
      'PolicyCountsOf.answer',
      'PolicyCountsOf.id',
    ],
    given: COUNTED,
    request: 'GET /v0/quickstarts/{{quickstart.id}}/policy-counts',
    status: 200,
    contains: only({ data: COUNTS }),
  },
  {
    name: 'what the quickstart did not make is not counted',
    line: 'PolicyCounts.only of the quickstart',
    given: [
      ...COUNTED,
      'topic',
      'definition',
      { as: 'foreign', request: 'POST /v0/definitions', body: { name: 'F', type: 'NATURALNESS' } },
      link('foreign', 'first'),
      link('topical', 'topic'),
    ],
    request: 'GET /v0/quickstarts/{{quickstart.id}}/policy-counts',
    status: 200,
    contains: only({ data: COUNTS }),
  },
  {
    name: 'a new quickstart has nothing to count',
    line: 'PolicyCounts.topicEvalCounts',
    given: ['quickstart'],
    request: 'GET /v0/quickstarts/{{quickstart.id|upper}}/policy-counts',
    status: 200,
    contains: { data: only({ topicsCount: 0, applicationEvalCount: 0, topicEvalCounts: [] }) },
  },
  {
    name: 'an unknown quickstart is not found',
    line: 'PolicyCountsOf.id',
    request: `GET /v0/quickstarts/${UNKNOWN}/policy-counts`,
    status: 404,
    contains: MESSAGE,
  },
  {
    name: 'a quickstart whose id is no uuid is invalid',
    line: 'PolicyCountsOf.id',
    request: 'GET /v0/quickstarts/1/policy-counts',
    status: 422,
    contains: invalid([['id'], 'invalid_string']),
  },
  confirm('confirming answers both ids', 'answer', {
    contains: only({
      data: only({ quickstartId: '{{quickstart.id}}', applicationId: '{{application.id}}' }),
    }),
  }),
  confirm('confirming completes the quickstart', 'effect', {
    line: ['ConfirmStyleScores.effect', 'States.confirming completes', 'States.quickstart COMPLETE'],
    after: {
      request: 'GET /v0/quickstarts/{{quickstart.id}}',
      until: true,
      contains: { data: { status: 'COMPLETE' } },
    },
  }),
  confirm('completing makes drafts active', 'effect', {
    given: ['quickstart', definition('draft', { status: 'DRAFT' }), 'styleReview'],
    after: {
      request: 'GET /v0/definitions/{{draft.id}}',
      until: true,
      contains: { data: { status: 'ACTIVE' } },
    },
  }),
  confirm('nobody confirms twice', 'effect', {
    given: [
      'styleReview',
      { request: 'POST /v0/quickstarts/confirm-style-scores', body: { quickstartId: '{{quickstart.id}}' } },
    ],
    status: 409,
    contains: MESSAGE,
  }),
  confirm('a quickstart that is not in review is not confirmed', 'effect', {
    given: ['quickstart'],
    status: 409,
    contains: MESSAGE,
  }),
  confirm('confirming an unknown quickstart finds nothing', 'quickstartId', {
    given: [],
    body: { quickstartId: UNKNOWN },
    status: 404,
    contains: MESSAGE,
  }),
  confirm('confirming needs a quickstart', 'quickstartId', {
    given: [],
    body: {},
    status: 422,
    contains: invalid([['quickstartId'], 'invalid_type']),
  }),
  confirm('confirming needs a uuid', 'quickstartId', {
    given: [],
    body: { quickstartId: 'x' },
    status: 422,
    contains: invalid([['quickstartId'], 'invalid_string']),
  }),
  {
    name: 'a quickstart may be in POLICIES_REVIEW',
    line: 'States.quickstart POLICIES_REVIEW',
    given: ['styleReview'],
    request: 'PUT /v0/quickstarts/{{quickstart.id}}',
    body: { status: 'POLICIES_REVIEW' },
    status: 200,
    contains: { data: { status: 'POLICIES_REVIEW' } },
  },
  {
    name: 'uploads are listed with their fields',
    line: ['Upload.*', 'ListUploads.answer', 'ListUploads.version 1', 'Versioning.v1'],
    given: ['upload'],
    request: 'GET /v1/quickstarts/uploads',
    status: 200,
    contains: only({
      data: [
        {
          ...UPLOAD,
          id: '{{upload.id}}',
          fileSize: 16,
          status: 'COMPLETED',
          materialType: 'conversations',
          errorMessage: ABSENT,
        },
      ],
    }),
  },
  {
    name: 'an upload that failed says why',
    line: ['Upload.errorMessage', 'Upload.status'],
    given: ['failedUpload'],
    request: 'GET /v1/quickstarts/uploads',
    status: 200,
    contains: { data: [{ ...UPLOAD, status: 'FAILED', materialType: 'policy', errorMessage: /./ }] },
  },
  {
    name: 'uploads of a quickstart are asked for',
    line: 'ListUploads.quickstartId',
    given: ['upload', { as: 'other', request: 'POST /v0/quickstarts', body: { name: 'B' } }],
    request: 'GET /v1/quickstarts/uploads?quickstartId={{quickstart.id}}',
    status: 200,
    contains: { data: [{ id: '{{upload.id}}' }] },
    after: {
      request: 'GET /v1/quickstarts/uploads?quickstartId={{other.id}}',
      contains: only({ data: [] }),
    },
  },
  {
    name: 'uploads of an unknown quickstart are none',
    line: 'ListUploads.quickstartId',
    given: ['upload'],
    request: `GET /v1/quickstarts/uploads?quickstartId=${UNKNOWN}`,
    status: 200,
    contains: only({ data: [] }),
  },
  {
    name: 'uploads of what is no uuid are invalid',
    line: 'ListUploads.quickstartId',
    request: 'GET /v1/quickstarts/uploads?quickstartId=x',
    status: 422,
    contains: invalid([['quickstartId'], 'invalid_string']),
  },
];
