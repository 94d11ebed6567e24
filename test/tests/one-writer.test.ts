import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '../../src');
const STORE = 'tests/store.ts';
const SQL = /\b(?:INTO|UPDATE|DELETE FROM)\s+test\b[^`']*/g;
/** Records of the table, and what is derived from them. */
const RECORD = /const (\w+) = (?:(?:new|shown|listed)?tests\b|record\(\s*'test',)[^;]*;/gi;
const WRITES = '(?:insert|tryInsert|save|update|updateAll|delete|deleteSome)';

const sources = new Map(
  globSync('**/*.ts', { cwd: SRC }).map((path) => [path, readFileSync(join(SRC, path), 'utf8')]),
);
/** The table's records under the names that files import them by. */
const IMPORTED = [...(sources.get('tests/record.ts') ?? '').matchAll(RECORD)].map(
  ([, name]) => name as string,
);

/** Calls in a file that write the table by a record, with what declares the record. */
function writesByRecord(path: string): { call: string; declaration: string }[] {
  const source = sources.get(path) ?? '';
  const derived = new Map(
    [...source.matchAll(RECORD)].map(([declaration, name]) => [name as string, declaration]),
  );
  return [...IMPORTED, ...derived.keys()].flatMap((name) =>
    [...source.matchAll(new RegExp(`\\b${name}\\s*\\.\\s*${WRITES}\\b`, 'g'))].map(([call]) => ({
      call,
      declaration: derived.get(name) ?? '',
    })),
  );
}

describe('the table of tests', () => {
  it('is written by one file, and another deletes from it', () => {
    expect(IMPORTED).toEqual(['tests', 'newTests', 'shownTests', 'listedTests']);
    const writers = [...sources.keys()].filter(
      (path) => (sources.get(path) ?? '').search(SQL) >= 0 || writesByRecord(path).length > 0,
    );
    expect(writers).toEqual(['tests/remove-tests.ts', STORE]);
    expect(sources.get('tests/remove-tests.ts')).not.toMatch(/\b(?:INSERT|UPDATE)\b/);
  });

  it('gets a status from the insertion of a test and from the table of transitions alone, and an erasure changes the message of a failure', () => {
    const setsStatus = /'(?:status|phase|failure)'/;
    const calls = writesByRecord(STORE)
      .filter(({ declaration }) => declaration === '' || setsStatus.test(declaration))
      .map(({ call }) => call);
    expect(calls).toEqual(['tests.update', 'newTests.insert']);
    const statements = sources.get(STORE)?.match(SQL) ?? [];
    expect(statements.filter((sql) => /\b(?:status|phase|failure)\b/.test(sql))).toEqual([
      expect.stringMatching(/^UPDATE test SET failure = \$\{withJsonField\(/),
      expect.stringMatching(/^UPDATE test SET failure = \$\{withJsonField\(/),
    ]);
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
