import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '../../src');
const STORE = 'tests/store.ts';
const SQL = /\b(?:INTO|UPDATE|DELETE FROM)\s+test\b/g;
/** The record of the table, under the name it is imported by everywhere. */
const RECORD = /\btests\s*\.\s*(?:insert|tryInsert|update)\b/g;

const sources = new Map(
  globSync('**/*.ts', { cwd: SRC }).map((path) => [path, readFileSync(join(SRC, path), 'utf8')]),
);
const filesWith = (pattern: RegExp): string[] =>
  [...sources].flatMap(([path, source]) => (source.search(pattern) < 0 ? [] : path));

describe('the table of tests', () => {
  it('is written by one file', () => {
    expect(filesWith(SQL)).toEqual([STORE]);
    expect(filesWith(RECORD)).toEqual([STORE]);
    expect(filesWith(/import \{[^}]*\btests as \w/)).toEqual([]);
  });

  it('gets a status from the insertion of a test and from the table of transitions alone', () => {
    const store = sources.get(STORE) ?? '';
    expect(store.match(RECORD)).toEqual(['tests.update', 'tests.insert']);
    expect(
      store.match(/UPDATE test SET[^`']*/g)?.filter((sql) => /\b(?:status|phase|failure)\b/.test(sql)),
    ).toEqual([]);
  });

  it('has no trigger', () => {
    const schema = globSync('storage/sqlite/schema/**/*.sql', { cwd: SRC });
    const triggers = schema.flatMap((path) =>
      [...readFileSync(join(SRC, path), 'utf8').matchAll(/CREATE TRIGGER \w+[^;]*? ON (\w+)/g)].map(
        ([, table]) => table,
      ),
    );
    expect(triggers).not.toContain('test');
    expect(triggers).not.toContain('task');
  });
});
