/** Notes that a model groups on screen: the cost first, and each suggestion is accepted by a person. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { annotating } from '../resources/annotation-support.ts';
import { startStandInJudge } from '../support/stand-in-judge.ts';
import { useStage } from './support/browser.ts';

const judge = await startStandInJudge(({ messages: [message = ''] }) => {
  const numbers = new Map(
    [...message.matchAll(/BEGIN \w+ note (\d+)\n(.*)/g)].map(([, number, text]) => [text, Number(number)]),
  );
  const of = (...texts: string[]) => texts.flatMap((text) => numbers.get(text) ?? []);
  const group = (title: string, notes: number[]) => ({ title, description: `${title}.`, notes, issue: null });
  return {
    say: {
      groups: [
        group('Promises the refund', of('Money at once', 'No number', 'Greets twice')),
        group('Is rude', of('Rude', 'Curt')),
      ],
    },
  };
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
const stage = useStage(
  async (server) => {
    const [traceId = ''] = await annotating(server).traces(1);
    for (const text of ['Money at once', 'No number', 'Greets twice', 'Rude', 'Curt'])
      await server.ok('POST', '/v0/notes', { body: { traceId, text } });
  },
  { config: { judgesFile } },
);
afterAll(async () => {
  await judge[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

it('a model suggests groups after its cost was shown, and only what a person accepts is created', async () => {
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  const issues = async () => (await stage.server.ok('GET', '/v0/issues', {})).data;
  await visitor.open('/issues/group');
  await page.getByRole('button', { name: 'Suggest groups …' }).click();
  const ask = page.getByRole('button', { name: /^Suggest groups of 5 notes \(about \$0\.00\d+\)$/ });
  await ask.waitFor();
  await page.getByText(/1 call of “only”, .* tokens, \$5\.00 left today/).waitFor();
  expect(judge.requests).toHaveLength(0);
  await ask.click();
  const refund = page.getByRole('listitem', { name: 'Suggestion: Promises the refund' });
  await refund.waitFor();
  await page.getByText('It cost $0.0030. Only the cost is stored.').waitFor();
  expect(await issues()).toEqual([]);
  expect(await visitor.accessibilityProblems()).toEqual([]);

  await refund.getByRole('checkbox', { name: 'Greets twice' }).uncheck();
  await refund.getByLabel('Title').fill('Promises money too early');
  await refund.getByRole('button', { name: 'Create an issue of 2' }).click();
  await page.getByRole('link', { name: '#1 Promises money too early' }).waitFor();
  await page
    .getByRole('listitem', { name: 'Suggestion: Is rude' })
    .getByRole('button', { name: 'Dismiss' })
    .click();
  // What was not accepted stays in the list.
  await page.getByText('3 notes', { exact: true }).waitFor();
  expect(await issues()).toMatchObject([
    { title: 'Promises money too early', description: 'Promises the refund.', linkCount: 1 },
  ]);
  const { data: left } = await stage.server.ok('GET', '/v0/notes?unassigned=true');
  expect(left.map(({ text }) => text).toSorted()).toEqual(['Curt', 'Greets twice', 'Rude']);
  expect(judge.requests).toHaveLength(1);
});

it('an annotator groups by hand only', async () => {
  const visitor = await stage.visit({ role: 'annotator' });
  await visitor.open('/issues/group');
  await visitor.page.getByText('3 notes', { exact: true }).waitFor();
  expect(await visitor.page.getByRole('button', { name: 'Suggest groups …' }).count()).toBe(0);
});
