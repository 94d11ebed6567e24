import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { asIs, flag, json, nullable, number, text } from '../../src/storage/column.ts';
import { record, versionedRecord } from '../../src/storage/record.ts';
import type { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import { type Folder, openDatabase, temporaryFolder } from '../support/storage.ts';

const OURS = { application: 1, applicationId: 'app-1', orgId: 'org' };
const THEIRS = { application: 2, applicationId: 'app-2', orgId: 'org' };
const AT = Date.parse('2026-01-02T03:04:05.678Z');

const pets = record('pet', 'pet', {
  firstName: text,
  kind: asIs<'CAT' | 'DOG'>(),
  weight: nullable(number),
  isTame: flag,
  favouriteToys: json<string[]>(),
});
const rex = {
  id: 'rex',
  firstName: 'Rex',
  kind: 'DOG',
  weight: null,
  isTame: false,
  favouriteToys: ['a "ball"'],
} as const;
const asShown = { ...rex, createdAt: '2026-01-02T03:04:05.678Z', modifiedAt: '2026-01-02T03:04:05.678Z' };

const folders: Folder[] = [];
let database: SqliteDatabase;
beforeEach(() => {
  const folder = temporaryFolder();
  folders.push(folder);
  database = openDatabase(folder.file('store.db'));
  database.run(`CREATE TABLE pet (id TEXT PRIMARY KEY, application INTEGER NOT NULL, first_name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL, weight REAL, is_tame INTEGER NOT NULL, favourite_toys TEXT NOT NULL, created_at INTEGER NOT NULL,
    modified_at INTEGER NOT NULL)`);
  pets.insert(database, { application: 1, at: AT }, { ...rex, favouriteToys: [...rex.favouriteToys] });
});
afterAll(() => {
  for (const folder of folders) folder[Symbol.dispose]();
});

const notFound = expect.objectContaining({ code: 'not_found', message: 'pet not found' }) as Error;

it('a record is read as it was written, with its owner and times as text', () => {
  expect(pets.get(database, { owner: OURS, id: 'rex' })).toEqual({
    ...asShown,
    orgId: 'org',
    applicationId: 'app-1',
  });
});

it.each([
  ['a text', { firstName: 'Max' }],
  ['one of a few words', { kind: 'CAT' }],
  ['a number', { weight: 4.5 }],
  ['a flag', { isTame: true }],
  ['JSON', { favouriteToys: [] }],
  ['nothing', {}],
] as const)('changing %s leaves the other fields', (_kind, given) => {
  pets.update(database, { application: 1, id: 'rex', at: AT + 1 }, { weight: undefined, ...given } as never);
  const modifiedAt = '2026-01-02T03:04:05.679Z';
  expect(pets.get(database, { owner: OURS, id: 'rex' })).toMatchObject({ ...asShown, ...given, modifiedAt });
});

it('changing a record with a complete one leaves its id and the time it was created', () => {
  const whole = { ...pets.get(database, { owner: OURS, id: 'rex' }), id: 'other', isTame: true };
  pets.update(database, { application: 1, id: 'rex', at: AT + 1 }, whole);
  expect(pets.get(database, { owner: OURS, id: 'rex' })).toMatchObject({
    id: 'rex',
    createdAt: asShown.createdAt,
    isTame: true,
  });
});

describe('the version of a record', () => {
  const versioned = versionedRecord('pet', 'pet', { firstName: text, isTame: flag });
  const version = (): string => versioned.get(database, { owner: OURS, id: 'rex' }).modifiedAt;
  const when = { application: 1, at: AT };
  const key = { key: 'rex' };
  it.each<[how: string, change: () => unknown]>([
    ['one change', () => versioned.update(database, { ...when, id: 'rex' }, { isTame: true })],
    ['a change without fields', () => versioned.update(database, { ...when, id: 'rex' }, {})],
    ['a change of many', () => versioned.updateAll(database, when, { isTame: true }, 'id = :key', key)],
    [
      'a change of some',
      () => versioned.updateSome(database, when, { isTame: true }, 'id = :key', { ...key, limit: 1 }),
    ],
    ['a picked field', () => versioned.pick('id', 'modifiedAt').update(database, { ...when, id: 'rex' }, {})],
  ])('is greater after %s, also within one millisecond', (_how, change) => {
    const seen = [version()];
    for (let times = 0; times < 3; times += 1) {
      change();
      seen.push(version());
    }
    expect(seen).toEqual([678, 679, 680, 681].map((ms) => `2026-01-02T03:04:05.${ms}Z`));
  });

  it('is greater after the clock was set back', () => {
    versioned.update(database, { application: 1, id: 'rex', at: AT - 60_000 }, { isTame: true });
    expect(version()).toBe('2026-01-02T03:04:05.679Z');
  });
});

it('a record of another application is not found, and not changed', () => {
  expect(() => pets.get(database, { owner: THEIRS, id: 'rex' })).toThrow(notFound);
  expect(() => pets.update(database, { application: 2, id: 'rex', at: AT }, { isTame: true })).toThrow(
    notFound,
  );
  expect(() => pets.requireAll(database, 2, ['rex'])).toThrow(notFound);
  expect(pets.byIds(database, 2, ['rex']).size).toBe(0);
  expect(pets.get(database, { owner: OURS, id: 'rex' }).isTame).toBe(false);
});

it('records are found by ids, whichever there are', () => {
  expect([...pets.byIds(database, 1, ['rex', 'tom']).keys()]).toEqual(['rex']);
  expect(() => pets.requireAll(database, 1, ['rex', 'rex'])).not.toThrow();
  expect(() => pets.requireAll(database, 1, ['rex', 'tom'])).toThrow(notFound);
});

it('a record that would break a UNIQUE constraint is not inserted', () => {
  const other = { ...rex, favouriteToys: [] };
  expect(pets.tryInsert(database, { application: 1, at: AT }, { ...other, id: 'rex-2' })).toBe(false);
  expect(
    pets.tryInsert(database, { application: 1, at: AT }, { ...other, id: 'max', firstName: 'Max' }),
  ).toBe(true);
});

it('records are deleted, changed and read by a condition, within their application', () => {
  const insert = (id: string, weight?: number): void =>
    pets.insert(
      database,
      { application: 1, at: AT },
      { ...rex, favouriteToys: [], id, firstName: id, weight },
    );
  insert('tom', 3);
  insert('ada', 5);
  const heavy = (application: number): string[] =>
    pets.all(database, application, 'weight > :least ORDER BY weight DESC', { least: 2 }).map(({ id }) => id);
  expect([heavy(1), heavy(2)]).toEqual([['ada', 'tom'], []]);
  const when = { application: 1, at: AT + 1 };
  // A condition may name a field that is changed too.
  expect(pets.updateAll(database, when, { weight: 1 }, 'weight = :weight', { weight: 3 })).toBe(1);
  expect(heavy(1)).toEqual(['ada']);
  expect(pets.deleteSome(database, 2, 'true', { limit: 5 })).toBe(0);
  expect(pets.deleteSome(database, 1, 'weight IS NOT NULL', { limit: 1 })).toBe(1);
  expect(() => pets.delete(database, { application: 2, id: 'rex' })).toThrow(notFound);
  pets.delete(database, { application: 1, id: 'rex' });
  expect(() => pets.delete(database, { application: 1, id: 'rex' })).toThrow(notFound);
});

it('a record is saved over the one with the same key: the fields that are given, and the time of the change', () => {
  const later = { application: 1, at: AT + 1 };
  pets.save(database, later, { ...rex, favouriteToys: [], kind: 'CAT', weight: undefined });
  const saved = { ...asShown, kind: 'CAT', favouriteToys: [], modifiedAt: '2026-01-02T03:04:05.679Z' };
  expect(pets.require(database, 1, 'rex')).toEqual(saved);
  pets.save(database, { application: 2, at: AT }, { ...rex, favouriteToys: ['theirs'] });
  expect(pets.require(database, 1, 'rex')).toEqual(saved);
});

it('a table without some of its fields reads and writes the others', () => {
  expect(pets.pick('id', 'kind').find(database, 1, 'rex')).toEqual({ id: 'rex', kind: 'DOG' });
  expect(pets.omit('favouriteToys').find(database, 1, 'rex')).not.toHaveProperty('favouriteToys');
  expect(pets.find(database, 1, 'tom')).toBeUndefined();
});

describe('a list', () => {
  it('is ordered by the column of a field, or by what stands in its place', () => {
    const insert = (id: string, firstName: string, weight: number | null): void =>
      pets.insert(database, { application: 1, at: AT }, { ...rex, favouriteToys: [], id, firstName, weight });
    insert('tom', 'Tom', 3);
    insert('ada', 'Ada', 5);
    const page = { skip: 0, limit: 2, orderDir: 'asc' } as const;
    const idsBy = (orderBy: string, order?: Record<string, string>): string[] =>
      pets
        .list(database, OURS, { where: [], page: { ...page, orderBy }, ...(order && { order }) })
        .data.map(({ id }) => id);
    expect(idsBy('firstName')).toEqual(['ada', 'rex']);
    expect(idsBy('weight', { weight: 'weight IS NULL, weight' })).toEqual(['tom', 'ada']);
    const { pagination } = pets.list(database, THEIRS, { where: [], page: { ...page, orderBy: 'id' } });
    expect(pagination.total).toBe(0);
    expect(() => idsBy('id; DROP TABLE pet')).toThrow('pet has no field');
  });
});
