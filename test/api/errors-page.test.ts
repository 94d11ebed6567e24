import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ISSUE_CODES } from '../../src/contract/errors.ts';
import { FAILURE_CODES } from '../../src/tests/failures.ts';
import { ERROR_STATUS } from '../../src/errors.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/errors.md'), 'utf8');

/** The rows of the table of a section, without its head. */
function rows(section: string): string[][] {
  const text = page.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '';
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(2, -2).split(' | '));
}

it('has every error with its status, and no other', () => {
  const errors = Object.entries(ERROR_STATUS).map(([code, status]) => [`\`${code}\``, String(status)]);
  expect(rows('Answers').map(([code, status]) => [code, status])).toEqual(errors);
});

it.each<[section: string, codes: readonly string[]]>([
  ['Issues', ISSUE_CODES],
  ['Failures of tests', FAILURE_CODES],
])('has every code of %s, and no other', (section, codes) => {
  expect(rows(section).map(([code]) => code)).toEqual(codes.map((code) => `\`${code}\``));
});

it('has the cause and the cure of each', () => {
  const all = ['Answers', 'Issues', 'Failures of tests'].flatMap(rows);
  for (const row of all) for (const cell of row) expect(cell.trim(), row[0]).not.toBe('');
  expect(all.every((row) => row.length >= 3)).toBe(true);
});
