import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { withStore } from '../../src/cli/data-folder.ts';
import { saveEvals } from '../../src/evaluate/eval-store.ts';
import type { TestServer } from '../support/server.ts';
import { evalOf, verdict } from '../support/stored-evals.ts';
import {
  applicationKey,
  storeRun,
  type StoredRun,
  type StoredTest,
  storeTest,
} from '../support/stored-tests.ts';
import { useStage } from './support/browser.ts';
import { type RefundScenario, storeRefunds } from './support/refund-scenario.ts';
import type { Visitor } from './support/visitor.ts';

let scenario: RefundScenario;
const stage = useStage(async (server) => {
  scenario = await storeRefunds(server);
});

/** Stores a run of the task: `p` passed, `f` failed, `r` runs; the evaluator `by` judged it. */
function storeLetters(
  server: TestServer,
  letters: string,
  { by, type, ...more }: { by: string; type: string } & Partial<StoredRun>,
): string {
  const run = { id: randomUUID(), taskId: scenario.taskId, createdAt: Date.now(), ...more };
  withStore(server.folder, (database) => {
    const application = applicationKey(database, server.applicationId);
    storeRun(database, application, run);
    for (const [index, letter] of letters.split('').entries()) {
      const test: StoredTest = {
        id: randomUUID(),
        run,
        status: letter === 'r' ? 'IN_PROGRESS' : 'COMPLETED',
        createdAt: run.createdAt + index,
        exampleIndex: index,
      };
      storeTest(database, application, test);
      const result = { ...verdict(letter === 'p'), definitionType: type };
      if (letter !== 'r')
        saveEvals(database, { application, evals: [evalOf(test, by, result)], at: run.createdAt });
    }
  });
  return run.id;
}

const grid = ({ page }: Visitor) => page.getByRole('grid', { name: 'Results' });
const rowsOf = (visitor: Visitor) =>
  grid(visitor)
    .getByRole('row')
    .filter({ has: visitor.page.getByText('example ') });

it('a run opens at its failures, with the words and the reasons that are wrong, by cause', async () => {
  const visitor = await stage.visit({ role: 'viewer' });
  const { page } = visitor;
  await visitor.open(`/runs/${scenario.runId}`);
  await page.getByText('15 of 31 passed · 14 failed · 2 app errors').waitFor();
  await page.getByText(/^Worse than the run before, by/).waitFor();
  await page.getByRole('button', { name: 'Failed 16', pressed: true }).waitFor();
  const first = rowsOf(visitor).first();
  await first.getByText('✕ Failed').waitFor();
  await first.getByText('Asks for the order number: never asks for the order number').waitFor();
  expect(await first.locator('mark').allTextContents()).toEqual([
    'Your refund of €49.90 is on its way and reaches you in 3 to 5 days.',
  ]);
  await grid(visitor).getByText('7 of 31', { exact: true }).waitFor();
  await page.getByRole('region', { name: 'Failure causes' }).getByRole('listitem').nth(3).waitFor();
  const causes = page.getByRole('region', { name: 'Failure causes' });
  await causes.getByRole('button', { name: 'App error: the webhook responded with 500' }).click();
  await expect.poll(() => rowsOf(visitor).count()).toBe(2);
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await visitor.useTheme('dark');
  expect(await visitor.accessibilityProblems('color-contrast')).toEqual([]);
});

