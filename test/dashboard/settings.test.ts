import { expect, it } from 'vitest';
import { PATIENCE_MS } from '../support/until.ts';
import { useStage } from './support/browser.ts';

/** A wait for example data: its tests run and are judged, which takes longer than what a page does otherwise. */
const WAIT = { timeout: PATIENCE_MS };

const stage = useStage(async () => undefined, { config: { quietMs: 100, orphanQuietMs: 200 } });

it('example data is loaded from an empty screen, and removed in the settings', async () => {
  const visitor = await stage.visit({ role: 'admin' });
  const { page } = visitor;
  await visitor.open('/traces');
  await page.getByText('No traces yet').waitFor();
  await visitor.open('/');
  // Waited for from the start: the text may be gone before the click is known to be over.
  await Promise.all([
    page.getByText('Loading example data, part').waitFor(WAIT),
    page.getByRole('button', { name: 'Load example data' }).click(),
  ]);
  await page.getByText('This application shows example data.').waitFor(WAIT);
  await page.getByText('Refunds').first().waitFor(WAIT);

  await page.getByRole('link', { name: 'Remove it in Settings' }).click();
  await page.getByRole('button', { name: 'Remove the example data' }).click();
  await page.getByRole('alertdialog').waitFor();
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove the example data' }).click();
  await page.waitForSelector('section[aria-label="Example data"]', { state: 'detached', ...WAIT });
  await visitor.open('/traces');
  expect(await page.getByRole('button', { name: 'Load example data' }).isEnabled()).toBe(true);
}, 480_000);

it('example data is offered to administrators only', async () => {
  const visitor = await stage.visit({ role: 'viewer' });
  await visitor.open('/traces');
  await visitor.page.getByText('No traces yet').waitFor();
  expect(await visitor.page.getByRole('button', { name: 'Load example data' }).count()).toBe(0);
});

it('masking rules are tried, corrected, saved and applied, and the report counts what they masked', async () => {
  const visitor = await stage.visit({ role: 'admin' });
  const { page } = visitor;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await visitor.open('/settings?tab=masking');
  await page.getByText('Nothing is masked: everything is stored as it arrives.').waitFor();
  await page.getByLabel('Email addresses').check();
  await button('Add a pattern').click();
  await page.getByLabel('Name', { exact: true }).fill('employee');
  await page.getByLabel('Pattern', { exact: true }).fill('EMP-(');
  await page.getByLabel('Remove', { exact: true }).fill('http.*\nhttp.*.cookie');
  await button('Save').click();
  await page.getByText('✕ must be a regular expression').waitFor();
  await page.getByText('✕ “http.*.cookie” must have an asterisk at its end only').waitFor();

  await page.getByLabel('Remove', { exact: true }).fill('http.*');
  await page.getByLabel('Text or JSON').fill('{"to": "anna@example.com", "by": "EMP-990012"}');
  await button('Preview').click();
  await page.getByText('✕ must be a regular expression').waitFor();
  await page.getByLabel('Pattern', { exact: true }).fill('EMP-\\d{6}');
  await button('Preview').click();
  await page.getByText('employee 1').waitFor();
  const preview = await page.getByLabel('Masked text').textContent();
  expect(preview).toMatch(/^\{"to": "<email:[\da-f]{12}>", "by": "<employee:[\da-f]{12}>"\}$/);
  await button('Save').click();
  await page.getByText('Masking saved').waitFor();
  expect(await page.getByLabel('Text or JSON').inputValue()).toContain('anna@example.com');

  const span = {
    traceId: '5b8aa5a2d2c872e8321cf37308d69df2',
    spanId: '051581bf3cb55c13',
    name: 'chat',
    startTimeUnixNano: '1790000000000000000',
    endTimeUnixNano: '1790000001000000000',
    attributes: [
      { key: 'user.id', value: { stringValue: 'anna@example.com' } },
      { key: 'http.url', value: { stringValue: 'https://example.com' } },
    ],
  };
  const body = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
  await stage.server.call('POST', '/v1/traces', { body });
  const { data } = await stage.server.ok('GET', '/v0/traces');
  expect(preview).toContain(data[0]?.userId);
  // Counts are stored soon after the response.
  const report = async () => (await stage.server.call('GET', '/v0/masking/report')).text;
  await expect.poll(report).toContain('http.url');
  await visitor.open('/settings?tab=masking');
  const rows = page.getByRole('table', { name: 'Masked values of each rule' }).getByRole('row');
  await rows.filter({ hasText: /^email1.*user\.id$/ }).waitFor();
  await rows.filter({ hasText: /^Removed attributes1.*http\.url$/ }).waitFor();
});

it('masking rules are shown to everyone, and changed and tried by administrators only', async () => {
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open('/settings?tab=masking');
  await page.getByText('Only administrators can change masking.').waitFor();
  expect(await page.getByLabel('Email addresses').isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: /^(?:Preview|Add|Remove)/ }).count()).toBe(0);
});
