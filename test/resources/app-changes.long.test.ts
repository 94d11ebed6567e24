/** What changed in an app between two runs, as their traces show it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { storeRefunds, type RefundScenario } from '../dashboard/support/refund-scenario.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let scenario: RefundScenario;
beforeAll(async () => {
  server = await startServer();
  scenario = await storeRefunds(server);
});
afterAll(() => server.close());

async function candidateOf(baseline: string, candidate: string, more: { withChanges?: boolean }) {
  const body = { baseline: { runIds: [baseline] }, candidates: [{ runIds: [candidate] }], ...more };
  return (await server.ok('POST', '/v0/runs/compare', { body })).data.candidates[0];
}

it('names the version, the instructions and nothing that names one request', async () => {
  const found = await candidateOf(scenario.beforeId, scenario.runId, { withChanges: true });
  expect(found?.tracesRead).toEqual({ baseline: 31, candidate: 29 });
  expect(found?.changes?.map(({ kind, name }) => [kind, name])).toEqual([
    ['SYSTEM_MESSAGE', 'chat gpt-5.4-mini'],
    ['ATTRIBUTE', 'app.prompt.version'],
  ]);
  expect(found?.changes?.[1]).toEqual({
    kind: 'ATTRIBUTE',
    name: 'app.prompt.version',
    baseline: 'v14',
    candidate: 'v15',
    baselineShare: 1,
    candidateShare: 1,
  });
  expect(found?.changes?.[0]?.candidate).toMatch(/^Answer in at most two sentences\./);
});

it('finds no change between a run and itself', async () => {
  const found = await candidateOf(scenario.runId, scenario.runId, { withChanges: true });
  expect(found?.changes).toEqual([]);
});

it('reads no traces unless it is requested', async () => {
  const found = await candidateOf(scenario.beforeId, scenario.runId, {});
  expect(found).not.toHaveProperty('changes');
  expect(found).not.toHaveProperty('tracesRead');
});
