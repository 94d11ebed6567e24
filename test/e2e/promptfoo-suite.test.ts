import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ImportReport } from '../../src/resources/examples/import-contract.ts';
import { type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { FACTS, SUITE } from '../support/promptfoo-suite.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

let server: TestServer;
let app: CustomerApp;
const asked = new Map<string, number>();
const questionIn = (prompt: string): string => /q\d\d/.exec(prompt)?.[0] ?? '';

beforeAll(async () => {
  server = await startServer({ config: { quietMs: 50, orphanQuietMs: 100 } });
  app = await startCustomerApp();
  app.behave(async ({ body }, response) => {
    const { prompt, testId } = JSON.parse(body) as { prompt: string; testId: string };
    const question = questionIn(prompt);
    const count = asked.get(question) ?? 0;
    asked.set(question, count + 1);
    const output = FACTS[question]?.[count]?.[0];
    const event = { type: 'trace', timestamp: new Date().toISOString(), testId, input: prompt, output };
    await server.call('POST', '/v0/ingest', { body: { events: [event] } });
    response.writeHead(200).end();
  });
  await server.call('POST', '/v0/webhook', { body: { url: app.url } });
});
afterAll(async () => {
  await app.close();
  await server.close();
});

async function importSuite(
  taskId: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<ImportReport> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append('file', new File([SUITE], 'promptfooconfig.yaml'));
  const path = `${server.url}/v0/tasks/${taskId}/examples/import`;
  const response = await fetch(path, { method: 'POST', headers: server.headers, body: form });
  return ((await response.json()) as { data: ImportReport }).data;
}

it('an imported suite of promptfoo has the verdicts of promptfoo', async () => {
  const body = { title: 'Suite', type: 'STATIC' } as const;
  const taskId = (await server.ok('POST', '/v0/tasks', { body })).task.id;
  const plan = await importSuite(taskId, { dryRun: 'true' });
  const definition = { name: 'Assertions of the example', type: 'ASSERT' };
  expect(plan).toMatchObject({
    format: 'promptfoo',
    created: 12,
    assertions: 12,
    rejected: [],
    notCarried: ['file: prompts', 'file: providers'],
    definitions: [{ ...definition, id: null, action: 'CREATED' }],
  });
  expect((await server.ok('GET', `/v0/definitions?taskId=${taskId}`)).data).toEqual([]);
  const run = await importSuite(taskId);
  const [made] = run.definitions;
  expect(run).toEqual({ ...plan, dryRun: false, definitions: [{ ...plan.definitions[0], id: made?.id }] });
  expect(await importSuite(taskId)).toMatchObject({
    created: 0,
    updated: 0,
    unchanged: 12,
    definitions: [{ ...definition, id: made?.id, action: 'KEPT' }],
  });

  const start = { taskIds: [taskId], examples: {}, repeat: 5 };
  const runId =
    (await server.call('POST', '/v0/tasks/trigger', { body: start })).headers.get('x-run-ids') ?? '';
  const completed = async (): Promise<number> =>
    (await server.ok('GET', `/v0/tests?runId=${runId}&status=COMPLETED&limit=100`)).pagination.total;
  await until(async () => (await completed()) === 60);
  const { text } = await server.call('GET', `/v0/tests/export?format=jsonl&runId=${runId}`);
  const found = text
    .trim()
    .split('\n')
    .map((line) => {
      const { prompt, output, verdicts } = JSON.parse(line) as {
        prompt: string;
        output: string;
        verdicts: { passed: boolean | null }[];
      };
      return [questionIn(prompt), output, verdicts.map(({ passed }) => passed)];
    });
  const facts = Object.entries(FACTS).flatMap(([question, outputs]) =>
    outputs.map(([output, passes]) => [question, output, [passes]]),
  );
  const inOrder = (rows: unknown[][]): unknown[][] =>
    rows.toSorted((a, b) => JSON.stringify(a.slice(0, 2)).localeCompare(JSON.stringify(b.slice(0, 2))));
  expect(inOrder(found)).toEqual(inOrder(facts));
});

it('a task has one definition for each part, and another task takes the same', async () => {
  const body = { title: 'Second', type: 'STATIC' } as const;
  const taskId = (await server.ok('POST', '/v0/tasks', { body })).task.id;
  expect((await importSuite(taskId, { definitions: 'false' })).definitions).toEqual([]);
  const { definitions } = await importSuite(taskId);
  expect(definitions).toMatchObject([{ type: 'ASSERT', action: 'LINKED' }]);
  expect((await server.ok('GET', '/v0/definitions?type=ASSERT')).data).toHaveLength(1);
});
