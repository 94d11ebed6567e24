/** The way of an evaluator from no agreement to blocking, and its versions, in a browser. */
import { expect, it } from 'vitest';
import { annotating } from '../resources/annotation-support.ts';
import { judging } from '../resources/reliability-support.ts';
import { useStage } from './support/browser.ts';

const stage = useStage();

it('one button does what is missing, from the required agreement to blocking; disagreements have both reasons', async () => {
  const { newDefinition, judge, say, inStore } = judging(stage.server);
  const id = await newDefinition({ name: 'Kind', isOverall: true });
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open(`/evaluators/${id}?tab=agreement`);
  await page.getByText('A required agreement is missing.').waitFor();
  await page.getByRole('button', { name: /^Require κ of at least 0\.60/ }).click();
  await page.getByText('A first verdict is missing.').waitFor();

  const traceIds = await annotating(stage.server).traces(40, {
    input: 'Half back?',
    output: 'Send a photo.',
  });
  judge(
    { definitionId: id, traceIds, passed: traceIds.map((_, place) => place < 20) },
    { reason: 'It asks for a photo.' },
  );
  await visitor.open(`/evaluators/${id}?tab=agreement`);
  await page.getByText('30 more responses of a random sample are missing.').waitFor();
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await page.keyboard.press('d');
  await page.getByText('30 reviews of the random sample are missing.').waitFor();
  await page.getByRole('button', { name: /^Review 30/ }).waitFor();
  const { data: items } = await stage.server.ok('GET', '/v0/human-annotation-queue-items?limit=100', {});
  expect(items).toHaveLength(30);

  const kind = new Set(traceIds.slice(0, 20));
  const [odd = ''] = items.map(({ traceId }) => traceId);
  say(
    ...items.map(({ traceId }) => ({
      traceId,
      verdict: traceId === odd ? !kind.has(traceId) : kind.has(traceId),
      annotatorId: 'omar',
    })),
  );
  // The verdicts of a blind queue are withheld from its reviewers until ten minutes after it.
  inStore((database) =>
    database.run('UPDATE annotation_queue_item SET completed_at = ?', Date.now() - 3_600_000),
  );
  await visitor.open(`/evaluators/${id}?tab=agreement`);
  await page.getByText('Nothing is missing.').waitFor();
  const counts = await page.getByRole('button', { name: /^(?:Draft half|Holdout) 1$/ }).textContent();
  if (counts?.startsWith('Holdout')) await page.getByRole('button', { name: /^Holdout 1/ }).click();
  const row = page.getByRole('list', { name: 'Disagreements' });
  await row.getByText('It asks for a photo.').waitFor();
  await row.getByText('omar').waitFor();
  expect(await visitor.accessibilityProblems()).toEqual([]);
  const narrow = await stage.visit({ role: 'viewer', width: 390, height: 844 });
  await narrow.open(`/evaluators/${id}?tab=agreement`);
  await narrow.page.getByText('Nothing is missing.').waitFor();
  expect(await narrow.page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

it('two versions show their words and settings, and what changed in the verdicts', async () => {
  const { newDefinition, judge } = judging(stage.server);
  const id = await newDefinition({
    name: 'Polite',
    globalConfig: { criterion: 'The answer mentions the photo.' },
  });
  const traceIds = await annotating(stage.server).traces(4);
  const applied = (criterion: string, version: number) => ({
    definitionVersion: version,
    version,
    judge: { definition: { version, name: 'Polite', type: 'CUSTOM', config: { criterion }, repeats: 1 } },
  });
  judge(
    { definitionId: id, traceIds, passed: [true, true, true, false] },
    applied('The answer mentions the photo.', 1),
  );
  const globalConfig = { criterion: 'The answer requests the photo.' };
  await stage.server.call('PUT', `/v0/definitions/${id}`, { body: { globalConfig } });
  judge(
    { definitionId: id, traceIds, passed: [true, false, true, true] },
    applied(globalConfig.criterion, 2),
  );
  const visitor = await stage.visit({ role: 'viewer' });
  const { page } = visitor;
  await visitor.open(`/evaluators/${id}?tab=versions`);
  await page.locator('del', { hasText: 'mentions' }).waitFor();
  await page.locator('ins', { hasText: 'requests' }).waitFor();
  await page.getByText('Of 4 that both judged, 2 changed: 1 pass now, 1 fail now.').waitFor();
  await page.getByText('not measured').first().waitFor();
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await page.getByLabel('Before').selectOption('2');
  await expect.poll(() => page.locator('del').count()).toBe(0);
});
