import { describe, expect, it } from 'vitest';
import { positionalParameters } from '../support/positional-parameters.ts';
import { sourcesOf } from '../support/sources.ts';
import { sqliteWords } from '../support/sqlite-words.ts';

/** The engines, and the files that say in their words what they word differently. */
const isOfEngine = (path: string): boolean => /^src\/storage\/(?:sqlite|postgres|dialect)\//.test(path);

describe('SQL', () => {
  it('is what SQLite and PostgreSQL both understand, but for the fragments of the dialect', () => {
    // The dashboard runs in browsers; its styles have functions of the same names.
    const sources = [...sourcesOf('src')].filter(
      ([path]) => !isOfEngine(path) && !path.startsWith('src/dashboard/'),
    );
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.flatMap(([path, source]) => sqliteWords(path, source))).toEqual([]);
  });
});

describe('parameters', () => {
  it('have names, but for composed statements and those that store and read spans', () => {
    const sources = [...sourcesOf('src')].filter(
      ([path]) => !isOfEngine(path) && !path.startsWith('src/traces/'),
    );
    expect(sources.flatMap(([path, source]) => positionalParameters(path, source))).toEqual([]);
  });

  it.each<[found: number, statement: string]>([
    [1, "database.get('SELECT 1 FROM tag WHERE id = ?', id)"],
    [1, "database.all(`SELECT 1 FROM tag WHERE id IN ${valuesOf('?')}`, ids)"],
    [0, "database.run('DELETE FROM tag WHERE id = :id', { id })"],
    [0, 'database.all(`SELECT 1 FROM tag WHERE ${sql}`, ...values, limit)'],
  ])('%i are found in %s', (found, statement) => {
    expect(positionalParameters('a.ts', statement)).toHaveLength(found);
  });
});

describe('the finder of words of SQLite', () => {
  it.each([
    '`SELECT value FROM json_each(?)`',
    "`failure ->> 'code'`",
    '`FROM a CROSS JOIN b ON true`',
    '`SELECT 1 FROM a INDEXED BY b`',
    "'SELECT a FROM b ORDER BY +c'",
    '`SELECT a FROM b WHERE +${column} = 1`',
    "'INSERT OR IGNORE INTO a VALUES (?)'",
    "'UPDATE OR REPLACE a SET b = 1'",
    "'INSERT INTO a VALUES (1) ON CONFLICT DO UPDATE SET b = 1'",
    '`iif(a, b, c)`',
    '`SELECT max(a, b) FROM c`',
    '`SELECT min(${a}, length(b)) FROM c`',
    '`SELECT sum(a = b) FROM c`',
    '`lower(hex(a))`',
    '`SELECT total(a) FROM b`',
    '`WHERE a IS ?`',
    '`WHERE (a, b) IS NOT (?, ?)`',
    "'SELECT seq FROM sqlite_sequence'",
    "'DELETE FROM a WHERE b = ?1'",
  ])('finds one in %s', (text) => {
    expect(sqliteWords('a.ts', `export const a = ${text};`)).toHaveLength(1);
  });

  it.each([
    '`SELECT max(a) OVER (), min(coalesce(a, b)) FROM c`',
    "'INSERT INTO a VALUES (1) ON CONFLICT DO NOTHING'",
    "'a IS NOT NULL AND b IS NULL OR c IS TRUE'",
    "'points: +a'",
    '1 + +hex(2)',
  ])('finds none in %s', (text) => {
    expect(sqliteWords('a.ts', `export const a = ${text};`)).toEqual([]);
  });

  it('leaves comments alone', () => {
    expect(sqliteWords('a.ts', '// json_each(?), CROSS JOIN\nexport const a = 1;')).toEqual([]);
  });
});
