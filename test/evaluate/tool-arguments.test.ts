import { expect, it } from 'vitest';
import { assert } from '../../src/evaluate/evaluators/assert.ts';
import type { JsonValue } from '../../src/traces/span-wire.ts';
import { appliedDefinition, subjectOf } from '../support/judged.ts';

it.each<[what: string, given: JsonValue, args: JsonValue, mode: string, passed: boolean]>([
  ['an empty text', '', {}, 'exact', true],
  ['white space', ' ', {}, 'exact', true],
  ['an empty object', '{}', {}, 'exact', true],
  ['an empty text, where some are wanted', '', { city: 'Paris' }, 'partial', false],
  ['another form of the same characters', { city: 'Mu\u0308nchen' }, { city: 'M\u00fcnchen' }, 'exact', true],
  ['another form in JSON', '{"city":"Mu\u0308nchen","n":1}', { city: 'M\u00fcnchen' }, 'partial', true],
])('tool arguments may be %s', (_what, given, args, mode, passed) => {
  const definition = appliedDefinition('ASSERT', {
    config: { assertions: [{ type: 'tool-arguments', value: { name: 'search', args, mode } }] },
  });
  const subject = subjectOf({ toolCalls: [{ name: 'search', arguments: given }] as never });
  expect(assert.evaluate(subject, definition)).toMatchObject({ passed });
});
