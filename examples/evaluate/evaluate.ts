/** Tests two tasks of an app, has each judged by three rules, and prints the verdicts. */
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf, createClient } from '../../src/api/client.ts';

const { TOUCHSTONE_URL, TOUCHSTONE_API_KEY, TOUCHSTONE_APPLICATION_ID, PORT = '8080' } = process.env;
if (!TOUCHSTONE_URL || !TOUCHSTONE_API_KEY || !TOUCHSTONE_APPLICATION_ID)
  throw new Error('set TOUCHSTONE_URL, TOUCHSTONE_API_KEY and TOUCHSTONE_APPLICATION_ID');
const api = createClient({
  baseUrl: TOUCHSTONE_URL,
  apiKey: TOUCHSTONE_API_KEY,
  applicationId: TOUCHSTONE_APPLICATION_ID,
});

await answerOf(api.POST('/v0/webhook', { body: { url: `http://127.0.0.1:${PORT}/touchstone` } }));

// By a comparison with what is expected, by checks of answer and trace, and by a model.
const definitions = [
  { name: 'Right capital', type: 'OUTPUT_MATCH', globalConfig: { type: 'string' } },
  {
    name: 'Looks it up',
    type: 'ASSERT',
    globalConfig: {
      assertions: [
        { type: 'tool-called', value: 'find_capital' },
        { type: 'latency', threshold: 60_000 },
      ],
    },
  },
  { name: 'Polite', type: 'CUSTOM', globalConfig: { criterion: 'The answer is polite.' } },
] as const;
// What an earlier run has made is used again.
const everything = { params: { query: { limit: 100 } } } as const;
const { data: knownDefinitions } = await answerOf(api.GET('/v0/definitions', everything));
const definitionIds: string[] = [];
for (const { name, type, globalConfig } of definitions) {
  const known = knownDefinitions.find((definition) => definition.name === name && definition.type === type);
  const { data } = known
    ? { data: known }
    : await answerOf(api.POST('/v0/definitions', { body: { name, type, globalConfig } }));
  definitionIds.push(data.id);
}

// What is expected belongs to the task.
const { data: knownTasks } = await answerOf(api.GET('/v0/tasks', everything));
const tasks = new Map<string, string>();
for (const [country, expected] of [
  ['Peru', 'Lima'],
  ['Chile', 'Santiago'],
] as const) {
  const title = `Capital of ${country}`;
  const evalDefinitions = definitionIds.map((evalDefinitionId) => ({
    evalDefinitionId,
    config: { expected },
  }));
  const inputExamples = [`What is the capital of ${country}?`];
  const known = knownTasks.find((task) => task.title === title);
  const { task } = known
    ? { task: known }
    : await answerOf(
        api.POST('/v0/tasks', { body: { title, type: 'STATIC', inputExamples, evalDefinitions } }),
      );
  tasks.set(task.id, task.title);
}

const started = await answerOf(
  api.POST('/v0/tasks/trigger', {
    body: { taskIds: [...tasks.keys()] },
    params: { header: { prefer: 'return=representation' } },
  }),
);
const verdicts = [];
for (const { taskId, testIds } of started?.data ?? [])
  for (const id of testIds) {
    const { status, output, evals } = await overTest(id);
    verdicts.push({
      task: tasks.get(taskId),
      status,
      output,
      verdicts: definitionIds.flatMap((definitionId) =>
        evals
          .filter(({ definition }) => definition.id === definitionId)
          .map(({ definition, passed, reason, ...one }) => ({
            rule: definition.name,
            status: one.status,
            passed,
            reason,
          })),
      ),
    });
  }
console.log(JSON.stringify(verdicts, null, 2));
console.log(`Draw what the app did: touchstone trace ${started?.data[0]?.testIds[0]}`);

/** The test, once it is over: its evals are done then. */
async function overTest(id: string) {
  const deadline = Date.now() + 180_000;
  for (;;) {
    const { test } = await answerOf(api.GET('/v0/tests/{id}', { params: { path: { id } } }));
    if (test.status === 'COMPLETED' || test.status === 'FAILED') return test;
    if (Date.now() > deadline) throw new Error(`the test ${id} is still ${test.phase}`);
    await sleep(250);
  }
}
