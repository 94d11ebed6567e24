import { afterAll, expect, it } from 'vitest';
import { answer, type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { useStage } from './support/browser.ts';

const stage = useStage();
let receiver: CustomerApp;
afterAll(() => receiver.close());

it('a webhook of issues is set up, tested and rotated, and its messages are listed', async () => {
  receiver = await startCustomerApp();
  const visitor = await stage.visit({ role: 'admin' });
  const { page } = visitor;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await visitor.open('/settings?tab=issue-webhook');
  await page.getByLabel('URL', { exact: true }).fill('http://10.1.2.3/hook');
  await button('Set up').click();
  await page.getByText('private').waitFor();
  await page.getByLabel('URL', { exact: true }).fill(receiver.url);
  await page.getByLabel('It is merged into another').uncheck();
  await button('Set up').click();
  const secret = page
    .getByLabel('The secret of the issue webhook', { exact: true })
    .locator('code, pre')
    .first();
  const first = await secret.textContent();
  expect(first).toMatch(/^whsec_/);
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await button('Done').click();
  await page.getByText('Nothing was sent yet').waitFor();

  await button('Send a test message').click();
  await page.getByRole('cell', { name: '✓ 200' }).waitFor();
  receiver.behave(answer(503));
  await stage.server.ok('POST', '/v0/issues', { body: { source: 'API', title: 'Promises' } });
  await page.getByText('the next one is at').waitFor();
  receiver.behave(answer(200));
  await page.getByRole('row').filter({ hasText: 'issue.created' }).getByText('✓ 200').waitFor();
  await page.getByRole('row').filter({ hasText: 'issue.created' }).getByRole('button').click();
  await expect
    .poll(() => receiver.received.filter(({ body }) => body.includes('issue.created')).length)
    .toBe(3);
  expect(await visitor.accessibilityProblems()).toEqual([]);

  await button('Rotate the secret').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click();
  await secret.waitFor();
  expect(await secret.textContent()).not.toBe(first);
  await button('Done').click();
  await button('Delete the webhook').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the webhook' }).click();
  await button('Set up').waitFor();
});

it('who does not administer the application sees the webhook, and cannot change it', async () => {
  const visitor = await stage.visit({ role: 'viewer' });
  const { page } = visitor;
  await visitor.open('/settings?tab=issue-webhook');
  await page.getByText('Administrators change this webhook').waitFor();
  expect(await page.getByLabel('URL', { exact: true }).isDisabled()).toBe(true);
});
