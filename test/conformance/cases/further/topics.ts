/** What `/v0/topics` takes and answers. */
import type { Case, Step } from '../../case.ts';
import { listCases } from '../../lists.ts';
import { OWNED, page } from '../../records.ts';
import { TEXT, only } from '../../shapes.ts';

const topic = (body: object): Step => ({ request: 'POST /v0/topics', body });

const TOPIC = only({
  ...OWNED,
  title: TEXT,
  description: null,
  baseline: null,
  status: 'ACTIVE',
  quickstartId: null,
  assignedTo: null,
  isInScope: true,
  isTasksVerified: false,
  isDocumentsVerified: false,
  isKnowledgeBaseVerified: false,
  isPoliciesVerified: false,
  evalDefinitions: [],
});

export const TOPICS: readonly Case[] = [
  {
    name: 'a topic is made with its defaults',
    line: 'Topic.*',
    request: 'POST /v0/topics',
    body: { title: 'Billing' },
    status: 201,
    contains: only({ data: TOPIC }),
  },
  {
    name: 'a topic is read',
    given: ['topic'],
    request: 'GET /v0/topics/{{topic.id}}',
    status: 200,
    contains: only({ data: TOPIC }),
  },
  {
    name: 'a topic is changed; what is left out stays',
    given: ['topic'],
    request: 'PUT /v0/topics/{{topic.id}}',
    body: { baseline: 87.5, isTasksVerified: true },
    status: 200,
    contains: { data: { title: 'Billing', baseline: 87.5, isTasksVerified: true } },
  },
  {
    name: 'a topic is archived with its tasks',
    given: [
      'topic',
      {
        as: 'task',
        request: 'POST /v0/tasks',
        body: { title: 'A', type: 'STATIC', topicId: '{{topic.id}}' },
      },
    ],
    request: 'POST /v0/topics/{{topic.id}}/archive',
    body: { cascade: true },
    status: 200,
    contains: { data: { status: 'ARCHIVED' } },
    after: { request: 'GET /v0/tasks/{{task.id}}', contains: { task: { status: 'ARCHIVED' } } },
  },
  {
    name: 'topics are listed',
    given: ['topic'],
    request: 'GET /v0/topics',
    status: 200,
    contains: only({ data: [TOPIC], pagination: page(1) }),
  },
  ...listCases({
    path: '/v0/topics',
    given: [topic({ title: 'B' }), topic({ title: 'B', status: 'DRAFT' }), topic({ title: 'A' })],
    total: 3,
    fields: ['createdAt', 'modifiedAt', 'title', 'status', 'id'],
  }),
];
