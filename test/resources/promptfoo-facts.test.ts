import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { assert } from '../../src/evaluate/evaluators/assert.ts';
import { keptAssertions } from '../../src/resources/examples/promptfoo-assertions.ts';
import { appliedDefinition, subjectOf } from '../support/subjects.ts';

/** Verdicts of promptfoo for assertions on outputs, `1` for each that passed; by `runAssertions` of its package. */
interface Fact {
  assert: readonly { type: string; value?: unknown }[];
  threshold?: number;
  passes: string;
}

const [head = '', ...lines] = readFileSync(join(import.meta.dirname, 'promptfoo-facts.jsonl'), 'utf8')
  .trim()
  .split('\n');
const { outputs, costUsd, latencyMs } = JSON.parse(head) as {
  outputs: string[];
  costUsd: number;
  latencyMs: number;
};
const facts = lines.map((line) => JSON.parse(line) as Fact);

/** Outputs for which a check of `ASSERT` differs on purpose, by type; `*` for all. The page of formats names them. */
const DIFFERENT: Readonly<Record<string, readonly string[]>> = {
  // Texts are compared after Unicode NFC.
  '*': ['he\u0301llo'],
  // Words of scripts without spaces are found by the dictionaries of Unicode.
  'word-count': ['日本語のテスト'],
  // Arrays count as JSON, and JSON that is not complete does not.
  'contains-json': ['[1,2]', '[1] says {"c"'],
  'is-refusal': ['As an AI language model, I cannot'],
  'is-html': ['<a><b></a>', 'text <br> more'],
};

const typesOf = ({ assert: all }: Fact): string[] => all.map(({ type }) => type.replace(/^not-/, ''));
const isSame = (fact: Fact, output: string): boolean =>
  ['*', ...typesOf(fact)].every((type) => !(DIFFERENT[type] ?? []).includes(output));

it('assertions that an import keeps have the verdicts of promptfoo', () => {
  let compared = 0;
  const wrong: string[] = [];
  for (const fact of facts) {
    const { assertions, lost } = keptAssertions([fact.assert], { threshold: fact.threshold });
    // Without a check that counts there is no verdict here.
    if (lost.length > 0 || assertions.every(({ weight }) => weight === 0)) continue;
    const definition = {
      ...appliedDefinition('ASSERT', { exampleAssertions: true }),
      checks: assertions as never,
    };
    for (const [index, output] of outputs.entries()) {
      if (!isSame(fact, output)) continue;
      const verdict = assert.evaluate(subjectOf({ output, cost: costUsd, latencyMs }), definition);
      compared += 1;
      const passed = verdict.status === 'COMPLETED' && verdict.passed;
      if (passed !== (fact.passes[index] === '1')) wrong.push(`${JSON.stringify(fact.assert)}: ${output}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(9_000);
});

it.each<[why: string, assertion: object, threshold?: number]>([
  ['the value of is-xml names elements', { type: 'is-xml', value: 'note.to' }],
  ['flags in a pattern are no JavaScript', { type: 'regex', value: '(?i)lima' }],
  ['the score of levenshtein is a share', { type: 'levenshtein', value: 'Lima', threshold: 2 }, 0.5],
])('an assertion that would have another verdict is named: %s', (_why, assertion, threshold) => {
  expect(keptAssertions([[assertion]], { threshold }).lost).toHaveLength(1);
});
