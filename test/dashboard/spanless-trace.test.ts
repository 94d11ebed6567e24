/** A trace that an event reported with its input and output alone opens from the list, and can be judged. */
import { expect, it } from 'vitest';
import { annotating } from '../resources/annotation-support.ts';
import { useStage } from './support/browser.ts';

const stage = useStage();

it('a trace without spans shows its texts, and takes a verdict', async () => {
  const [traceId = ''] = await annotating(stage.server).traces(1, {
    timestamp: new Date().toISOString(),
    input: 'My kettle leaks',
    output: 'Send it **back**, please.',
  });
  const visitor = await stage.visit({ role: 'annotator' });
  const { page } = visitor;
  await visitor.open('/traces');
  await page.getByRole('row', { name: 'My kettle leaks' }).click();
  await page.waitForURL(`**/traces/${traceId}*`);
  await page.getByText('It was sent as an event, without spans.').waitFor();
  await page.getByText('My kettle leaks').waitFor();
  await page.getByRole('article', { name: 'The answer' }).getByText('back', { exact: true }).waitFor();
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await page.getByRole('button', { name: '✓ Pass' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await stage.server.ok('GET', `/v0/human-annotations?traceId=${traceId}`)).data)
    .toMatchObject([{ verdict: true }]);
  await visitor.useSize({ width: 390, height: 844 });
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
});
