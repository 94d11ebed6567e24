import { describe, expect, it } from 'vitest';
import { otelTraceUuid } from '../../src/traces/ids.ts';
import { useStage } from './support/browser.ts';
import { openShop, type Shop } from './support/shop.ts';
import { shopTrace } from './support/shop-spans.ts';
import type { Visitor } from './support/visitor.ts';

let shop: Shop;
const stage = useStage(async (server) => {
  shop = await openShop(server);
});

const openTraces = async (path = '/traces'): Promise<Visitor> => {
  const visitor = await stage.visit({ role: 'viewer' });
  await visitor.open(path);
  await visitor.page.getByText('answer a customer').first().waitFor();
  return visitor;
};
const pathOf = ({ page }: Visitor): string => new URL(page.url()).pathname;

describe('in a list', () => {
  it('j and k move, x selects, Enter opens, ] leads to the next row', async () => {
    const visitor = await openTraces();
    const { keyboard } = visitor.page;
    for (const key of ['j', 'j', 'k', 'x']) await keyboard.press(key);
    const [first = '', second = ''] = shop.traceIds;
    expect(
      await visitor.page
        .locator('tr', { has: visitor.page.locator('input:checked') })
        .getAttribute('data-row'),
    ).toBe(first);
    await visitor.page.locator('tr:focus-within [data-open]').waitFor();
    await keyboard.press('j');
    await keyboard.press('k');
    await keyboard.press('Enter');
    await visitor.page.waitForURL(`**/traces/${first}*`);
    await keyboard.press(']');
    await visitor.page.waitForURL(`**/traces/${second}*`);
  });

  it('/ leads to the filter, whose terms are in the address, and can be removed', async () => {
    const visitor = await openTraces();
    const { page } = visitor;
    await page.keyboard.press('/');
    await page.keyboard.type('error:yes duration:>1ms');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/traces?q=error:yes+duration:*');
    await page.getByRole('button', { name: 'duration:>1ms' }).click();
    await page.waitForURL('**/traces?q=error:yes');
    await page.getByRole('button', { name: 'error:yes' }).waitFor();
    await visitor.settle();
    const failed = page.getByTitle(/failed spans/);
    expect(await failed.count()).toBeGreaterThan(0);
    expect(await failed.count()).toBe(await page.locator('tr[data-row]').count());
  });

  it('new traces are announced, and appear on request', async () => {
    // The clock of a window stays replaced.
    const visitor = await stage.visit({ role: 'viewer', usesUpWindow: true });
    const { page } = visitor;
    await visitor.open('/traces');
    await page.getByText('answer a customer').first().waitFor();
    const before = await page.locator('tr[data-row]').first().getAttribute('data-row');
    const { request, otelTraceId } = shopTrace(4711, Date.now());
    await stage.server.call('POST', '/v1/traces', { body: request });
    const button = page.getByRole('button', { name: '1 new trace matches' });
    await button.waitFor();
    expect(await page.locator('tr[data-row]').first().getAttribute('data-row')).toBe(before);
    await button.click();
    const added = otelTraceUuid(Buffer.from(otelTraceId, 'hex'));
    await page.locator(`tr[data-row="${added}"]`).waitFor();
    // The tests of this file know which traces there are.
    await stage.server.call('DELETE', `/v0/traces/${added}`);
  });

  it('selected traces are added to a queue of people', async () => {
    const visitor = await stage.visit({ role: 'editor' });
    const { page } = visitor;
    await visitor.open('/traces?sort=-durationMs');
    await page.getByText('answer a customer').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    expect(await visitor.accessibilityProblems()).toEqual([]);
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('dialog').getByLabel('Queue').selectOption({ label: 'Refunds of this week' });
    await page.getByRole('button', { name: 'Add 1 to the queue' }).click();
    await page.getByText(/^1 added to “Refunds of this week”|^0 added .* 1 left out/).waitFor();
  });

  it('columns are chosen, and are in the address', async () => {
    const { page } = await openTraces('/traces?columns=timestamp,name');
    expect(await page.getByRole('columnheader').allTextContents()).toEqual(['', 'Time ↓', 'Name']);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Models' }).click();
    await page.getByRole('columnheader', { name: 'Models' }).waitFor();
    expect(page.url()).toContain('columns=timestamp,name,models');
  });
});

