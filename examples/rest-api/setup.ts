/** Sets an application up by the REST API: what it knows, what is tested, by which rules, and with which settings. */
import { readFile } from 'node:fs/promises';
import { answerOf, createClient } from '../../src/api/client.ts';

const { TOUCHSTONE_URL, TOUCHSTONE_API_KEY, TOUCHSTONE_APPLICATION_ID } = process.env;
if (!TOUCHSTONE_URL || !TOUCHSTONE_API_KEY || !TOUCHSTONE_APPLICATION_ID)
  throw new Error('set TOUCHSTONE_URL, TOUCHSTONE_API_KEY and TOUCHSTONE_APPLICATION_ID');
const headers = { 'x-api-key': TOUCHSTONE_API_KEY, 'x-application-id': TOUCHSTONE_APPLICATION_ID };
const api = createClient({
  baseUrl: TOUCHSTONE_URL,
  apiKey: TOUCHSTONE_API_KEY,
  applicationId: TOUCHSTONE_APPLICATION_ID,
});

/** Returns the record that an earlier run has made, or makes it: so the script can be run again. */
async function once<T>(
  list: Promise<{ data: T[] }>,
  isSame: (record: T) => boolean,
  make: () => Promise<T>,
): Promise<T> {
  const { data } = await list;
  return data.find(isSame) ?? make();
}

const page = { limit: 100 } as const;
const everything = { params: { query: page } };

// What is worth testing.
const topic = await once(
  answerOf(api.GET('/v0/topics', { params: { query: { ...page, title: 'Refunds' } } })),
  ({ title }) => title === 'Refunds',
  async () => (await answerOf(api.POST('/v0/topics', { body: { title: 'Refunds' } }))).data,
);
const tag = await once(
  answerOf(api.GET('/v0/tags', { params: { query: { ...page, search: 'release' } } })),
  ({ name }) => name === 'release',
  async () => (await answerOf(api.POST('/v0/tags', { body: { name: 'release' } }))).data,
);
const task = await once(
  answerOf(api.GET('/v0/tasks', { params: { query: { ...page, topicId: [topic.id] } } })),
  ({ title }) => title === 'Refund window',
  async () => {
    const inputExamples = ['How long can I send it back?', 'Wie lange kann ich es zurückgeben?'];
    const body = { title: 'Refund window', type: 'STATIC', topicId: topic.id, inputExamples } as const;
    return (await answerOf(api.POST('/v0/tasks', { body }))).task;
  },
);
await answerOf(api.POST('/v0/tasks/tags', { body: { taskIds: [task.id], addTagIds: [tag.id] } }));

// The rules it is judged by: one for this task, one for every task of the application.
const assertions = [{ type: 'contains', value: '30' }];
const rules = [
  { name: 'Names the window', type: 'ASSERT', globalConfig: { assertions } },
  { name: 'Polite', type: 'CUSTOM', globalConfig: { criterion: 'The answer is polite.' } },
] as const;
const ids: string[] = [];
for (const body of rules) {
  const definition = await once(
    answerOf(api.GET('/v0/definitions', everything)),
    ({ name, type }) => name === body.name && type === body.type,
    async () => (await answerOf(api.POST('/v0/definitions', { body }))).data,
  );
  ids.push(definition.id);
}
await answerOf(api.POST('/v0/definitions/link', { body: { evalIds: ids.slice(0, 1), taskIds: [task.id] } }));
await answerOf(api.POST('/v0/definitions/link-application', { body: { evalIds: ids.slice(1) } }));

// What it must keep to: a file of policies, of which a bad row is rejected and named. It replaces that of an earlier run.
const policies = { ...page, type: ['POLICY' as const], topicId: [topic.id] };
const earlier = await answerOf(api.GET('/v0/documents', { params: { query: policies } }));
for (const { id } of earlier.data)
  await answerOf(api.DELETE('/v0/documents/{id}', { params: { path: { id } } }));
const form = new FormData();
form.set('type', 'POLICY');
form.set('topicId', topic.id);
form.set('file', new Blob([await readFile(new URL('policies.csv', import.meta.url))]), 'policies.csv');
const uploaded = await fetch(`${TOUCHSTONE_URL}/v0/documents/upload`, {
  method: 'POST',
  headers,
  body: form,
});
if (!uploaded.ok) throw new Error(await uploaded.text());
const upload = (await uploaded.json()) as {
  data: { created: number; documentIds: string[]; rejected: { line: number; error: string }[] };
};

// A new version of the first, which replaces it once it is approved.
const [documentId = ''] = upload.data.documentIds;
const path = { id: documentId };
const { data: draft } = await answerOf(
  api.POST('/v0/documents/{id}/versions', {
    params: { path },
    body: { title: 'Refunds', content: '# Refunds\nWe refund within 60 days of delivery.' },
  }),
);
for (const status of ['REVIEW', 'APPROVED'] as const)
  await answerOf(
    api.PUT('/v0/documents/{id}/versions/{n}', {
      params: { path: { ...path, n: draft.versionNumber } },
      body: { status },
    }),
  );
const { document } = await answerOf(api.GET('/v0/documents/{id}', { params: { path } }));

// Settings to compare: the baseline runs the app as it is, the variant with another model.
const step = await once(
  answerOf(api.GET('/v0/inference-steps', everything)),
  ({ externalId }) => externalId === 'answer',
  async () => {
    const body = { type: 'LLM', externalId: 'answer', title: 'Writes the answer' } as const;
    return (await answerOf(api.POST('/v0/inference-steps', { body }))).data;
  },
);
const experiment = await once(
  answerOf(api.GET('/v0/experiments', everything)),
  ({ title }) => title === 'A smaller model',
  async () => {
    const body = { title: 'A smaller model', taskIds: [task.id], inferenceStepIds: [step.id] };
    return (await answerOf(api.POST('/v0/experiments', { body }))).data;
  },
);
const variants = '/v0/experiments/{id}/variants';
const ofExperiment = { path: { id: experiment.id } };
const variant = (body: {
  title: string;
  parentId?: string;
  configPatch: Record<string, Record<string, unknown>>;
}) =>
  once(
    answerOf(api.GET(variants, { params: { ...ofExperiment, query: page } })),
    ({ title }) => title === body.title,
    async () => (await answerOf(api.POST(variants, { params: ofExperiment, body }))).data,
  );
const baseline = await variant({ title: 'As it is', configPatch: {} });
const small = await variant({
  title: 'Small',
  parentId: baseline.id,
  configPatch: { answer: { model: 'gpt-5-mini', temperature: 0 } },
});

// And how it all looks from above.
const report = await answerOf(
  api.POST('/v0/reporting/query', {
    body: { datasource: 'task', groupBy: [{ column: 'topic' }], measurements: [{ aggregation: 'count' }] },
  }),
);

console.log(
  JSON.stringify({
    document: { title: document.title, versions: document.versions.map(({ status }) => status) },
    rejected: upload.data.rejected,
    variant: { status: small.status, config: small.config },
    report: report.data,
  }),
);
console.log(`Test the app by its task: touchstone run ${task.id}`);
