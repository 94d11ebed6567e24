import { describe, expect, it } from 'vitest';
import { openShop, type Shop } from './support/shop.ts';
import { useStage } from './support/browser.ts';

let shop: Shop;
const stage = useStage(async (server) => {
  shop = await openShop(server);
});
const PHONE = { width: 390, height: 844 };

describe('on a phone', () => {
  it('the tab bar leads to the screens, and More to the rest', async () => {
    const visitor = await stage.visit({ role: 'editor', ...PHONE });
    const { page } = visitor;
    await visitor.open('/');
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Traces' }).click();
    await page.getByRole('heading', { level: 1, name: 'Traces' }).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    expect(await visitor.accessibilityProblems()).toEqual([]);
    await page.getByRole('dialog').getByRole('link', { name: 'Evaluators' }).click();
    await page.getByRole('heading', { level: 1, name: 'Evaluators' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('rows are cards that open, and j and k move through them', async () => {
    const visitor = await stage.visit({ role: 'viewer', ...PHONE });
    const { page } = visitor;
    await visitor.open('/traces');
    const cards = page.getByRole('list', { name: 'Traces' }).getByRole('listitem');
    await cards.first().waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/traces/${shop.traceIds[0]}*`);
  });

  it('a trace is read view by view', async () => {
    const visitor = await stage.visit({ role: 'viewer', ...PHONE });
    const { page } = visitor;
    await visitor.open(`/traces/${shop.traceIds[0]}`);
    await page.getByRole('region', { name: 'Transcript' }).waitFor();
    expect(await visitor.accessibilityProblems()).toEqual([]);
    await page.getByRole('button', { name: 'Steps' }).click();
    await page.getByRole('row').first().click();
    await page.getByRole('complementary', { name: 'Selected span' }).waitFor();
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
  });
});

it('columns leave a narrow list so that texts stay readable, the least important first', async () => {
  const visitor = await stage.visit({ role: 'viewer', width: 1440, height: 900 });
  const { page } = visitor;
  await visitor.open('/traces');
  await page.locator('tr[data-row]').first().waitFor();
  const titles = (): Promise<string[]> => page.getByRole('columnheader').allTextContents();
  const before = await titles();
  await visitor.useSize({ width: 800, height: 700 });
  await expect.poll(async () => (await titles()).length).toBeLessThan(before.length);
  const after = await titles();
  for (const title of ['Input', 'Output', 'Name']) expect(after).toContain(title);
  expect(after).not.toContain('Scale');
});

it('annotators see the screens on which they judge', async () => {
  const visitor = await stage.visit({ role: 'annotator' });
  await visitor.open('/');
  const links = visitor.page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
  const names = (await links.allTextContents()).map((text) => text.replace(/\d.*/, ''));
  expect(names).toEqual(['Home', 'Issues', 'Review', 'Traces', 'Conversations']);
});
