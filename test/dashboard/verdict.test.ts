/** One verdict of a judge model, in a browser: from the test to what the judge was sent and answered. */
import { afterAll, expect, it } from 'vitest';
import { startStandInJudge } from '../support/stand-in-judge.ts';
import { useStage } from './support/browser.ts';
import { openTestedApp, QUICK_TESTS, type TestedApp } from './support/tested-app.ts';

const judge = await startStandInJudge(() => ({ say: { rationale: 'It names the parcel.', verdict: 'yes' } }));
let tested: TestedApp;
const stage = useStage(
  async (server) => {
    tested = await openTestedApp(server, ['good']);
    const json = await server.ok('POST', '/v0/definitions', {
      body: {
        name: 'Names it',
        type: 'CUSTOM',
        globalConfig: { criterion: 'It names the parcel.' },
        status: 'ACTIVE',
      },
    });
    const evalIds = [json.data.id];
    await server.call('POST', '/v0/definitions/link-application', { body: { evalIds } });
  },
  { config: { ...QUICK_TESTS, judgeModel: 'stand-in', judgeBaseUrl: judge.openAi } },
);
afterAll(async () => {
  await tested.app.close();
  await judge[Symbol.asyncDispose]();
});

it('a verdict shows its reason, and what the judge was sent and answered', async () => {
  const { testIds } = await tested.trigger(1);
  await tested.ended(testIds[0] ?? '');
  const visitor = await stage.visit({ role: 'viewer' });
  const { page } = visitor;
  await visitor.open(`/tests/${testIds[0]}`);
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Names it' })
    .getByRole('link', { name: 'Details' })
    .click();
  await page.getByRole('heading', { name: 'Verdict of Names it' }).waitFor();
  await page.getByText('It names the parcel.').first().waitFor();
  await page.locator('nav [aria-current=page]', { hasText: 'Evaluators' }).waitFor();
  await page.getByText('What the judge was sent').click();
  await page.getByRole('figure', { name: 'Instructions' }).getByText('It names the parcel.').waitFor();
  expect(await page.getByRole('figure', { name: 'Answer' }).textContent()).toContain('"verdict":"yes"');
  await page.keyboard.press('Escape');
  await page.waitForURL(`**/tests/${testIds[0]}`);
});
