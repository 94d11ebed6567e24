import { afterAll, expect, it } from 'vitest';
import { answer } from '../support/customer-app.ts';
import { useStage } from './support/browser.ts';
import { openTestedApp, PROMPTS, QUICK_TESTS, type TestedApp } from './support/tested-app.ts';
import type { Visitor } from './support/visitor.ts';

let tested: TestedApp;
const HOSTILE = '<img src=x onerror="window.hacked=1">"><script>window.hacked=1</script>';
const stage = useStage(
  async (server) => {
    tested = await openTestedApp(server, ['good', 'failing', 'silent', 'hanging']);
  },
  { config: QUICK_TESTS },
);
afterAll(() => tested.app.close());

const button = ({ page }: Visitor, name: string | RegExp) => page.getByRole('button', { name });
const steps = ({ page }: Visitor) => page.getByRole('region', { name: 'Story' });

/** Starts one test with each of the first prompts; resolves to their ids once those that end have ended. */
async function startTests(count: 1 | 2 | 3): Promise<{ runId: string; testIds: string[] }> {
  const started = await tested.trigger(count);
  await Promise.all(started.testIds.map((id) => tested.ended(id)));
  return started;
}

it('a failed test leads by its hint and a replay to done, without loading the page again', async () => {
  const [, failing = ''] = (await startTests(2)).testIds;
  const visitor = await stage.visit({ role: 'editor' });
  await visitor.open(`/tests/${failing}`);
  const { page } = visitor;
  await page.getByRole('heading', { name: /^The webhook responded with status 500/ }).waitFor();
  await page.getByText('see the error in the app').first().waitFor();
  await page.getByRole('cell', { name: 'TypeError: order is undefined' }).waitFor();
  await steps(visitor).getByText('The app rejected the test').waitFor();

  tested.repair();
  await page.keyboard.press('r');
  await page
    .getByRole('dialog', { name: 'Replay the last delivery' })
    .getByRole('button', { name: 'Replay' })
    .click();
  await steps(visitor).getByText('A replay was answered with 200').waitFor();
  await page.getByText('✓ Passed').first().waitFor();
  await page.getByText('✓ Passed').first().waitFor();
  expect(await page.getByRole('region', { name: 'Failure' }).count()).toBe(0);
  tested.breakAgain();
});

it('a test without a trace shows what was checked, in both themes', async () => {
  const [, , silent = ''] = (await startTests(3)).testIds;
  const visitor = await stage.visit({ role: 'viewer' });
  await visitor.open(`/tests/${silent}`);
  await visitor.page.getByText('the app does not continue the trace').waitFor();
  await steps(visitor).getByText('No trace arrived in time').waitFor();
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await visitor.useTheme('dark');
  expect(await visitor.accessibilityProblems('color-contrast')).toEqual([]);
  expect(await button(visitor, /Replay|Run again/).count()).toBe(0);
});

it('a test in flight counts down, and is cancelled after a question', async () => {
  const { testIds } = await tested.trigger(4);
  const visitor = await stage.visit({ role: 'editor' });
  await visitor.open(`/tests/${testIds[3]}`);
  await visitor.page.getByText('● Live').waitFor();
  await visitor.page.getByText(/the request times out in (?:\d+ min )?\d+ s/).waitFor();
  await button(visitor, 'Cancel test').click();
  await visitor.page.getByRole('dialog').getByRole('button', { name: 'Cancel the test' }).click();
  await visitor.page.getByText('○ Not run · cancelled').waitFor();
  expect(await tested.ended(testIds[3] ?? '')).toMatchObject({ status: 'FAILED' });
});

