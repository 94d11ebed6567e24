/** Actions on tasks, tests, definitions and other records. */
import { type Action, type Done, judgement, statusOf } from './action.ts';
import type { Body, Fixture } from './fixture.ts';
import { judgeAfterDeletion } from './judge-after-deletion.ts';

type Make = (fixture: Fixture) => Body;

const create =
  (path: string, body: Make) =>
  (fixture: Fixture): Promise<Done> =>
    statusOf(fixture.call('POST', path, body(fixture)));

/** Returns a run that calls the path of one entry of a list. */
const onOne =
  (list: string, call: (id: string, fixture: Fixture) => { method: string; path: string; body?: Body }) =>
  async (fixture: Fixture): Promise<Done> => {
    const id = await fixture.idOf(list);
    if (id === undefined) return 'skipped';
    const { method, path, body } = call(id, fixture);
    return statusOf(fixture.call(method, path, body));
  };

const remove = (list: string): Action['run'] =>
  onOne(list, (id) => ({ method: 'DELETE', path: `${list}/${id}` }));

async function withTaskExample(
  fixture: Fixture,
  call: (path: string) => { method: string; path: string; body?: Body },
): Promise<Done> {
  const task = await fixture.idOf('/v0/tasks');
  const example = task && (await fixture.idOf(`/v0/tasks/${task}/examples`, 'position'));
  if (!example) return 'skipped';
  const { method, path, body } = call(`/v0/tasks/${task}/examples/${example}`);
  return statusOf(fixture.call(method, path, body));
}

async function runExperiment(fixture: Fixture): Promise<Done> {
  const [task, step] = [
    await fixture.idOf('/v0/tasks'),
    await fixture.call('POST', '/v0/inference-steps', {
      type: 'LLM',
      externalId: `step-${fixture.hex(6)}`,
      title: 'Answer',
    }),
  ];
  const stepId = (step.json as { data?: { id: string } } | undefined)?.data?.id;
  if (task === undefined || stepId === undefined) return 'skipped';
  const made = await fixture.call('POST', '/v0/experiments', {
    title: 'Smaller',
    inferenceStepIds: [stepId],
    taskIds: [task],
  });
  const experiment = (made.json as { data?: { id: string } } | undefined)?.data?.id;
  if (experiment === undefined) return made.status;
  const [variant] = await fixture.list(`/v0/experiments/${experiment}/variants`);
  if (!variant) return made.status;
  return statusOf(
    fixture.call('POST', `/v0/experiments/${experiment}/variants/${String(variant['id'])}/run`, {
      repeat: 1,
    }),
  );
}

async function compare(fixture: Fixture): Promise<Done> {
  const [baseline, candidate] = [await fixture.idOf('/v0/runs'), await fixture.idOf('/v0/runs')];
  if (baseline === undefined || candidate === undefined) return 'skipped';
  const body = { baseline: { runIds: [baseline] }, candidates: [{ runIds: [candidate] }] };
  return statusOf(fixture.call('POST', '/v0/runs/compare', body));
}

async function link(fixture: Fixture): Promise<Done> {
  const [definition, task] = [await fixture.idOf('/v0/definitions'), await fixture.idOf('/v0/tasks')];
  if (definition === undefined || task === undefined) return 'skipped';
  const path = `/v0/definitions/${fixture.random() < 0.7 ? 'link' : 'unlink'}`;
  return statusOf(fixture.call('POST', path, { evalIds: [definition], taskIds: [task] }));
}

async function tagTask(fixture: Fixture): Promise<Done> {
  const [task, tag] = [await fixture.idOf('/v0/tasks'), await fixture.idOf('/v0/tags')];
  if (task === undefined || tag === undefined) return 'skipped';
  return statusOf(fixture.call('POST', '/v0/tasks/tags', { taskIds: [task], addTagIds: [tag] }));
}

const assertion: Make = (fixture) => ({
  name: `Says ${fixture.hex(4)}`,
  type: 'ASSERT',
  globalConfig: {
    assertions: [{ type: 'contains', value: fixture.random() < 0.7 ? 'Paris' : 'London' }],
    ...(fixture.random() < 0.3 && { monitoring: { sampleRate: 1 } }),
  },
});