describe('everywhere', () => {
  it('g and a letter go to a screen, ? lists the keys, Esc closes the list', async () => {
    const visitor = await openTraces();
    const { page } = visitor;
    // The second key must follow the first within a second and a half, which a busy machine may exceed.
    const goToSettings = async (): Promise<boolean> => {
      await page.keyboard.press('g');
      await page.keyboard.press('s');
      return page.getByRole('heading', { level: 1, name: 'Settings' }).isVisible();
    };
    await expect.poll(goToSettings).toBe(true);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    expect(await visitor.accessibilityProblems()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('Ctrl K finds pages and actions', async () => {
    const visitor = await openTraces();
    const { page } = visitor;
    await page.keyboard.press('Control+k');
    await page.keyboard.type('settings');
    await page.getByRole('option', { name: /Settings/, selected: true }).waitFor();
    expect(await visitor.accessibilityProblems()).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('theme dark');
    await page.keyboard.press('Enter');
    await page.waitForSelector('html[data-theme="dark"]');
  });

  it('Ctrl K finds records by the beginning of a word of their name', async () => {
    const visitor = await openTraces();
    const { page } = visitor;
    await page.keyboard.press('Control+k');
    await page.keyboard.type('parc');
    const found = page.getByRole('option', { name: 'Right parcel' });
    await found.waitFor();
    await page.getByRole('option', { name: 'Find a parcel' }).first().waitFor();
    expect(await visitor.accessibilityProblems()).toEqual([]);
    await found.click();
    await page.getByRole('heading', { level: 1, name: 'Right parcel' }).waitFor();
  });

  it('single letters do nothing where they are typed, or once they are switched off', async () => {
    const visitor = await openTraces();
    const { page } = visitor;
    await page.keyboard.press('/');
    await page.keyboard.type('gh?');
    expect(pathOf(visitor)).toBe('/traces');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Ada Lovelace' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Single-letter shortcuts' }).click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

it('another application shows other data, and a link to it opens it', async () => {
  const other = await stage.server.newTenant();
  const person = stage.person('viewer');
  stage.join(person, other);
  const visitor = await stage.visit();
  await visitor.become(person);
  await visitor.open('/traces');
  await visitor.page.getByText('answer a customer').first().waitFor();
  await visitor.page.getByRole('button', { name: 'Application: Support bot' }).click();
  await visitor.page.getByRole('menuitemradio', { name: 'Another' }).click();
  await visitor.page.getByText('No traces yet').waitFor();
  // The menu has gone, so that keys belong to the page again.
  await visitor.page.getByRole('menu').waitFor({ state: 'detached' });
  await visitor.page.keyboard.press('?');
  await visitor.page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
  await visitor.page.keyboard.press('Escape');
  await visitor.open(`/traces?app=${stage.server.applicationId}`);
  await visitor.page.getByText('answer a customer').first().waitFor();
  await visitor.open(`/traces?app=${other.applicationId}`);
  expect(await visitor.page.getByText('No traces yet').isVisible()).toBe(true);
  await visitor.page.getByRole('button', { name: 'Application: Another' }).click();
  await visitor.page.getByRole('menuitemradio', { name: 'Support bot' }).click();
  await visitor.page.getByText('answer a customer').first().waitFor();
  expect(new URL(visitor.page.url()).searchParams.get('app')).toBe(stage.server.applicationId);
});

it('a failed call says why, counts down, and can be made again', async () => {
  const visitor = await stage.visit({ role: 'viewer' });
  const { page } = visitor;
  // So long that it is still counted down when all of it has been looked at.
  let retryAfter = '60';
  await page.route('**/v0/traces?*', (route) =>
    route.fulfill({
      status: 503,
      headers: { 'retry-after': retryAfter, 'x-request-id': 'request-4711' },
      json: { message: 'Too busy' },
    }),
  );
  const alert = page.getByRole('alert');
  await visitor.open('/traces');
  await alert.getByRole('button', { name: /^Retry in \d+ s$/ }).waitFor();
  expect(await alert.textContent()).toMatch(/Too busy.*request-4711/);
  expect(await visitor.accessibilityProblems()).toEqual([]);
  retryAfter = '1';
  await page.reload();
  const retry = alert.getByRole('button', { name: 'Retry', exact: true });
  await retry.waitFor();
  await page.unroute('**/v0/traces?*');
  await retry.click();
  await page.getByText('answer a customer').first().waitFor();
});
