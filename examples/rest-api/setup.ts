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

// What is worth testing.
const { data: topic } = await answerOf(api.POST('/v0/topics', { body: { title: 'Refunds' } }));
const { data: tag } = await answerOf(api.POST('/v0/tags', { body: { name: 'release' } }));
const { task } = await answerOf(
  api.POST('/v0/tasks', {
    body: {
      title: 'Refund window',
      type: 'STATIC',
      topicId: topic.id,
      inputExamples: ['How long can I send it back?', 'Wie lange kann ich es zurückgeben?'],
    },
  }),
);
await answerOf(api.POST('/v0/tasks/tags', { body: { taskIds: [task.id], addTagIds: [tag.id] } }));

// The rules it is judged by: one for this task, one for every task of the application.
const { data: window } = await answerOf(
  api.POST('/v0/definitions', {
    body: {
      name: 'Names the window',
      type: 'ASSERT',
      globalConfig: { assertions: [{ type: 'contains', value: '30' }] },
    },
  }),
);
const { data: polite } = await answerOf(
  api.POST('/v0/definitions', {
    body: { name: 'Polite', type: 'CUSTOM', globalConfig: { criterion: 'The answer is polite.' } },
  }),
);
await answerOf(api.POST('/v0/definitions/link', { body: { evalIds: [window.id], taskIds: [task.id] } }));
await answerOf(api.POST('/v0/definitions/link-application', { body: { evalIds: [polite.id] } }));

// What it must keep to: a file of policies, of which a bad row is rejected and named.
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
const { data: step } = await answerOf(
  api.POST('/v0/inference-steps', {
    body: { type: 'LLM', externalId: 'answer', title: 'Writes the answer' },
  }),
);
const { data: experiment } = await answerOf(
  api.POST('/v0/experiments', {
    body: { title: 'A smaller model', taskIds: [task.id], inferenceStepIds: [step.id] },
  }),
);
const variants = '/v0/experiments/{id}/variants';
const ofExperiment = { params: { path: { id: experiment.id } } };
const { data: baseline } = await answerOf(
  api.POST(variants, { ...ofExperiment, body: { title: 'As it is', configPatch: {} } }),
);
const { data: small } = await answerOf(
  api.POST(variants, {
    ...ofExperiment,
    body: {
      title: 'Small',
      parentId: baseline.id,
      configPatch: { answer: { model: 'gpt-5-mini', temperature: 0 } },
    },
  }),
);

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
