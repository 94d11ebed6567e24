/** The first steps of someone new, in a browser: an application of their own, and a run that cannot start yet. */
import { expect, it } from 'vitest';
import { useStage } from './support/browser.ts';
import { openShop } from './support/shop.ts';
import { shopTrace } from './support/shop-spans.ts';

const stage = useStage(async (server) => {
  await openShop(server);
});

it('a new application shows its first key once, and when its first span arrives', async () => {
  const visitor = await stage.visit({ role: 'admin' });
  const { page } = visitor;
  await visitor.open('/');
  await page.getByRole('button', { name: /^Application:/ }).click();
  await page.getByRole('menuitem', { name: 'New application' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Second bot');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const lines = (await dialog.getByLabel('Variables of the exporter').textContent()) ?? '';
  const [, key = '', applicationId = ''] = /x-api-key=([^,]+),x-application-id=([^"]+)/.exec(lines) ?? [];
  expect(await dialog.getByLabel('First key').textContent()).toBe(key);
  await dialog.getByText('Waiting for the first span').waitFor();
  expect(await visitor.accessibilityProblems()).toEqual([]);
  const { request } = shopTrace(1, Date.now());
  await stage.server.call('POST', '/v1/traces', {
    headers: { 'x-api-key': key, 'x-application-id': applicationId },
    body: request,
  });
  await dialog.getByText('The first span has arrived.').waitFor();
  await dialog.getByRole('button', { name: 'Open the application' }).click();
  await page.getByRole('button', { name: 'Application: Second bot' }).waitFor();
});

it('a run without a webhook cannot start, and says what to do', async () => {
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open('/tasks');
  await page.getByText('Refund of a damaged parcel').first().click();
  await page.getByRole('button', { name: /^Run/ }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('No webhook is configured, so no test can run.').waitFor();
  expect(await dialog.getByRole('button', { name: /^Run \d+ tests?$/ }).isDisabled()).toBe(true);
  expect(await visitor.accessibilityProblems()).toEqual([]);
});
