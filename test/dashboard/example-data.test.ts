import { expect, it } from 'vitest';
import { useStage } from './support/browser.ts';

const stage = useStage(async () => undefined, { config: { quietMs: 100, orphanQuietMs: 200 } });

it('example data is loaded from an empty screen, and removed in the settings', async () => {
  const visitor = await stage.visit({ role: 'admin' });
  const { page } = visitor;
  await visitor.open('/traces');
  await page.getByText('No traces yet').waitFor();
  await visitor.open('/');
  await page.getByRole('button', { name: 'Load example data' }).click();
  await page.getByText('Loading example data, part').waitFor();
  await page.getByText('This application shows example data.').waitFor();
  await page.getByText('Refunds').first().waitFor();

  await page.getByRole('link', { name: 'Remove it in Settings' }).click();
  await page.getByRole('button', { name: 'Remove the example data' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove the example data' }).click();
  await page.waitForSelector('section[aria-label="Example data"]', { state: 'detached' });
  await visitor.open('/traces');
  expect(await page.getByRole('button', { name: 'Load example data' }).isEnabled()).toBe(true);
});

it('example data is offered to administrators only', async () => {
  const visitor = await stage.visit({ role: 'viewer' });
  await visitor.open('/traces');
  await visitor.page.getByText('No traces yet').waitFor();
  expect(await visitor.page.getByRole('button', { name: 'Load example data' }).count()).toBe(0);
});
