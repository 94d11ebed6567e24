/** An evaluator that is tried before it is saved, in a browser. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { halfOf } from '../../src/resources/definitions/holdout.ts';
import { annotating } from '../resources/annotation-support.ts';
import { judging } from '../resources/reliability-support.ts';
import { startStandInJudge } from '../support/stand-in-judge.ts';
import { useStage } from './support/browser.ts';

const HELD = 'heldouttext';
const judge = await startStandInJudge(({ messages }) => {
  const isKind = messages.join('\n').includes('Gladly');
  return { say: { rationale: isKind ? 'It says “Gladly”.' : 'It is curt.', verdict: isKind ? 'yes' : 'no' } };
});
const folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
const judgesFile = join(folder, 'judges.json');
const only = {
  provider: 'openai-compatible',
  baseUrl: judge.openAi,
  model: 'stand-in',
  prices: { input: 2, output: 10 },
};
writeFileSync(judgesFile, JSON.stringify({ judges: { only }, dailyCostLimit: 5 }));

let definitionId: string;
const stage = useStage(
  async (server) => {
    const { newDefinition, judge: judged, say, draw } = judging(server);
    definitionId = await newDefinition({ name: 'Kind' });
    const of = annotating(server);
    const kind = await of.traces(2, { input: 'May I return it?', output: 'Gladly, do.' });
    const curt = await of.traces(2, { input: 'And the shoes?', output: 'No.' });
    judged({ definitionId, traceIds: [...kind, ...curt], passed: [true, true, true, false] });
    say(
      { traceId: kind[0] ?? '', verdict: true },
      { traceId: curt[0] ?? '', verdict: false },
      { traceId: kind[1] ?? '', verdict: false },
    );
    const drawn = await of.traces(40, { input: HELD, output: HELD, timestamp: '2027-01-01T00:00:00Z' });
    const held = drawn.filter((traceId) => halfOf(traceId.replaceAll('-', '')) === 'HOLDOUT');
    judged({ definitionId, traceIds: held, passed: held.map(() => true) });
    say(...held.map((traceId) => ({ traceId, verdict: false })));
    draw(drawn.filter((traceId) => held.includes(traceId)));
    for (const traceId of drawn.filter((one) => !held.includes(one)))
      await server.call('DELETE', `/v0/traces/${traceId}`);
  },
  { config: { judgesFile } },
);
afterAll(async () => {
  await judge[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

it('a changed criterion is tried on responses beside the verdicts of people, and held-out texts never arrive', async () => {
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  const bodies: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/v0/')) bodies.push(response.text().catch(() => ''));
  });
  const evalsBefore = (await stage.server.ok('GET', '/v0/evals', {})).pagination.total;
  await visitor.open(`/evaluators/${definitionId}?tab=settings`);
  await page.getByLabel('Configuration').fill('{"criterion": "It is kind, really."}');
  await page.getByRole('button', { name: /^Try on 4 \(about \$0\.0/ }).click();
  await page.getByText('2 of 3').waitFor();
  await page.getByRole('heading', { name: 'Changed 1' }).waitFor();
  await page.getByRole('heading', { name: 'Unlike reviewers 1' }).waitFor();
  await page.getByText('4 verdicts of a model. Only the cost is stored.').waitFor();
  await page.locator('u', { hasText: 'Gladly' }).first().waitFor();
  expect(await visitor.accessibilityProblems()).toEqual([]);

  const asked = judge.requests.length;
  await page.getByLabel('Judge', { exact: true }).selectOption('DISAGREEMENTS');
  await page.getByRole('button', { name: /^Retry on 2/ }).waitFor();
  expect(judge.requests).toHaveLength(asked);
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => judge.requests.length).toBe(asked + 2);
  await page.getByLabel('Judge', { exact: true }).selectOption('TEXT');
  await page.getByLabel('Response').fill('Gladly, dear.');
  await page.getByRole('button', { name: /^Retry on 1/ }).click();
  await page.getByText('Given text').waitFor();
  expect((await stage.server.ok('GET', '/v0/evals', {})).pagination.total).toBe(evalsBefore);
  expect((await stage.server.call('GET', `/v0/definitions/${definitionId}`)).json).toMatchObject({
    data: { version: 1 },
  });
  expect((await Promise.all(bodies)).filter((text) => text.includes(HELD))).toEqual([]);
});

it('a new evaluator is tried in its dialog, by a rule for nothing; viewers try nothing', async () => {
  const visitor = await stage.visit({ role: 'editor', width: 390, height: 844 });
  const { page } = visitor;
  await visitor.open('/evaluators');
  await page.getByRole('button', { name: 'New evaluator' }).click();
  await page.getByLabel('Configuration').fill('{"assertions": [{"type": "contains", "value": "Gladly"}]}');
  await page.getByRole('button', { name: /^Try on 4 \(free\)/ }).click();
  await page.getByRole('heading', { name: 'Others 3' }).waitFor();
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await page.keyboard.press('Escape');
  const viewer = await stage.visit({ role: 'viewer' });
  await viewer.open(`/evaluators/${definitionId}?tab=settings`);
  await viewer.page.getByRole('region', { name: 'Try-out' }).getByText('only lets you look').waitFor();
  expect(await viewer.page.getByRole('button', { name: /^Try/ }).isDisabled()).toBe(true);
});
