import type { Case, Step } from '../case.ts';
import { invalid, UNKNOWN } from '../records.ts';
import { inAnyOrder, only } from '../shapes.ts';

const task = (as: string, body: object = {}): Step => ({
  as,
  request: 'POST /v0/tasks',
  body: { title: as, type: 'STATIC', ...body },
});
const schedule = (as: string, criticality: string): Step => ({
  request: `PUT /v0/tasks/{{${as}.id}}/schedule`,
  body: { criticality },
});
/** `full` has all that is requested, `other` something else of each, `bare` nothing. */
const THREE: Case['given'] = [
  'topic',
  'tag',
  'definition',
  { as: 'otherTopic', request: 'POST /v0/topics', body: { title: 'Other' } },
  task('bare'),
  task('full', { topicId: '{{topic.id}}' }),
  task('other', { topicId: '{{otherTopic.id}}' }),
  { request: 'POST /v0/tasks/tags', body: { taskIds: ['{{full.id}}'], addTagIds: ['{{tag.id}}'] } },
  {
    request: 'POST /v0/definitions/link',
    body: { evalIds: ['{{definition.id}}'], taskIds: ['{{full.id}}'] },
  },
  schedule('full', 'HIGH'),
  schedule('other', 'LOW'),
];
const filter = (
  line: string,
  query: string,
  names: readonly string[],
  given: Case['given'] = THREE,
): Case => ({
  name: `${query} answers ${names.join(', ') || 'nothing'}`,
  line: ['TaskIds.answer', `TaskIds.${line}`],
  given,
  request: `GET /v0/tasks/ids?${query}`,
  status: 200,
  contains: only({ taskIds: inAnyOrder(...names.map((name) => `{{${name}.id}}`)) }),
});
const wrong = (line: string, query: string, path: string[], code: string): Case => ({
  name: `${query} is invalid`,
  line: `TaskIds.${line}`,
  request: `GET /v0/tasks/ids?${query}`,
  status: 422,
  contains: invalid([path, code]),
});

/** A task whose only counted test passed: all tests passed, and one test says little. */
const JUDGED: Case['given'] = [
  'eval',
  task('bare'),
  { request: 'GET /v0/tasks?status=success', until: { pagination: { total: 1 } } },
];
const LEVELS = ['HIGH', 'MEDIUM', 'LOW'] as const;

const found = (title: string, search: string, isFound: boolean, description = ''): Case => ({
  ...filter('search', `search=${encodeURIComponent(search)}`, isFound ? ['found'] : [], [
    task('found', { title, description }),
    task('bare', { title: 'xyz' }),
  ]),
  name: `${JSON.stringify(search)} is ${isFound ? '' : 'not '}in ${JSON.stringify(title + description)}`,
});

export const TASK_ID_CASES: readonly Case[] = [
  wrong('answer', 'unknown=1', ['unknown'], 'custom'),
  filter('answer', 'status=no-tests', [], []),
  filter('topicId', 'topicId={{topic.id}}', ['full']),
  filter('topicId', 'topicId={{topic.id|upper}}', ['full']),
  filter('several values', 'topicId={{topic.id}},{{otherTopic.id}}', ['full', 'other']),
  filter('several values', 'topicId={{topic.id}}&topicId={{otherTopic.id}}', ['full', 'other']),
  filter('several values', 'topicId[]={{topic.id}}&topicId[]={{otherTopic.id}}', ['full', 'other']),
  filter('topicId', `topicId=${UNKNOWN}`, []),
  wrong('topicId', 'topicId=x', ['topicId', '0'], 'invalid_string'),
  wrong('several values', 'topicId={{application.id}},x', ['topicId', '1'], 'invalid_string'),
  filter('tagId', 'tagId={{tag.id}}', ['full']),
  filter('tagId', `tagId=${UNKNOWN}`, []),
  filter('several values', `tagId=${UNKNOWN},{{tag.id}}`, ['full']),
  filter('evalDefinitionId', 'evalDefinitionId={{definition.id}}', ['full']),
  filter('evalDefinitionId', `evalDefinitionId=${UNKNOWN}`, []),
  wrong('evalDefinitionId', 'evalDefinitionId=1', ['evalDefinitionId', '0'], 'invalid_string'),
  filter('scheduleCriticality', 'scheduleCriticality=HIGH', ['full']),
  filter('scheduleCriticality', 'scheduleCriticality=MEDIUM', []),
  filter('scheduleCriticality', 'scheduleCriticality=LOW', ['other']),
  filter('several values', 'scheduleCriticality=HIGH,LOW', ['full', 'other']),
  wrong(
    'scheduleCriticality',
    'scheduleCriticality=DAILY',
    ['scheduleCriticality', '0'],
    'invalid_enum_value',
  ),
  filter('topicId', 'topicId={{topic.id}}&scheduleCriticality=LOW', []),
  filter('topicId', 'topicId={{topic.id}}&tagId={{tag.id}}&scheduleCriticality=HIGH&search=FU', ['full']),
  ...['success', 'warning', 'error', 'no-tests'].map(
    (status): Case => ({
      ...filter(
        'status',
        `status=${status}`,
        { success: ['task'], 'no-tests': ['bare'] }[status] ?? [],
        JUDGED,
      ),
      line: ['TaskIds.status', 'States.task'],
    }),
  ),
  filter('status', 'status=success,no-tests', ['task', 'bare'], JUDGED),
  wrong('status', 'status=ok', ['status', '0'], 'invalid_enum_value'),
  ...LEVELS.map((level) =>
    filter('healthScore', `healthScore=${level}`, level === 'HIGH' ? ['task'] : [], JUDGED),
  ),
  ...LEVELS.map((level) =>
    filter('confidence', `confidence=${level}`, level === 'LOW' ? ['task'] : [], JUDGED),
  ),
  ...LEVELS.map((level) => filter('stability', `stability=${level}`, [], JUDGED)),
  ...['healthScore', 'confidence', 'stability'].map((name) =>
    wrong(name, `${name}=GOOD`, [name, '0'], 'invalid_enum_value'),
  ),
  found('Refunds', 'fund', true),
  found('Refunds', 'FUND', true),
  found('A', 'of the capital', true, 'Asks for the name of the Capital'),
  found('Straße', 'STRASSE', true),
  found('STRASSE', 'straße', true),
  found('İstanbul', 'istanbul', false),
  found('İstanbul', 'i̇STANBUL', true),
  found('ΟΔΟΣ', 'οδος', true),
  found('οδος', 'ΟΔΟΣ', true),
  found('naïve', 'NAÏVE', true),
  found('100 % sure', '%', true),
  found('sure', '%', false),
  found('a_b', '_', true),
  found('ab', 'a_b', false),
  found('a\\b', '\\', true),
  found('ab', '\\', false),
  found("it's", "'", true),
  found('a,b', 'a,b', true),
  found('😀 smile', '😀', true),
];
