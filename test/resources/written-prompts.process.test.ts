import { afterAll, beforeAll, expect, it } from 'vitest';
import { start } from '../support/process.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type StandInJudge, startStandInJudge } from '../support/stand-in-judge.ts';

let written = 0;
let model: StandInJudge;
let server: TestServer;
beforeAll(async () => {
  model = await startStandInJudge(() => ({ say: { prompts: [`Seed ${++written}?`, `Seed ${++written}?`] } }));
  server = await startServer({ config: { promptModel: 'writer', promptBaseUrl: model.openAi } });
});
afterAll(async () => {
  await server.close();
  await model[Symbol.asyncDispose]();
});

/** Waits until all tests of a run have a prompt, and returns the prompts in the order of the alphabet. */
async function promptsOf(runId: string): Promise<string[]> {
  const read = async (): Promise<string[]> => {
    return (await server.ok('GET', `/v0/tests?runId=${runId}`)).data.map(({ prompt }) => prompt).toSorted();
  };
  await expect.poll(read).not.toContain('');
  return read();
}

it('`touchstone test --prompt-seed` sends the prompts of that seed', async () => {
  // Deliveries fail, because nothing listens there.
  await server.call('POST', '/v0/webhook', { body: { url: 'http://127.0.0.1:9' } });
  const fields = { title: 'Returns', description: 'Questions about returning goods.', type: 'NORMAL' };
  const created = await server.call('POST', '/v0/tasks', { body: fields });
  const taskId = (created.json as { task: { id: string } }).task.id;
  const body = { taskIds: [taskId], repeat: 2, promptSeed: 11 };
  const triggered = await server.call('POST', '/v0/tasks/trigger', { body });
  const first = await promptsOf(triggered.headers.get('x-run-ids') ?? '');
  expect(first).toEqual(['Seed 1?', 'Seed 2?']);

  const { url, apiKey, applicationId } = server;
  const account = ['--url', url, '--api-key', apiKey, '--application-id', applicationId];
  const options = ['--tasks', taskId, '--repeat', '2', '--prompt-seed', '11'];
  await using program = start(['test', ...options, ...account]);
  await program.sees(/^Started 2 tests of 1 task\.$/m);
  const runs = (await server.ok('GET', `/v0/runs?taskId=${taskId}`)).data;
  expect(runs.map(({ promptSeed }) => promptSeed)).toEqual([11, 11]);
  for (const { id } of runs) expect(await promptsOf(id)).toEqual(first);
});
