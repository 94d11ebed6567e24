/** A tester finds, groups and explains the 16 failures of the new prompt, on the screen alone. */
import { expect, it } from 'vitest';
import { useStage } from './support/browser.ts';
import { type RefundScenario, storeRefunds } from './support/refund-scenario.ts';

let scenario: RefundScenario;
const stage = useStage(async (server) => {
  scenario = await storeRefunds(server);
});

const CAUSES = [
  ['Asks for the order number: does not contain "order number"', '7 of 31'],
  ['Tool calls: does not contain "issue_refund"', '4 of 31'],
  ['Names 30 days: does not contain "30 days"', '3 of 31'],
  ['App error: the webhook responded with 500', '2 of 31, counted as failed'],
] as const;

it.each([
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
])('at $width pixels, the 16 failures are found, grouped and explained', async (size) => {
  const visitor = await stage.visit({ role: 'editor', ...size });
  const { page } = visitor;
  const isPhone = size.width < 720;

  // Find.
  await visitor.open('/');
  if (isPhone) await page.getByRole('button', { name: 'More' }).click();
  const places = isPhone ? page.getByRole('dialog', { name: 'More' }) : page.getByRole('navigation');
  await places.getByRole('link', { name: 'Runs', exact: true }).click();
  const newest = page
    .getByRole(isPhone ? 'listitem' : 'row')
    .filter({ hasText: '15 passed · 14 failed · 2 app errors' });
  await newest.getByText('Refund requests').waitFor();
  await newest.getByRole('link').first().click();
  await page.getByText('15 of 31 passed · 14 failed · 2 app errors').waitFor();
  await page.getByText(/^Worse than the run before, by/).waitFor();
  await page.getByRole('button', { name: 'Failed 16', pressed: true }).waitFor();

  // Group: close each group, and its successor stands below.
  const grid = page.getByRole('grid', { name: 'Results' });
  for (const [title, count] of CAUSES) {
    const head = grid.getByRole('row').filter({ has: page.getByRole('button', { name: title }) });
    await head.getByText(count, { exact: true }).waitFor();
    await head.getByRole('button', { name: title, expanded: true }).click();
  }
  expect(await grid.getByRole('row').filter({ hasText: 'example ' }).count()).toBe(0);
  await grid.getByRole('checkbox', { name: `Select the group ${CAUSES[1][0]}` }).click();
  await page.getByText('4 selected').waitFor();
  await page
    .getByRole('region', { name: 'Selection' })
    .getByRole('button', { name: /^Clear/ })
    .click();

  // Explain: what should have been said, what was said before, which tool failed, and what changed in the app.
  await grid.getByRole('button', { name: CAUSES[1][0], expanded: false }).click();
  await grid.getByText('Refund order 5512-B please').first().click();
  const tool = page.getByRole('region', { name: 'Example 8, details' });
  await tool.getByText('Says that the refund could not be made, and names the hotline.').waitFor();
  await tool.getByText('409 order not delivered yet').waitFor();
  await tool.locator('ins', { hasText: '€89.00' }).waitFor();
  await tool.getByText('issue_refund ended in an error').waitFor();
  if (isPhone) await tool.getByRole('button', { name: 'Next result' }).click();
  else await page.keyboard.press('j');
  const second = page.getByRole('region', { name: 'Example 9, details' });
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await second.getByRole('link', { name: 'Trace' }).click();
  await page.getByText('Your refund of €31.20 has been sent.').first().waitFor();
  await page.goBack();
  await second.waitFor();
  await second.getByRole('button', { name: 'Close the details' }).click();
  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  await page.waitForURL((url) => url.searchParams.get('with') === scenario.beforeId);
  const changes = page.getByRole('region', { name: 'What changed in the app' });
  await changes.getByText('v14').waitFor();
  await changes.locator('del', { hasText: 'ask for the order number and a photo' }).waitFor();
  await changes.locator('ins', { hasText: 'Offer refunds quickly' }).waitFor();
  await changes.getByText('Seen in 31 and 29 traces.').waitFor();
  await grid.locator('del', { hasText: 'Please send me' }).first().waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await visitor.useTheme('dark');
  expect(await visitor.accessibilityProblems('color-contrast')).toEqual([]);
});

it('the run dialog offers the failures of the last run, and says what a run costs and shows', async () => {
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open(`/tasks/${scenario.taskId}`);
  await page.getByRole('button', { name: /^Run/ }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Run “Refund requests”' });
  await dialog.getByText('No webhook is configured, so no test can run.').waitFor();
  await dialog.getByRole('button', { name: 'Run 31 tests' }).waitFor();
  await dialog
    .getByText(/^a drop of about \d+ points in 8 of 10 cases; 10 points need about \d+ examples/)
    .waitFor();
  await dialog.getByRole('radio', { name: 'Failed last time' }).check();
  await dialog.getByLabel('Tests per example').fill('2');
  expect(await dialog.getByRole('button', { name: 'Run 32 tests' }).isDisabled()).toBe(true);
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await visitor.useTheme('dark');
  expect(await visitor.accessibilityProblems('color-contrast')).toEqual([]);
});

it('rows are grouped by evaluator, columns are chosen, and all that match are selected', async () => {
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open(`/runs/${scenario.runId}`);
  const grid = page.getByRole('grid', { name: 'Results' });
  await page.getByRole('button', { name: 'Group: cause' }).click();
  await page.getByRole('menuitemradio', { name: 'By evaluator' }).click();
  await page.waitForURL(/group=evaluator/);
  await grid.getByRole('button', { name: 'Asks for the order number' }).waitFor();
  await grid.getByText('7 of 31', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Expected' }).click();
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await page.keyboard.press('Escape');
  await page.waitForURL(/columns=-expected/);
  await expect.poll(() => grid.getByRole('columnheader', { name: 'Expected' }).count()).toBe(0);
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Select all 16 that match' }).click();
  await page.getByText('All 16 that match').waitFor();
  await page.getByRole('button', { name: /^Create examples/ }).click();
  await page.getByRole('dialog', { name: 'Create examples' }).waitFor();
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('g');
  await page.getByRole('button', { name: 'Group: topic' }).waitFor();
  await grid.getByRole('button', { name: 'No topic' }).waitFor();
});
