import { expect, it } from 'vitest';
import { configIssues } from '../../src/evaluate/definition-config.ts';
import { evaluatorsPage } from '../support/evaluators-page.ts';

it('the page of evaluators lists all of them', async () => {
  const advice =
    'Run `npm run vitest -- run test/evaluate/evaluators-page.test.ts -u` to write the page again';
  await expect(evaluatorsPage(), advice).toMatchFileSnapshot('../../docs/evaluators.md');
});

it('its examples are valid', () => {
  const examples = [...evaluatorsPage().matchAll(/```json\n([^`]*)```/g)];
  const [match, checks, graded, talk, compared, scorer] = examples.map(([, json]): unknown =>
    JSON.parse(json as string),
  );
  expect(configIssues('OUTPUT_MATCH', match)).toEqual([]);
  expect(configIssues('ASSERT', checks)).toEqual([]);
  expect(configIssues('CUSTOM', graded)).toEqual([]);
  expect(configIssues('CONVERSATION', talk)).toEqual([]);
  expect(configIssues('PAIRWISE', compared)).toEqual([]);
  expect(configIssues('HTTP', scorer)).toEqual([]);
});
