import { describe, expect, it } from 'vitest';
import { configIssues } from '../../src/evaluate/definition-config.ts';
import { inputHash } from '../../src/evaluate/engine/input-hash.ts';
import { assert } from '../../src/evaluate/evaluators/assert.ts';
import { createExampleBody } from '../../src/resources/examples/contract.ts';
import { appliedDefinition, subjectOf } from '../support/judged.ts';

const OUTPUT = 'Within 30 days.';
const judge = (config: object, checks?: unknown) =>
  assert.evaluate(subjectOf({ output: OUTPUT }), {
    ...appliedDefinition('ASSERT', { config: { exampleAssertions: true, ...config } }),
    checks: checks as never,
  });

describe('the checks of an example', () => {
  it.each<[what: string, config: object, checks: unknown, verdict: object]>([
    ['decide alone', {}, [{ type: 'contains', value: '30' }], { passed: true, score: 1 }],
    [
      'follow those of the definition',
      { assertions: [{ type: 'contains', value: 'days' }] },
      [{ type: 'contains', value: 'weeks' }],
      { passed: false, score: 0.5 },
    ],
    [
      'are forbidden texts too',
      {},
      [{ type: 'contains', value: 'refund', not: true }],
      { passed: true, results: { assertions: [{ type: 'contains', not: true, passed: true }] } },
    ],
    ['are missing, so nothing is judged', {}, undefined, { status: 'SKIPPED' }],
  ])('%s', (_what, config, checks, verdict) => {
    expect(judge(config, checks)).toMatchObject(verdict);
  });

  it('are part of the input of the verdict', () => {
    const definition = appliedDefinition('ASSERT', { config: { exampleAssertions: true } });
    const hashOf = (checks?: unknown) =>
      inputHash({ ...definition, checks: checks as never }, assert, subjectOf({ output: OUTPUT }));
    expect(hashOf([{ type: 'contains', value: 'a' }])).not.toBe(hashOf([{ type: 'contains', value: 'b' }]));
    expect(hashOf()).toBe(inputHash(definition, assert, subjectOf({ output: OUTPUT })));
  });

  it.each<[what: string, assertions: unknown, isValid: boolean]>([
    ['a check', [{ type: 'contains', value: 'x' }], true],
    ['none', null, true],
    ['an unknown type', [{ type: 'sounds-nice' }], false],
    ['a check without its value', [{ type: 'contains' }], false],
    ['an empty list', [], false],
  ])('may be %s: %j', (_what, assertions, isValid) => {
    expect(createExampleBody.safeParse({ input: 'x', assertions }).success).toBe(isValid);
  });
});

it.each<[config: object, isValid: boolean]>([
  [{ exampleAssertions: true }, true],
  [{ exampleAssertions: true, assertions: [{ type: 'is-json' }] }, true],
  [{ assertions: [] }, false],
  [{}, false],
  [{ exampleAssertions: false }, false],
])('a definition of ASSERT needs checks, its own or those of examples: %j', (config, isValid) => {
  expect(configIssues('ASSERT', config).length === 0).toBe(isValid);
});