it('a run shows its interval, and a second one the difference', async () => {
  await startTests(2);
  const { runId } = await startTests(2);
  const visitor = await stage.visit({ role: 'editor' });
  await visitor.open('/runs');
  await visitor.page
    .getByText(/1 app error/)
    .first()
    .waitFor();
  await visitor.open(`/runs/${runId}`);
  await visitor.page
    .getByText(/^95 % interval/)
    .first()
    .waitFor();
  await visitor.page.getByText(/No difference detected|Better than|Worse than/).waitFor();
  await visitor.page.getByRole('button', { name: /^All 2/ }).click();
  await visitor.page.getByRole('gridcell', { name: PROMPTS.good }).first().waitFor();
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await visitor.useTheme('dark');
  expect(await visitor.accessibilityProblems('color-contrast')).toEqual([]);

  await visitor.page.keyboard.press('Shift+R');
  await visitor.page
    .getByRole('dialog')
    .getByRole('button', { name: /^Run \d+ tests?$/ })
    .click();
  await visitor.page.waitForURL((url) => url.pathname.startsWith('/runs/') && !url.pathname.endsWith(runId));
});

it('a test is run again with the same example', async () => {
  const [, failing = ''] = (await startTests(2)).testIds;
  const visitor = await stage.visit({ role: 'editor' });
  await visitor.open(`/tests/${failing}`);
  await button(visitor, /^Run again/).click();
  await visitor.page.getByText('with the same example, number 2').waitFor();
  await visitor.page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click();
  await visitor.page.waitForURL(
    (url) => url.pathname.startsWith('/tests/') && !url.pathname.endsWith(failing),
  );
  await visitor.page.getByText('Example 2').waitFor();
  expect(await visitor.page.getByRole('heading', { level: 1, name: PROMPTS.failing }).count()).toBe(1);
});

it('the trace of a test is compared with that of a test before it', async () => {
  await startTests(1);
  const [testId = ''] = (await startTests(1)).testIds;
  const json = await stage.server.ok('GET', `/v0/tests/${testId}`);
  const visitor = await stage.visit({ role: 'viewer' });
  await visitor.open(`/compare?a=${json.test.traceIds[0]}`);
  await visitor.page.getByText('before it, of the same task and example').waitFor();
  await visitor.page.getByRole('button', { name: 'Compare with it' }).click();
  await visitor.page.waitForURL(/&b=[0-9a-f]/);
  await visitor.page.getByRole('table', { name: 'Spans of both traces' }).waitFor();
  expect(await visitor.page.getByText('Suggested').count()).toBe(0);
});

it('filters of the list are in the URL, and its rows open by the keyboard', async () => {
  const [good = ''] = (await startTests(1)).testIds;
  const visitor = await stage.visit({ role: 'viewer' });
  await visitor.open('/tests');
  await visitor.page.getByLabel('State', { exact: true }).selectOption('COMPLETED');
  await visitor.page.waitForURL(/status=COMPLETED/);
  await visitor.page.getByText('✕ App error').first().waitFor({ state: 'detached' });
  await visitor.page.locator(`[data-row="${good}"]`).waitFor();
  await visitor.page.locator('h1').click();
  await visitor.page.keyboard.press('j');
  await visitor.page.keyboard.press('Enter');
  await visitor.page.waitForURL(/\/tests\/[0-9a-f-]{36}/);
  expect(visitor.page.url()).not.toContain('status');
});

it('texts of the customer and of the app are never markup', async () => {
  const { id } = (
    await stage.server.ok('POST', '/v0/tasks', {
      body: { title: HOSTILE, type: 'STATIC', inputExamples: [HOSTILE], metadata: { [HOSTILE]: HOSTILE } },
    })
  ).task;
  tested.respond(answer(500, HOSTILE));
  const { testIds } = await tested.trigger(1, id);
  await tested.ended(testIds[0] ?? '');
  tested.breakAgain();
  const visitor = await stage.visit({ role: 'admin' });
  await visitor.open(`/tests/${testIds[0]}`);
  await visitor.page.getByRole('cell', { name: HOSTILE }).waitFor();
  await visitor.open('/tests');
  await visitor.page.getByRole('cell', { name: HOSTILE }).first().waitFor();
  await visitor.open(`/webhook?tab=deliveries`);
  await visitor.page
    .getByRole('link')
    .filter({ has: visitor.page.locator('time') })
    .first()
    .click();
  await visitor.page.getByLabel('Response', { exact: true }).getByText(HOSTILE).waitFor();
  expect(await visitor.page.evaluate('window.hacked')).toBeUndefined();
});
