/**
 * Notes the statements that run on SQLite, in the words of PostgreSQL. Loaded with `--import` before any module of a process or
 * thread, because modules compose their statements when they are loaded.
 */
import { appendFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { threadId } from 'node:worker_threads';
import type { InsertStatement, RowStatement } from '../../../src/storage/database.ts';
import type { Dialect } from '../../../src/storage/dialect/dialect.ts';
import { POSTGRES } from '../../../src/storage/dialect/postgres.ts';
import { SQLITE } from '../../../src/storage/dialect/sqlite.ts';
import { translateChange, translateInsert, translateQuery } from '../../../src/storage/postgres/sets.ts';
import { translate } from '../../../src/storage/postgres/translate.ts';
import { SqliteDatabase } from '../../../src/storage/sqlite/database.ts';
import { ROOT } from '../../support/sources.ts';
import type { CapturedStatement } from './captured.ts';

type Fragment = keyof Dialect;
type Words = Record<string, string | ((...args: unknown[]) => string)>;

/** Fragments that were worded for SQLite, by the number in the comments around them. */
const worded: { name: Fragment; args: readonly unknown[] }[] = [];
const marks = new Map<string, number>();

/** Surrounds a fragment with comments that tell which one it is. */
function marked(name: Fragment, args: readonly unknown[], sql: string): string {
  const key = JSON.stringify([name, args]);
  const mark = marks.get(key) ?? worded.push({ name, args }) - 1;
  marks.set(key, mark);
  return `/*${mark}<*/${sql}/*>${mark}*/`;
}

/** Replaces the fragments of SQLite in a statement by those of PostgreSQL. */
function inPostgres(sql: string): string {
  return sql.replaceAll(/\/\*(\d+)<\*\/.*?\/\*>\1\*\//gs, (_all, mark: string) => {
    const { name, args } = worded[Number(mark)] as (typeof worded)[number];
    const word = (POSTGRES as unknown as Words)[name];
    if (typeof word !== 'function') return String(word);
    return word(...args.map((arg) => (typeof arg === 'string' ? inPostgres(arg) : arg)));
  });
}

const words = SQLITE as unknown as Words;
for (const name of Object.keys(words) as Fragment[]) {
  // A value, and no part of a statement.
  if (name === 'patternOf') continue;
  const word = words[name];
  words[name] =
    typeof word === 'function'
      ? (...args) => marked(name, args, word(...args))
      : marked(name, [], String(word));
}

const file = join(process.env['CAPTURED_STATEMENTS'] ?? '.', `${process.pid}-${threadId}.jsonl`);
const seen = new Set<string>();

/** Notes a statement of the product, with the place in the sources that runs it. */
function note(sql: string, word: (sql: string) => string): void {
  if (seen.has(sql)) return;
  seen.add(sql);
  const place = placeInSources();
  if (place === null) return;
  const captured: CapturedStatement = { place, sql: word(inPostgres(sql)) };
  appendFileSync(file, `${JSON.stringify(captured)}\n`);
}

/** Returns the file and line whose statement is being run; null for one of a test or of the engine. */
function placeInSources(): string | null {
  Error.stackTraceLimit = 30;
  const frames = (new Error().stack ?? '')
    .split('\n')
    .map((line) => /file:\/\/(\/[^:)]*):(\d+):\d+/.exec(line))
    .map((match) => match && `${relative(ROOT, match[1] as string)}:${match[2] as string}`)
    .filter((place) => place !== null && !/capture-statements|^src\/storage\/sqlite\/database/.test(place));
  const [first] = frames;
  if (!first?.startsWith('src/') || first.startsWith('src/storage/sqlite/')) return null;
  // Statements of lists and records are composed for a caller.
  return frames.find((place) => place?.startsWith('src/') && !place.startsWith('src/storage/')) ?? first;
}

type Run = (first: never, ...rest: never[]) => unknown;
const methods = SqliteDatabase.prototype as unknown as Record<string, Run>;

function noting(name: string, see: (first: never) => void): void {
  const run = methods[name] as Run;
  methods[name] = function (this: SqliteDatabase, first: never, ...rest: never[]): unknown {
    see(first);
    return run.call(this, first, ...rest);
  };
}

for (const name of ['run', 'get', 'all', 'getExact', 'allExact'])
  noting(name, (sql: string) => note(sql, (text) => translate(text).text));
const sets: [name: string, word: (statement: InsertStatement) => string][] = [
  ['runMany', translateChange],
  ['runManyNew', translateInsert],
  ['allMany', translateQuery],
  ['allManyExact', translateQuery],
];
for (const [name, word] of sets)
  noting(name, (statement: RowStatement) =>
    note(statement.sql, (sql) => word({ key: {}, ...statement, sql })),
  );
