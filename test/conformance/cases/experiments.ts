import type { Case, Step } from '../case.ts';
import { listCases } from '../lists.ts';
import { countedPage, EXPERIMENT, invalid } from '../records.ts';
import { inAnyOrder, only } from '../shapes.ts';

const experiment = (as: string, body: object): Step => ({
  as,
  request: 'POST /v0/experiments',
  body: { title: as, ...body },
});
const archive = (name: string): Step => ({
  request: `PUT /v0/experiments/{{${name}.id}}`,
  body: { status: 'ARCHIVED' },
});
const FOUR = [
  experiment('a', { title: 'Same', assignee: 'zoe' }),
  experiment('b', { title: 'Same', assignee: 'ann' }),
  experiment('c', {}),
  experiment('d', { assignee: 'zoe' }),
  archive('b'),
];
const filter = (line: string, query: string, names: readonly string[]): Case => ({
  name: `${query} answers ${names.join(', ') || 'nothing'}`,
  line: `ListExperiments.filter ${line}`,
  given: FOUR,
  request: `GET /v0/experiments?${query}`,
  status: 200,
  contains: {
    data: inAnyOrder(...names.map((name) => ({ id: `{{${name}.id}}` }))),
    pagination: countedPage(names.length),
  },
});
const STATUSES = [
  'DRAFT',
  'BASELINE_PENDING',
  'BASELINE_RUNNING',
  'BASELINE_COMPLETED',
  'BASELINE_FAILED',
  'VARIANT_RUNNING',
  'IDLE',
  'COMPLETED',
  'ARCHIVED',
] as const;

export const EXPERIMENT_CASES: readonly Case[] = [
  {
    name: 'a listed experiment has its fields',
    line: ['Experiment.*', 'ListExperiments.answer', 'Pagination.totalCount'],
    given: ['experiment'],
    request: 'GET /v0/experiments',
    status: 200,
    contains: only({
      data: [{ ...EXPERIMENT, title: 'Models', description: '', status: 'DRAFT', assignee: null }],
      pagination: countedPage(1),
    }),
  },
  ...listCases({
    path: '/v0/experiments',
    section: 'ListExperiments',
    given: FOUR,
    total: 4,
    fields: ['createdAt', 'modifiedAt', 'title', 'status', 'assignee', 'id'],
    pagination: countedPage,
  }),
  filter('status', 'status=DRAFT', ['a', 'c', 'd']),
  filter('status', 'status=ARCHIVED', ['b']),
  filter('status', 'status=IDLE', []),
  filter('status', 'status=DRAFT,ARCHIVED', ['a', 'b', 'c', 'd']),
  filter('status', 'status=DRAFT&status=ARCHIVED', ['a', 'b', 'c', 'd']),
  filter('status', 'status[]=DRAFT&status[]=ARCHIVED', ['a', 'b', 'c', 'd']),
  filter('excludeStatus', 'excludeStatus=DRAFT', ['b']),
  filter('excludeStatus', 'excludeStatus=ARCHIVED,IDLE', ['a', 'c', 'd']),
  filter('excludeStatus', 'excludeStatus=DRAFT&excludeStatus=ARCHIVED', []),
  filter('excludeStatus', 'status=DRAFT,ARCHIVED&excludeStatus=DRAFT', ['b']),
  filter('excludeStatus', 'status=DRAFT&excludeStatus=DRAFT', []),
  ...(['status', 'excludeStatus'] as const).flatMap((name) => [
    ...STATUSES.map(
      (status): Case => ({
        name: `${name} takes ${status}`,
        line: ['States.experiment', 'Experiment.status'],
        request: `GET /v0/experiments?${name}=${status}`,
        status: 200,
        contains: { data: [] },
      }),
    ),
    {
      name: `${name} takes no other`,
      line: 'States.experiment',
      request: `GET /v0/experiments?${name}=RUNNING`,
      status: 422,
      contains: invalid([[name, '0'], 'invalid_enum_value']),
    } satisfies Case,
  ]),
  {
    name: 'an experiment becomes BASELINE_PENDING by a baseline that is ready',
    line: 'States.experiment',
    given: ['experiment'],
    request: 'POST /v0/experiments/{{experiment.id}}/variants',
    body: { title: 'Now', configPatch: { answer: { model: 'small' } }, status: 'PENDING' },
    status: 201,
    contains: { data: { status: 'PENDING' } },
    after: {
      request: 'GET /v0/experiments/{{experiment.id}}',
      contains: { data: { status: 'BASELINE_PENDING' } },
    },
  },
];
