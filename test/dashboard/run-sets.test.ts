import { buffer } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { verifyEvidence } from '../../src/resources/run-sets/evidence-verify.ts';
import { answering, createRule, createTaskOf, promptsOf, reaches } from '../resources/run-set-support.ts';
import { type CustomerApp, hang, startCustomerApp } from '../support/customer-app.ts';
import { withStore } from '../../src/cli/data-folder.ts';
import { uuid } from '../support/spans.ts';
import { storeDefinition } from '../support/stored-evals.ts';
import { applicationKey } from '../support/stored-tests.ts';
import { useStage } from './support/browser.ts';
import { QUICK_TESTS } from './support/tested-app.ts';

let app: CustomerApp;
let id: string;
let rule: string;
let task: string;
const stage = useStage(
  async (server) => {
    app = await startCustomerApp();
    await server.ok('POST', '/v0/webhook', { body: { url: app.url } });
    rule = await createRule(server);
    task = await createTaskOf(server, promptsOf(8, 'Shown'), [rule]);
    const start = async (body: object): Promise<string> => {
      const { data } = await server.ok('POST', '/v0/run-sets', {
        body: { taskIds: [task], examples: {}, ...body },
      });
      await reaches(server, data.id, 'COMPLETED');
      return data.id;
    };
    answering(server, app, () => 'right');
    const baseline = await start({ branch: 'main', title: 'Build 1' });
    await server.ok('POST', `/v0/tasks/${task}/examples`, { body: { input: 'Added?' } });
    answering(server, app, () => 'wrong');
    id = await start({ branch: 'topic', title: 'Build 2', commit: 'abc123', baseline });
    await server.ok('POST', `/v0/run-sets/${id}/decision?failUnder=50&margin=0&findLoss=90`);
  },
  { config: QUICK_TESTS },
);
afterAll(() => app.close());

it('a run set shows its decision, gates, tasks, and what has no partner; its evidence can be downloaded', async () => {
  const visitor = await stage.visit({ role: 'viewer' });
  await visitor.open('/run-sets');
  const { page } = visitor;
  await page.getByText('✕ Failed').first().waitFor();
  await page.getByText('Build 2').first().waitFor();
  await visitor.open(`/run-sets/${id}`);
  await page
    .getByText(/^Failed: the pass rate 0 %/)
    .first()
    .waitFor();
  const gates = page.getByRole('table', { name: 'Checks' });
  await gates.getByText(/^Failed: worse than the baseline/).waitFor();
  const partners = page.getByRole('table', { name: 'Without a partner' });
  await partners.getByText('not tested in the baseline').waitFor();
  const tasks = page.getByRole('table', { name: 'Tasks' });
  await tasks.getByText('9 failed').waitFor();
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await visitor.useTheme('dark');
  expect(await visitor.accessibilityProblems('color-contrast')).toEqual([]);

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Evidence' }).click();
  const bytes = await buffer(await (await saved).createReadStream());
  expect(verifyEvidence(bytes)).toMatchObject({ fault: null, runSetId: id, outcome: 'FAIL' });

  await tasks.getByRole('link').first().click();
  await page.waitForURL((url) => url.pathname.startsWith('/runs/'));
  await page.getByRole('link', { name: 'Run set' }).last().waitFor();
});

it('a run set whose results have changed since its decision says so', async () => {
  const { server } = stage;
  const globalConfig = { assertions: [{ type: 'contains', value: 'wrong' }] };
  await server.ok('PUT', `/v0/definitions/${rule}` as '/v0/definitions/{id}', { body: { globalConfig } });
  const { data } = await server.ok('GET', `/v0/run-sets/${id}` as '/v0/run-sets/{id}');
  for (const runId of data.runIds)
    await server.ok('POST', `/v0/runs/${runId}/evaluate` as '/v0/runs/{id}/evaluate', { body: {} });
  await reaches(server, id, 'COMPLETED');
  const visitor = await stage.visit({ role: 'viewer' });
  await visitor.open(`/run-sets/${id}`);
  await visitor.page.getByText('✕ Failed').first().waitFor();
  const note = visitor.page.getByText('Results have changed since the decision was recorded.');
  expect(await note.textContent()).toContain('? Inconclusive');
});

it('a run set that is running shows its progress, and nothing is decided on it', async () => {
  app.behave(hang);
  const { data } = await stage.server.ok('POST', '/v0/run-sets', {
    body: { taskIds: [task], examples: {}, title: 'Build 3' },
  });
  const visitor = await stage.visit({ role: 'viewer' });
  const calls: string[] = [];
  visitor.page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await visitor.open(`/run-sets/${data.id}`);
  await visitor.page.getByText('… 0 of 9 ended').waitFor();
  await visitor.page.getByRole('table', { name: 'Tasks' }).getByRole('link').waitFor();
  expect(calls.filter((path) => path.endsWith('/decision'))).toEqual([]);
  expect(calls.filter((path) => path.startsWith('/v0/runs'))).toEqual(['/v0/runs']);
});

it('a run set shows the canaries of its judges: how many verdicts changed, and which judge has changed', async () => {
  const { server } = stage;
  const [shifted, steady] = [uuid(0xca1), uuid(0xca2)];
  withStore(server.folder, (database) =>
    database.transaction(() => {
      const application = applicationKey(database, server.applicationId);
      for (const [definitionId, name, changed] of [
        [shifted, 'Lenient', 9],
        [steady, 'Steady', 1],
      ] as const) {
        storeDefinition(database, application, { id: definitionId, name });
        for (let index = 0; index < 20; index++)
          database.run(
            `INSERT INTO canary_verdict (application, run_set_id, definition_id, eval_id, status, before, passed, created_at)
             VALUES (?, ?, ?, ?, 'COMPLETED', 0, ?, 1)`,
            application,
            id,
            definitionId,
            uuid(0xe000 + index),
            Number(index < changed),
          );
      }
    }),
  );
  // No gate of theirs is valid, so that their verdicts count only on request.
  await server.ok('POST', `/v0/run-sets/${id}/decision?failUnder=0&withAdvisory=true`);
  const visitor = await stage.visit({ role: 'viewer' });
  await visitor.open(`/run-sets/${id}`);
  const { page } = visitor;
  const canaries = page.getByRole('table', { name: 'Canaries' });
  const rowOf = (name: string) => canaries.getByRole('row').filter({ hasText: name });
  await rowOf('Lenient').getByText('✕ Has changed').waitFor();
  await rowOf('Steady').getByText('✓ As before').waitFor();
  expect((await rowOf('Lenient').innerText()).replaceAll(/\s+/g, ' ')).toContain(
    '20 of 20 9 0 45 % (26 % to 66 %)',
  );
  const checks = page.getByRole('table', { name: 'Checks' });
  await checks
    .getByText(/^Unknown: the judge of Lenient has changed: judged again, it gave another verdict on 9 of 20/)
    .waitFor();
  await rowOf('Lenient').getByRole('link', { name: 'Lenient' }).waitFor();
  await page.getByText('? Inconclusive').first().waitFor();
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await visitor.useTheme('dark');
  expect(await visitor.accessibilityProblems('color-contrast')).toEqual([]);
});
