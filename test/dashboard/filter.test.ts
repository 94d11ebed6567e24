/** The filter line of lists, in a browser; what terms find is tested in test/traces/filter. */
import { describe, expect, it } from 'vitest';
import { useStage } from './support/browser.ts';
import { openShop } from './support/shop.ts';
import type { Visitor } from './support/visitor.ts';

const stage = useStage(async (server) => {
  await openShop(server);
});

async function open(path: string): Promise<Visitor> {
  const visitor = await stage.visit({ role: 'viewer' });
  await visitor.open(path);
  await visitor.page.getByRole('combobox', { name: 'Filter' }).waitFor();
  return visitor;
}
const input = ({ page }: Visitor) => page.getByRole('combobox', { name: 'Filter' });
const rows = ({ page }: Visitor) => page.locator('tr[data-row]');

describe('a filter line', () => {
  it('is written with suggestions by keyboard alone', async () => {
    const visitor = await open('/traces');
    const { page } = visitor;
    await page.keyboard.press('/');
    await page.keyboard.type('mode');
    await page.getByRole('option', { name: /^model:/ }).waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: /^\d+ suggestions$/ })
      .waitFor({ state: 'attached' });
    await page.keyboard.press('Tab');
    await expect.poll(() => input(visitor).inputValue()).toBe('model:');
    await page.getByRole('option', { name: /^model:gpt-5.4-mini/ }).waitFor();
    expect(await visitor.accessibilityProblems()).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/traces?q=model:*');
    await expect.poll(() => input(visitor).inputValue()).toBe('');
    await page.keyboard.press('Backspace');
    await expect.poll(() => input(visitor).inputValue()).toMatch(/^model:/);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('option').count()).toBe(0);
  });

  it('with an unknown field keeps the list of the previous filter, and offers what was meant', async () => {
    const visitor = await open('/traces?q=error:yes');
    const { page } = visitor;
    await visitor.settle();
    const before = await rows(visitor).count();
    expect(before).toBeGreaterThan(0);
    await input(visitor).fill('modle:gpt-5.4');
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alert').filter({ hasText: 'Unknown field “modle”' });
    await alert.waitFor();
    expect(await alert.textContent()).toContain('The list still shows the previous filter.');
    expect(await rows(visitor).count()).toBe(before);
    await alert.getByRole('button', { name: 'model:gpt-5.4', exact: true }).click();
    await page.waitForURL('**/traces?q=error:yes+model:gpt-5.4');
    await page.goBack();
    await page.waitForURL('**modle**');
    await page.goBack();
    await page.waitForURL('**/traces?q=error:yes');
  });

  it('that finds nothing names the term that excludes most', async () => {
    const visitor = await open('/traces?q=error:yes+zzznothing');
    await visitor.page.getByRole('button', { name: 'Remove zzznothing' }).last().click();
    await visitor.page.waitForURL('**/traces?q=error:yes');
    await rows(visitor).first().waitFor();
    expect(await rows(visitor).count()).toBeGreaterThan(0);
  });

  it('finds the texts of steps', async () => {
    const visitor = await open('/traces?q=tool:find_parcel');
    await rows(visitor).first().waitFor();
    expect(await rows(visitor).count()).toBeGreaterThan(0);
  });

  it('is offered again when it was used before', async () => {
    const visitor = await open('/traces?q=duration:>1ms');
    await rows(visitor).first().waitFor();
    await visitor.open('/traces');
    await input(visitor).focus();
    await visitor.page.getByRole('option', { name: /^duration:>1ms/ }).click();
    await visitor.page.waitForURL('**/traces?q=duration:*');
    expect(await rows(visitor).count()).toBeGreaterThan(0);
  });

  it.each([
    ['/tests', 'outcome:passed,failed,app_error,no_verdict,not_run'],
    ['/conversations', 'has:session'],
  ])('filters %s', async (path, line) => {
    const visitor = await open(`${path}?q=${line}`);
    await rows(visitor).first().waitFor();
    await input(visitor).fill('nonsense:x');
    await visitor.page.keyboard.press('Enter');
    await visitor.page.getByRole('alert').filter({ hasText: 'Unknown field “nonsense”' }).waitFor();
    expect(await rows(visitor).count()).toBeGreaterThan(0);
  });
});