export const recordActions: readonly Action[] = [
  {
    name: 'create a task',
    weight: 4,
    run: create('/v0/tasks', (fixture) => ({
      title: `Task ${fixture.hex(4)}`,
      type: 'STATIC',
      inputExamples: Array.from({ length: 1 + fixture.upTo(3) }, (_, index) => `Capital ${index}?`),
    })),
  },
  { name: 'delete a task', weight: 1, run: remove('/v0/tasks') },
  {
    name: 'trigger a task',
    weight: 8,
    run: async (fixture) => {
      const id = await fixture.idOf('/v0/tasks');
      return id === undefined
        ? 'skipped'
        : statusOf(fixture.call('POST', '/v0/tasks/trigger', { taskIds: [id], repeat: 1 + fixture.upTo(2) }));
    },
  },
  {
    name: 'schedule a task',
    weight: 1,
    run: onOne('/v0/tasks', (id) => ({
      method: 'PUT',
      path: `/v0/tasks/${id}/schedule`,
      body: { criticality: 'HIGH', cron: '30 9 * * *', timezone: 'Europe/Berlin' },
    })),
  },
  {
    name: 'cancel a test',
    weight: 2,
    run: async (fixture) => {
      const open = await fixture.idOf('/v0/tests?status=PENDING');
      const id = open ?? (await fixture.idOf('/v0/tests'));
      return id === undefined ? 'skipped' : statusOf(fixture.call('POST', `/v0/tests/${id}/cancel`));
    },
  },
  { name: 'create an assertion', weight: 3, run: create('/v0/definitions', assertion) },
  {
    name: 'create a judged definition',
    weight: 2,
    run: create('/v0/definitions', (fixture) => ({
      name: `Kind ${fixture.hex(4)}`,
      type: 'CUSTOM',
      globalConfig: { criterion: 'Is it kind?' },
    })),
  },
  {
    name: 'change a definition',
    weight: 3,
    run: onOne('/v0/definitions', (id, fixture) => ({
      method: 'PUT',
      path: `/v0/definitions/${id}`,
      body: { name: `Changed ${fixture.hex(4)}` },
    })),
  },
  { name: 'delete a definition', weight: 1, run: remove('/v0/definitions') },
  { name: 'link or unlink a definition', weight: 5, run: link },
  {
    name: 'link a definition to the application',
    weight: 2,
    run: async (fixture) => {
      const id = await fixture.idOf('/v0/definitions');
      return id === undefined
        ? 'skipped'
        : statusOf(fixture.call('POST', '/v0/definitions/link-application', { evalIds: [id] }));
    },
  },
  {
    name: 'evaluate a run again',
    weight: 4,
    run: onOne('/v0/runs', (id, fixture) => ({
      method: 'POST',
      path: `/v0/runs/${id}/evaluate`,
      body: { force: fixture.random() < 0.5 },
    })),
  },
  {
    name: 'evaluate a test again',
    weight: 4,
    run: onOne('/v0/tests?status=COMPLETED', (id, fixture) => ({
      method: 'POST',
      path: `/v0/tests/${id}/evaluate`,
      body: { force: fixture.random() < 0.3 },
    })),
  },
  {
    name: 'change an annotation',
    weight: 2,
    run: onOne('/v0/human-annotations', (id, fixture) => ({
      method: 'PUT',
      path: `/v0/human-annotations/${id}`,
      body: judgement(fixture),
    })),
  },
  { name: 'delete an annotation', weight: 1, run: remove('/v0/human-annotations') },
  {
    name: 'create an example',
    weight: 3,
    run: onOne('/v0/tasks', (id, fixture) => ({
      method: 'POST',
      path: `/v0/tasks/${id}/examples`,
      body: { input: `Capital ${fixture.hex(4)}?`, expected: 'Paris' },
    })),
  },
  {
    name: 'import examples',
    weight: 2,
    run: async (fixture) => {
      const id = await fixture.idOf('/v0/tasks');
      if (id === undefined) return 'skipped';
      const rows = Array.from({ length: 3 }, (_, index) =>
        JSON.stringify({ key: `k${fixture.upTo(9)}-${index}`, input: `Row ${fixture.hex(4)}` }),
      );
      return statusOf(
        fixture.call('POST', `/v0/tasks/${id}/examples/import`, rows.join('\n'), {
          'content-type': 'application/x-ndjson',
        }),
      );
    },
  },
  {
    name: 'change an example',
    weight: 3,
    run: (fixture) =>
      withTaskExample(fixture, (path) => ({
        method: 'PUT',
        path,
        body: { expected: `Paris ${fixture.hex(3)}` },
      })),
  },
  {
    name: 'delete an example',
    weight: 1,
    run: (fixture) => withTaskExample(fixture, (path) => ({ method: 'DELETE', path })),
  },
  { name: 'judge again after a deletion', weight: 2, run: judgeAfterDeletion },
  { name: 'run an experiment', weight: 2, run: runExperiment },
  { name: 'compare runs', weight: 2, run: compare },
  {
    name: 'save a view',
    weight: 2,
    run: create('/v0/views', (fixture) => ({
      name: `View ${fixture.hex(6)}`,
      screen: 'traces',
      filter: { q: ['errors:yes'] },
    })),
  },
  { name: 'delete a view', weight: 1, run: remove('/v0/views') },
  {
    name: 'create a tag',
    weight: 2,
    run: create('/v0/tags', (fixture) => ({ name: `tag-${fixture.hex(6)}`, color: '#3B82F6' })),
  },
  { name: 'tag a task', weight: 2, run: tagTask },
  { name: 'delete a tag', weight: 1, run: remove('/v0/tags') },
  {
    name: 'create a topic',
    weight: 1,
    run: create('/v0/topics', (fixture) => ({ title: `Topic ${fixture.hex(4)}` })),
  },
  {
    name: 'archive a topic',
    weight: 1,
    run: onOne('/v0/topics', (id) => ({ method: 'POST', path: `/v0/topics/${id}/archive` })),
  },
  {
    name: 'write a document',
    weight: 2,
    run: create('/v0/documents', (fixture) => ({
      title: `Document ${fixture.hex(4)}`,
      content: 'Customers may return products within 30 days.',
      type: 'POLICY',
    })),
  },
  { name: 'delete a document', weight: 1, run: remove('/v0/documents') },
  {
    name: 'make a report',
    weight: 2,
    run: create('/v0/reporting/query', () => ({
      datasource: 'test',
      groupBy: [{ column: 'status' }],
      measurements: [{ aggregation: 'count', as: 'tests' }],
    })),
  },
];
