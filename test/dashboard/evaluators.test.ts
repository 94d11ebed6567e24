/** Evaluators, examples made of traces, the order of examples and the history of a task, in a browser. */
import { expect, it } from 'vitest';
import { useStage } from './support/browser.ts';
import { shopTrace } from './support/shop-spans.ts';
import type { Visitor } from './support/visitor.ts';

let taskId: string;
const stage = useStage(async (server) => {
  const task = { title: 'Refunds', type: 'STATIC', inputExamples: ['First', 'Second', 'Third'] };
  const { json } = await server.call('POST', '/v0/tasks', { body: task });
  taskId = (json as { task: { id: string } }).task.id;
  await server.call('POST', '/v1/traces', { body: shopTrace(1, Date.now() - 60_000).request });
});

const inDialog = ({ page }: Visitor, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true });
const first = async ({ page }: Visitor, label: string): Promise<string | null> =>
  page.getByRole('table', { name: label }).getByRole('row').nth(1).textContent();

it('an evaluator is made, changed to a new version, and deleted', async () => {
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open('/evaluators');
  await page.getByText('No evaluators yet').waitFor();
  await page.keyboard.press('n');
  await page.getByLabel('Name').fill('Names the order');
  await page.getByLabel('Configuration').fill('{"assertions": [{"type": "contains"');
  await page.getByText('is no JSON').waitFor();
  await page.getByLabel('Configuration').fill('{"assertions": [{"type": "contains", "value": "4711"}]}');
  await inDialog(visitor, 'Create').click();
  await page.getByRole('heading', { name: 'Names the order' }).waitFor();
  await page.getByText('Version 1').waitFor();
  await page.getByText('A rule decides, without a judge model.').waitFor();
  await page.getByText('Nothing was judged by it yet').waitFor();

  await page.getByRole('link', { name: 'Settings', exact: true }).last().click();
  await page.getByLabel('Configuration').fill('{"assertions": [{"type": "contains", "value": "4712"}]}');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Version 2').waitFor();
  await page.getByRole('button', { name: 'Delete the evaluator' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete the evaluator' }).click();
  await page.getByText('No evaluators yet').waitFor();
  const { json } = await stage.server.call('GET', '/v0/definitions?definitionStatus=DRAFT,ACTIVE,ARCHIVED');
  expect(json).toMatchObject({ data: [] });
});

it('a judge that is not verified is shown as non-blocking, and gets a required agreement', async () => {
  const globalConfig = { criterion: 'The answer is polite.' };
  const body = { name: 'Polite', type: 'CUSTOM', globalConfig };
  const { json } = await stage.server.call('POST', '/v0/definitions', { body });
  const { id } = (json as { data: { id: string } }).data;
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open(`/evaluators/${id}`);
  await page.getByText('The answer is polite.').waitFor();
  await page.getByText('It is not verified').waitFor();
  await visitor.open(`/evaluators/${id}?tab=settings`);
  await page.getByLabel('Its verdicts decide').check();
  await page.getByLabel('Required agreement κ').fill('0.7');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Evaluator saved').waitFor();
  await visitor.open(`/evaluators/${id}`);
  await page.getByText('Not verified').waitFor();
  const read = await stage.server.call('GET', `/v0/definitions/${id}`);
  expect(read.json).toMatchObject({ data: { gate: { minKappa: 0.7, minAnnotations: 30 }, version: 1 } });
});

it('examples change places and weights', async () => {
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open(`/tasks/${taskId}?tab=examples`);
  await page.getByRole('button', { name: 'Actions of “First”' }).click();
  await page.getByRole('menuitem', { name: 'Move down' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Move up' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Actions of “Second”' }).click();
  await page.getByRole('menuitem', { name: 'Move up' }).click();
  await expect.poll(() => first(visitor, 'Examples')).toContain('Second');

  await page.getByRole('link', { name: 'Third' }).click();
  await page.getByLabel('Weight').fill('-1');
  await page.getByText('must be a number from 0 to 1000').waitFor();
  await page.getByLabel('Weight').fill('2.5');
  await inDialog(visitor, 'Save').click();
  await page.getByText('Example saved').waitFor();
  const { json } = await stage.server.call('GET', `/v0/tasks/${taskId}/examples`);
  const { data } = json as { data: { input: string; weight: number }[] };
  expect(data.map(({ input, weight }) => [input, weight])).toEqual([
    ['Second', 1],
    ['First', 1],
    ['Third', 2.5],
  ]);
});

it('a trace becomes an example with its output, and the history names the change', async () => {
  const visitor = await stage.visit({ role: 'admin' });
  const { page } = visitor;
  await visitor.open('/traces');
  await page.locator('a[data-open]').first().click();
  await page.getByRole('button', { name: 'Make an example' }).click();
  await page.getByLabel('Task').selectOption({ label: 'Refunds' });
  await inDialog(visitor, 'Make an example').click();
  await page.waitForURL(/example=/);
  expect(await page.getByLabel('Expected output', { exact: true }).inputValue()).not.toBe('');
  await inDialog(visitor, 'Close').click();

  const { json } = await stage.server.call('GET', `/v0/tasks/${taskId}/examples`);
  const id = (json as { data: { id: string }[] }).data[0]?.id ?? '';
  await stage.server.call('PUT', `/v0/tasks/${taskId}/examples/${id}`, { body: { split: 'test' } });
  await visitor.open(`/tasks/${taskId}?tab=history`);
  await page.getByText('Update example').first().waitFor();
  await page
    .getByRole('link', { name: id.slice(0, 8) })
    .first()
    .waitFor();
  await page.getByText('Create task').waitFor();
});

it('the history of a task is for administrators', async () => {
  const visitor = await stage.visit({ role: 'viewer' });
  await visitor.open(`/tasks/${taskId}?tab=history`);
  await visitor.page.getByText('for administrators').waitFor();
  expect(await visitor.page.getByRole('table').count()).toBe(0);
});
