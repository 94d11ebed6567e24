/** The first steps in an application without any data. */
import { expect, it } from 'vitest';
import { useStage } from './support/browser.ts';
import { shopTrace } from './support/shop-spans.ts';

const stage = useStage();

it('an empty application leads from a key to the first trace, live, and on to the first run', async () => {
  const { server } = stage;
  const visitor = await stage.visit({ role: 'admin' });
  const { page } = visitor;
  await visitor.open('/');
  await page.getByRole('button', { name: 'Create a key' }).click();
  const key = (await page.getByLabel('Key', { exact: true }).textContent()) ?? '';
  const lines = page.getByLabel('Variables of the exporter');
  expect(await lines.textContent()).toContain(`x-api-key=${key},`);
  await page.getByText('Waiting for the first trace').waitFor();
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await page.getByRole('button', { name: 'Node.js without it' }).click();
  expect(await page.getByLabel('Commands of the app').textContent()).toContain('touchstone-otel/auto');
  const { request } = shopTrace(2, Date.now());
  const headers = { 'x-api-key': key, 'x-application-id': server.applicationId };
  await server.call('POST', '/v1/traces', { headers, body: request });
  await page.getByText('It has arrived:').waitFor();
  await page.getByRole('button', { name: 'Test the first trace' }).click();
  const dialog = page.getByRole('dialog', { name: 'First run' });
  await dialog.getByText('No webhook is configured, so no test can run.').waitFor();
  expect(await visitor.accessibilityProblems()).toEqual([]);
});

it('a viewer of an empty application reads what to do, and is offered nothing that only others may do', async () => {
  const visitor = await stage.visit({ role: 'viewer' });
  await visitor.open('/');
  await visitor.page.getByText('Getting started').waitFor();
  expect(await visitor.page.getByRole('button', { name: 'Create a key' }).count()).toBe(0);
  expect(await visitor.page.getByRole('button', { name: 'Test the first trace' }).count()).toBe(0);
});
