/** Single faults of the dashboard, each as a person would see it. */
import { expect, it } from 'vitest';
import { useStage } from './support/browser.ts';
import { openShop, type Shop } from './support/shop.ts';

let shop: Shop;
const stage = useStage(async (server) => {
  shop = await openShop(server);
});

it('the menu of applications closes after a choice, and swallows no keys afterwards', async () => {
  const tenant = await stage.server.newTenant();
  const person = stage.person('viewer');
  stage.join(person, tenant);
  const visitor = await stage.visit();
  await visitor.become(person);
  const { page } = visitor;
  await visitor.open('/traces');
  const menu = page.getByRole('menu');
  await page.getByRole('button', { name: /^Application:/ }).press('Enter');
  await menu.getByRole('menuitemradio').and(page.locator('[aria-checked="false"]')).press('Enter');
  await menu.waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
  expect(await menu.count()).toBe(0);
});

it('Home makes no request that is known to fail, and asks nothing again in a loop', async () => {
  const visitor = await stage.visit({ role: 'admin' });
  const failed: string[] = [];
  const webhook: string[] = [];
  visitor.page.on('response', (response) => {
    if (response.status() >= 400) failed.push(response.url());
  });
  visitor.page.on('request', (request) => {
    if (request.url().endsWith('/v0/webhook')) webhook.push(request.url());
  });
  await visitor.open('/');
  await visitor.open('/tasks');
  await visitor.page.getByText('No webhook is configured, so no test can run.').waitFor();
  await visitor.open('/webhook');
  await visitor.page.waitForTimeout(6_000);
  expect(failed.filter((url) => !url.endsWith('/v0/webhook'))).toEqual([]);
  expect(webhook.length).toBeLessThanOrEqual(2);
});

it('a column of an import can be unassigned', async () => {
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open(`/tasks/${shop.taskId}?tab=examples`);
  await page.keyboard.press('i');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('File').setInputFiles({
    name: 'rows.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('input,expected\nWhen?,Tomorrow\n'),
  });
  const expected = dialog.getByLabel('Expected output');
  await expect.poll(() => expected.inputValue()).toBe('expected');
  await expected.selectOption('');
  await expect.poll(() => expected.inputValue()).toBe('');
  await dialog.getByRole('button', { name: 'Import 1' }).press('Enter');
  await dialog.getByText('1 added').waitFor();
  const { data } = await stage.server.ok('GET', `/v0/tasks/${shop.taskId}/examples?search=When`);
  expect(data).toMatchObject([{ input: 'When?', expected: null }]);
});

it('a verdict of a person is saved once, and shown with the name', async () => {
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  const traceId = shop.traceIds[3] ?? '';
  await visitor.open(`/traces/${traceId}?tab=evals`);
  const pane = page.getByRole('complementary', { name: 'Selected span' });
  await pane.getByRole('button', { name: 'Fail' }).click();
  await pane.getByLabel('Critique').fill('It names no order number.');
  await pane.getByRole('button', { name: 'Save the verdict' }).dblclick();
  const listed = pane.getByRole('listitem').filter({ hasText: 'It names no order number.' });
  await listed.waitFor();
  expect(await listed.textContent()).toContain('Ada Lovelace');
  expect(await listed.textContent()).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  const { data } = await stage.server.ok('GET', `/v0/human-annotations?traceId=${traceId}`);
  expect(data).toHaveLength(1);
});

it('the pager and the header of a list agree', async () => {
  const visitor = await stage.visit({ role: 'viewer' });
  const { page } = visitor;
  await visitor.open('/tests');
  const { pagination } = await stage.server.ok('GET', '/v0/tests?limit=1');
  const total = String(pagination.total);
  await page.getByText(`${total} tests`, { exact: true }).waitFor();
  expect(pagination.total).toBeGreaterThan(25);
  await page.getByText(new RegExp(`^1–\\d+ of ${total}$`)).waitFor();
});

it('the palette finds an evaluator by the beginning of a word', async () => {
  const visitor = await stage.visit({ role: 'viewer' });
  const { page } = visitor;
  await visitor.open('/');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('answers');
  await page.getByRole('option', { name: 'Answers the question' }).waitFor();
  expect(await visitor.accessibilityProblems()).toEqual([]);
});

it('a page is painted before its script has arrived, in both themes', async () => {
  const visitor = await stage.visit({ role: 'viewer', usesUpWindow: true });
  const { page } = visitor;
  await page.route('**/assets/*.js', (route) => route.abort());
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto(`${stage.server.url}/traces`);
    const bar = page.locator('.first-paint-page > div').first();
    await bar.waitFor();
    expect((await bar.boundingBox())?.width).toBeGreaterThan(200);
    const navigation = await page.locator('.first-paint-navigation').boundingBox();
    expect(navigation?.width).toBeGreaterThan(100);
  }
  // The browser reports each script that did not arrive.
  expect(visitor.takeReported().filter((text) => !text.includes('ERR_FAILED'))).toEqual([]);
});
