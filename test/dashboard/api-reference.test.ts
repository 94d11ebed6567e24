import { expect, it } from 'vitest';
import { useStage } from './support/browser.ts';

const stage = useStage();

/** Leaves two operations of each group and two schemas, as all are made alike and axe takes a minute for all. */
const KEEP_FEW =
  "for (const one of document.querySelectorAll('section article:nth-of-type(n + 3)')) one.remove(); for (const link of document.querySelectorAll('main a[href^=\"#schema-\"]')) link.href = '#schemas'";

it.each([
  ['light', 1440],
  ['dark', 420],
] as const)('the API reference is accessible, in %s at %i px', async (theme, width) => {
  const visitor = await stage.visit({ theme, width });
  await visitor.open('/docs');
  const sizes = await visitor.page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, innerWidth]',
  );
  expect(sizes[0]).toBeLessThanOrEqual(sizes[1]);
  await visitor.page.evaluate(KEEP_FEW);
  expect(await visitor.accessibilityProblems()).toEqual([]);
});

it('the API reference finds operations by words of their path and summary, and takes the theme of the dashboard', async () => {
  const visitor = await stage.visit();
  await visitor.open('/docs');
  await visitor.page.keyboard.press('/');
  await visitor.page.keyboard.type('tags post');
  const shown = visitor.page.locator('nav li:visible');
  await expect.poll(() => shown.allInnerTexts()).toContain('Create a tag');
  expect(await shown.count()).toBeLessThan(5);
  await shown.getByText('Create a tag', { exact: true }).click();
  expect(visitor.page.url()).toMatch(/#createTag$/);
  await visitor.page.locator('#search').fill('no operation has this');
  await expect.poll(() => visitor.page.locator('#none').isVisible()).toBe(true);
  await visitor.page.evaluate("localStorage.setItem('touchstone.theme', 'dark')");
  await visitor.page.reload();
  expect(await visitor.page.locator('html').getAttribute('data-theme')).toBe('dark');
});
