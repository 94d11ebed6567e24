import { describe, expect, it } from 'vitest';
import { mutationsOf } from '../../scripts/mutants/mutations.ts';

describe('Mutations', () => {
  it.each<[source: string, mutated: string[]]>([
    ['if (a) b();', ['if (!(a)) b();', 'if (a) ;']],
    [
      'x = a === b ? 1 : 2;',
      ['x = !(a === b) ? 1 : 2;', 'x = a !== b ? 1 : 2;', 'x = a === b ? 2 : 2;', 'x = a === b ? 1 : 3;'],
    ],
    ['x = a && b;', ['x = a || b;']],
    ['x = a <= b;', ['x = a < b;']],
    ['x = true;', ['x = false;']],
    [
      "x = 'a = ? AND b IS NULL';",
      ["x = 'a = ? OR b IS NULL';", "x = 'a <> ? AND b IS NULL';", "x = 'a = ? AND b IS NOT NULL';"],
    ],
    ['x = `ORDER BY ${a} ASC`;', ['x = `ORDER BY ${a} DESC`;']],
    ["x = 'text';", []],
  ])('of %s are %j', (source, mutated) => {
    const found = mutationsOf('a.ts', source).map((mutation) => mutation.source);
    expect(found.toSorted()).toEqual(mutated.toSorted());
  });

  it('name their line', () => {
    expect(mutationsOf('a.ts', 'const a = 1;\n\nconst b = true;').map(({ line }) => line)).toEqual([1, 3]);
  });
});
