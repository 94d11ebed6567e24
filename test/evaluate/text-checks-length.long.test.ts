import { expect, it } from 'vitest';
import { evaluateDefinition } from '../../src/evaluate/evaluators/deterministic.ts';
import { appliedDefinition, subjectOf } from '../support/subjects.ts';

it.each(['a', "''"])('a check of SQL takes strings of any length, such as 5 000 000 of %s', (text) => {
  const definition = appliedDefinition('ASSERT', { assertions: [{ type: 'is-sql' }] });
  const output = `SELECT '${text.repeat(5_000_000)}'`;
  expect(evaluateDefinition(subjectOf({ output }), definition)).toMatchObject({ passed: true });
});
