import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { inputHash } from '../../src/evaluate/engine/input-hash.ts';
import type { AppliedDefinition, Aspect, Evaluator } from '../../src/evaluate/evaluator.ts';
import type { JsonValue } from '../../src/traces/span-wire.ts';
import { appliedDefinition, subjectOf } from '../support/subjects.ts';

const subject = subjectOf({
  input: null,
  output: { b: [{ d: 1, c: 'é"\n' }], a: null } as JsonValue,
  usage: { totalTokens: 3, inputTokens: 1, outputTokens: 2 },
});
const DEFINITION = { definitionId: 'id', version: 3, expected: undefined, styleGuide: null };

// A stored hash must stay comparable: if the text changed, every verdict would be judged again after late spans.
it.each<[what: string, fields: Partial<AppliedDefinition>, reads: Aspect[], text: string]>([
  ['nothing', {}, [], '{"definitionId":"id","read":{},"styleGuide":null,"version":3}'],
  [
    'parts of the subject in the order of their names',
    {},
    ['usage', 'output'],
    '{"definitionId":"id","read":{"output":{"a":null,"b":[{"c":"é\\"\\n","d":1}]},"usage":{"inputTokens":1,"outputTokens":2,"totalTokens":3}},"styleGuide":null,"version":3}',
  ],
  [
    'all that a definition may have',
    {
      expected: { z: 1, a: 'x' },
      rubric: 'r',
      baseline: { testId: 't', output: 'o' },
      styleGuide: [{ heading: 'h', content: 'c' }],
    },
    ['input'],
    '{"baseline":{"output":"o","testId":"t"},"definitionId":"id","expected":{"a":"x","z":1},"read":{"input":null},"rubric":"r","styleGuide":[{"content":"c","heading":"h"}],"version":3}',
  ],
])('the hash of an input is of one text, whatever was hashed before: %s', (_what, fields, reads, text) => {
  const definition = appliedDefinition('ASSERT', {}, { ...DEFINITION, ...fields });
  const evaluator: Pick<Evaluator, 'reads'> = { reads: () => reads };
  const hash = (): string => inputHash(definition, evaluator as Evaluator, subject);
  const expected = createHash('sha256').update(text).digest('hex');
  expect([hash(), hash()]).toEqual([expected, expected]);
});