it('rows are read, selected and left by the keyboard alone', async () => {
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open(`/runs/${scenario.runId}`);
  await rowsOf(visitor).first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByText('1 selected').waitFor();
  await page.keyboard.press('Enter');
  const details = page.getByRole('region', { name: 'Example 2, details' });
  await details.getByText('The lamp has a crack. Can I get a refund?').last().waitFor();
  await page.keyboard.press('j');
  await page.getByRole('region', { name: 'Example 3, details' }).waitFor();
  await page.waitForURL(/open=/);
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await page.keyboard.press('e');
  await page.getByRole('dialog', { name: 'Create examples' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => !url.search.includes('open='));
  await page.keyboard.press('Escape');
  await page.getByText('1 selected').waitFor({ state: 'detached' });
  await page.getByRole('combobox', { name: 'Filter' }).fill('output:arranged');
  await page.keyboard.press('Enter');
  await expect.poll(() => rowsOf(visitor).count()).toBe(1);
  await page.waitForURL(/q=output:arranged/);
});

it('a comparison shows the words that changed, and says which run is worse', async () => {
  const visitor = await stage.visit({ role: 'viewer' });
  const { page } = visitor;
  await visitor.open(`/runs/${scenario.runId}?with=${scenario.beforeId}`);
  await page.getByText(/^B is worse than A, by/).waitFor();
  await page.getByRole('button', { name: /^regressed 16/ }).waitFor();
  const row = rowsOf(visitor).filter({ hasText: 'How long can I send the shoes back?' });
  await row.scrollIntoViewIfNeeded();
  expect(await row.locator('del').first().textContent()).toBe('30');
  expect(await row.locator('ins').first().textContent()).toBe('14');
  expect(await visitor.accessibilityProblems()).toEqual([]);
});

it('a run without blocking evaluators says so, and one that runs gives no comparison', async () => {
  const { server } = stage;
  const judged = storeLetters(server, 'ppf', { by: scenario.definitions.facts, type: 'FACT' });
  const visitor = await stage.visit({ role: 'viewer' });
  await visitor.open(`/runs/${judged}`);
  await visitor.page.getByText('No evaluator is blocking').waitFor();
  const running = storeLetters(server, 'ppfr', { by: scenario.definitions.orderNumber, type: 'ASSERT' });
  await visitor.open(`/runs/${running}`);
  await visitor.page.getByText('2 of 3 passed so far · 1 failed · 1 running').waitFor();
  await visitor.page.getByText('It is compared when all tests have ended.').waitFor();
  expect(await visitor.page.getByText(/^(?:Better|Worse) than/).count()).toBe(0);
});

it('a run without failures shows all of its tests', async () => {
  const run = storeLetters(stage.server, 'pp', { by: scenario.definitions.orderNumber, type: 'ASSERT' });
  const visitor = await stage.visit({ role: 'viewer' });
  await visitor.open(`/runs/${run}`);
  await visitor.page.getByRole('button', { name: 'All 2', pressed: true }).waitFor();
  await expect.poll(() => rowsOf(visitor).count()).toBe(2);
});

it.each([360, 390, 768, 1024])('the grid fits a window of %d pixels, with the reasons', async (width) => {
  const visitor = await stage.visit({ role: 'viewer', width, height: 844 });
  await visitor.open(`/runs/${scenario.runId}`);
  await visitor.page
    .getByText(/never asks for the order number/)
    .first()
    .waitFor();
  const overflow = await visitor.page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(overflow).toBeLessThanOrEqual(0);
});

beforeAll(async () => {
  const { server } = stage;
  const make = async (path: string, body: object): Promise<string> => {
    const { json, text, status } = await server.call('POST', path, { body });
    expect(status, text).toBe(201);
    return (json as { data: { id: string } }).data.id;
  };
  const experimentId = await make('/v0/experiments', {
    title: 'Shorter answers',
    taskIds: [scenario.taskId],
  });
  const path = `/v0/experiments/${experimentId}/variants`;
  const prompt = 'Answer in full sentences. Ask for the order number.';
  const baseline = await make(path, { title: 'prompt v14', configPatch: { answer: { prompt } } });
  const shorter = await make(path, {
    title: 'two sentences',
    parentId: baseline,
    configPatch: { answer: { prompt: 'Answer in at most two sentences.' } },
  });
  const judged = { by: scenario.definitions.orderNumber, type: 'ASSERT' };
  storeLetters(server, 'p'.repeat(20), { ...judged, experimentVariantId: baseline });
  storeLetters(server, `${'f'.repeat(12)}${'p'.repeat(8)}`, { ...judged, experimentVariantId: shorter });
});

it('an experiment shows its variants, what they change, and which is worse', async () => {
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open('/experiments');
  await page.getByRole('link', { name: 'Shorter answers' }).click();
  const variants = page.getByRole('table', { name: 'Variants' });
  await variants.getByText('two sentences').waitFor();
  await page
    .getByRole('region', { name: 'Difference from A' })
    .getByText(/^Worse than A, by/)
    .waitFor();
  const settings = page.getByRole('region', { name: 'Settings that differ from A' });
  await settings.locator('ins', { hasText: 'at most two sentences' }).waitFor();
  await page.getByRole('button', { name: 'Variants differ 12', pressed: true }).waitFor();
  await page.getByRole('button', { name: 'Run variant A' }).waitFor();
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await visitor.useTheme('dark');
  expect(await visitor.accessibilityProblems('color-contrast')).toEqual([]);
});

it('all rows that match are selected as a filter, which the server runs', async () => {
  const { server } = stage;
  const { data: queue } = await server.ok('POST', '/v0/human-annotation-queues', {
    body: { title: 'Refunds' },
  });
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open(`/runs/${scenario.runId}`);
  await rowsOf(visitor).first().waitFor();
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Select all 16 that match' }).click();
  await page.getByText('All 16 that match').waitFor();
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await page.keyboard.press('a');
  await page.getByRole('dialog', { name: 'Review' }).waitFor();
  await page.getByRole('button', { name: 'Add 16 to the queue' }).click();
  await page.getByText('14 added to “Refunds”; 2 left out: 2 without a trace').waitFor();
  await page.getByRole('region', { name: 'Selection' }).waitFor({ state: 'detached' });
  const items = await server.ok('GET', `/v0/human-annotation-queue-items?queueId=${queue.id}`);
  expect(items.pagination.total).toBe(14);
});

it('another filter ends the selection of all rows that match', async () => {
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open(`/runs/${scenario.runId}`);
  await rowsOf(visitor).first().waitFor();
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Select all 16 that match' }).click();
  await page.getByRole('button', { name: /^All 31/ }).click();
  await page.getByText('1 selected').waitFor();
  await page.getByRole('button', { name: /^Select all \d+ that match$/ }).waitFor();
  expect(await page.getByText(/^All \d+ that match$/).count()).toBe(0);
});

it('traces that match are selected as a filter line', async () => {
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open('/traces?q=name:%22answer%20a%20customer%22');
  await page.getByRole('checkbox').nth(1).check();
  await page.getByRole('button', { name: /^Select all \d+ that match$/ }).click();
  await page.getByText(/^All \d+ that match$/).waitFor();
  await page.getByRole('button', { name: 'Create examples' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create examples' });
  await dialog.getByLabel('Task').selectOption({ label: 'Refund requests' });
  await dialog.getByRole('button', { name: /^Create \d+ examples$/ }).click();
  await page.getByText(/^\d+ examples created/).waitFor();
  expect(await visitor.accessibilityProblems()).toEqual([]);
});

it('a run is started with the settings of a variant, for all examples', async () => {
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open(`/tasks/${scenario.taskId}`);
  await page.getByRole('button', { name: /^Run/ }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Settings for your app').waitFor();
  expect(await dialog.getByRole('radio', { name: 'All active' }).isEnabled()).toBe(true);
  await dialog.getByLabel('Settings for your app').selectOption({ label: 'Shorter answers: two sentences' });
  expect(await dialog.getByRole('radio', { name: 'All active' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Tests per example').fill('9');
  await dialog.getByText(/at most 100 tests of a variant start at once; got \d{3}/).waitFor();
  expect(await visitor.accessibilityProblems()).toEqual([]);
});
