/** The home page: what needs attention leads to where it is done, and stands in the navigation too. */
import { expect, it } from 'vitest';
import { annotating } from '../resources/annotation-support.ts';
import { useStage } from './support/browser.ts';
import { type RefundScenario, storeRefunds } from './support/refund-scenario.ts';
import type { Visitor } from './support/visitor.ts';

let scenario: RefundScenario;
const stage = useStage(async (server) => {
  scenario = await storeRefunds(server);
  const body = { source: 'API', title: 'Promises the refund', priority: 'HIGH' } as const;
  await server.ok('POST', '/v0/issues', { body });
  const { queue, item, traces } = annotating(server);
  const { id: queueId } = await queue({ title: 'Refunds of this week' });
  for (const traceId of await traces(2)) await item({ queueId, traceId });
});

const needs = ({ page }: Visitor) => page.getByRole('region', { name: 'Needs attention' });
const entry = ({ page }: Visitor, name: string) =>
  page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name });

it('what needs an annotator is on the home page and in the navigation, and leads to where it is done', async () => {
  const visitor = await stage.visit({ role: 'annotator' });
  await visitor.open('/');
  await needs(visitor).getByText('1 issue of high priority is open').waitFor();
  await needs(visitor).getByText('#1 Promises the refund').waitFor();
  expect(await entry(visitor, 'Issues').textContent()).toBe('Issues1 1 waiting');
  expect(await entry(visitor, 'Review').textContent()).toBe('Review2 2 waiting');
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await visitor.useTheme('dark');
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await needs(visitor).getByRole('link', { name: 'Review: 2 items to review' }).click();
  await visitor.page.getByRole('heading', { level: 1, name: 'Refunds of this week' }).waitFor();
});

it('a viewer has no review to do', async () => {
  const visitor = await stage.visit({ role: 'viewer' });
  await visitor.open('/');
  await needs(visitor).getByText('1 issue of high priority is open').waitFor();
  expect(await needs(visitor).getByText('to review').count()).toBe(0);
});

it.each([
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
])('the latest runs lead to their results at $width px', async (size) => {
  const visitor = await stage.visit({ role: 'viewer', ...size });
  const { page } = visitor;
  await visitor.open('/');
  const runs = page.getByRole('region', { name: 'Latest runs' });
  await runs.getByText('15 of 31').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  await runs.getByRole('listitem').filter({ hasText: '15 of 31' }).getByRole('link').click();
  await page.waitForURL(`**/runs/${scenario.runId}`);
});
