import type { ById, Owner } from '../contract/owner.ts';
import { AppError } from '../errors.ts';
import { type Column, text, time } from './column.ts';
import { greater } from './dialect.ts';
import { type Listing, listRows } from './list-rows.ts';
import { notFound } from './require-row.ts';
import type { Database, SqlValue } from './database.ts';
import { withIds } from './rows-by-id.ts';

type Columns = Readonly<Record<string, Column>>;
/** Fields as they are written, with times in Unix milliseconds. */
type Written<C extends Columns> = { [K in keyof C]: Parameters<C[K]['encode']>[0] };
/** Fields as they are read, with times as text. */
type Read<C extends Columns> = { [K in keyof C]: ReturnType<C[K]['decode']> };

const STANDARD = { id: text, createdAt: time, modifiedAt: time };
type Standard = typeof STANDARD;

/** A record as the API returns it. */
type Shown<C extends Columns> = Read<C> & Pick<Owner, 'orgId' | 'applicationId'>;
export type RecordOf<T> = T extends RecordTable<infer C> ? Shown<C> : never;
/** A record without the ids of its owner. */
export type FieldsOf<T> = T extends RecordTable<infer C> ? Read<C> : never;
/** Fields of a record as they are written. */
export type WrittenOf<T> = T extends RecordTable<infer C> ? Written<C> : never;
/** Fields of a record to insert. */
export type NewOf<T> = T extends RecordTable<infer C> ? New<C> : never;

type Times = 'createdAt' | 'modifiedAt';
type Given<T> = { [K in keyof T]?: T[K] | undefined };
type NullableField<T> = { [K in keyof T]: null extends T[K] ? K : never }[keyof T];
/** Fields of a new record. Absent fields that may be null become null. */
type New<C extends Columns> = Omit<Written<C>, Times | NullableField<Written<C>>> &
  Given<Pick<Written<C>, NullableField<Written<C>>>>;
/** Changes to a record. */
type Changes<C extends Columns> = Given<Omit<Written<C>, 'id' | Times>>;

interface When {
  application: number;
  /** Time of the change, in Unix milliseconds. */
  at: number;
}
interface RowId {
  application: number;
  id: string;
}
type Named = Readonly<Record<string, SqlValue>>;

/** Most UPDATE statements of one table that are kept; changes by clients combine fields in many ways. */
const MAX_UPDATES = 100;

type ListOptions = Pick<Listing<string>, 'within' | 'where'> & {
  page: Listing<string>['page'];
  /** SQL to order by, for fields that are not ordered by their own column. */
  order?: Readonly<Record<string, string>>;
};

/**
 * Declares a table of records. The column of each field has its name in snake_case. The table also has an id, the
 * application, and the times of creation and last change. Messages call a row `noun`.
 */
export const record = <C extends Columns>(
  name: string,
  noun: string,
  columns: C,
): RecordTable<Standard & C> => table(name, noun, { ...STANDARD, ...columns });

/**
 * Declares a table of records whose `modifiedAt` is their version: each change makes it greater, also within one
 * millisecond and after the clock was set back. `ifUnchanged` compares it.
 */
export const versionedRecord = <C extends Columns>(
  name: string,
  noun: string,
  columns: C,
): RecordTable<Standard & C> => new RecordTable(name, noun, { ...STANDARD, ...columns }, 'id', true);

/** Declares a table with an application and these columns only. Rows are found by the column of the field `key`. */
export const table = <C extends Columns>(
  name: string,
  noun: string,
  columns: C,
  key: keyof C & string = 'id',
): RecordTable<C> => new RecordTable(name, noun, columns, key);

export class RecordTable<C extends Columns> {
  readonly name: string;
  /** Columns under the names of their fields, for SELECT. */
  readonly selected: string;
  private readonly noun: string;
  private readonly columns: C;
  private readonly key: keyof C & string;
  private readonly isOne: string;
  private readonly isVersioned: boolean;
  /** Beginnings of UPDATE statements by the fields that they change. */
  private readonly updates = new Map<string, string>();

  constructor(name: string, noun: string, columns: C, key: keyof C & string, isVersioned = false) {
    this.name = name;
    this.noun = noun;
    this.columns = columns;
    this.key = key;
    this.isVersioned = isVersioned;
    this.isOne = `application = :application AND ${columnOf(key)} = :key`;
    this.selected = Object.entries(columns)
      .map(([field, type]) => {
        const column = `${name}.${columnOf(field)}`;
        return `${type.select?.(column, name) ?? column} AS "${field}"`;
      })
      .join(', ');
  }

  /** Returns the same table with these fields only. */
  pick<K extends keyof C & string>(...fields: K[]): RecordTable<Pick<C, K>> {
    const columns = Object.fromEntries(fields.map((field) => [field, this.columns[field]])) as Pick<C, K>;
    return new RecordTable(this.name, this.noun, columns, this.key as K, this.isVersioned);
  }

  /** Returns the same table with other definitions of some columns. */
  with<D extends Partial<Record<keyof C, Column>>>(columns: D): RecordTable<Omit<C, keyof D> & D> {
    const all = { ...this.columns, ...columns };
    return new RecordTable<Omit<C, keyof D> & D>(this.name, this.noun, all, this.key, this.isVersioned);
  }

  /** Returns the same table without these fields. */
  omit<K extends keyof C & string>(...fields: K[]): RecordTable<Omit<C, K>> {
    const columns = Object.entries(this.columns).filter(([field]) => !fields.includes(field as K));
    const rest = Object.fromEntries(columns) as unknown as Omit<C, K> & Columns;
    return new RecordTable<Omit<C, K> & Columns>(this.name, this.noun, rest, this.key, this.isVersioned);
  }

  /** Decodes the fields of a row of `selected`. */
  decode(row: object): Read<C> {
    const fields: Record<string, unknown> = {};
    for (const [field, value] of Object.entries(row)) fields[field] = this.columns[field]?.decode(value);
    return fields as Read<C>;
  }

  /** Returns the values for the columns of the given fields. */
  encode(values: object): Record<string, SqlValue> {
    const encoded: Record<string, SqlValue> = {};
    for (const [field, value] of Object.entries(values))
      if (value !== undefined && field in this.columns)
        encoded[field] = this.columns[field]?.encode(value) ?? null;
    return encoded;
  }

  insert(database: Database, when: When, values: New<C>): void {
    this.runInsert(database, when, values, '');
  }

  /** Inserts a row unless that violates a UNIQUE constraint; returns whether it did. */
  tryInsert(database: Database, when: When, values: New<C>): boolean {
    return this.runInsert(database, when, values, 'ON CONFLICT DO NOTHING') > 0;
  }

  /** Inserts a row, or changes the given fields of the row with the same key. */
  save(database: Database, when: When, values: New<C>): void {
    const given = Object.keys(this.encode({ ...values, createdAt: undefined, modifiedAt: when.at }));
    const set = given.map((field) => this.setting(field, `excluded.${columnOf(field)}`)).join(', ');
    const clause = `ON CONFLICT (${columnOf(this.key)}) DO UPDATE SET ${set} WHERE ${this.name}.application = :application`;
    this.runInsert(database, when, values, clause);
  }

  /** Changes the given fields; absent or undefined ones stay, as do id and times. Throws `not_found`. */
  update(database: Database, { application, id, at }: When & RowId, given: Changes<C>): void {
    const condition = `${columnOf(this.key)} = :key`;
    if (this.updateAll(database, { application, at }, given, condition, { key: id }) === 0)
      throw notFound(this.noun);
  }

  /** Changes all rows that meet the condition; returns their number. */
  updateAll(database: Database, when: When, given: Changes<C>, condition: string, values: Named): number {
    const { sql, named } = this.updating(when, given);
    return database.run(`${sql} AND ${condition}`, { ...named, ...values });
  }

  /** Changes at most `limit` of the rows that meet the condition; returns their keys. */
  updateSome(
    database: Database,
    when: When,
    given: Changes<C>,
    condition: string,
    values: Named & { limit: number },
  ): string[] {
    const key = columnOf(this.key);
    const { sql, named } = this.updating(when, given);
    const rows = database.all<{ key: string }>(
      `${sql} AND ${key} IN (
         SELECT ${key} FROM ${this.name} WHERE application = :application AND ${condition} LIMIT :limit)
       RETURNING ${key} AS "key"`,
      { ...named, ...values },
    );
    return rows.map((row) => row.key);
  }

  /** Deletes a row; throws `not_found`. */
  readonly delete = (database: Database, { application, id }: RowId): void => {
    const sql = `DELETE FROM ${this.name} WHERE ${this.isOne}`;
    if (database.run(sql, { application, key: id }) === 0) throw notFound(this.noun);
  };

  /** Deletes at most `limit` of the rows that meet the condition; returns their number. */
  deleteSome(
    database: Database,
    application: number,
    condition: string,
    values: Named & { limit: number },
  ): number {
    const key = columnOf(this.key);
    return database.run(
      `DELETE FROM ${this.name} WHERE application = :application AND ${key} IN (
         SELECT ${key} FROM ${this.name} WHERE application = :application AND ${condition} LIMIT :limit)`,
      { ...values, application },
    );
  }

  /** Returns a record; throws `not_found`. */
  readonly get = (database: Database, { owner, id }: ById): Shown<C> =>
    owned(this.require(database, owner.application, id), owner);

  /** Returns a record like `get`, without the ids of the owner. */
  require(database: Database, application: number, id: string): Read<C> {
    const found = this.find(database, application, id);
    if (!found) throw notFound(this.noun);
    return found;
  }

  /**
   * Throws `precondition_failed` if the record has none of the versions that a caller wants to change, which are values of
   * `modifiedAt`; null stands for any.
   */
  requireVersion(database: Database, { application, id }: RowId, versions: readonly string[] | null): void {
    if (versions === null) return;
    const sql = `SELECT modified_at FROM ${this.name} WHERE ${this.isOne}`;
    const row = database.get<{ modified_at: number }>(sql, { application, key: id });
    if (!row) throw notFound(this.noun);
    const version = new Date(row.modified_at).toISOString();
    if (versions.includes(version)) return;
    throw new AppError(
      'precondition_failed',
      `${this.noun} was changed at ${version}, after the version that this change was made from`,
    );
  }

  find(database: Database, application: number, id: string): Read<C> | undefined {
    return this.all(database, application, `${columnOf(this.key)} = :key`, { key: id })[0];
  }

  /** Returns the records that meet the condition, which may end with ORDER BY and LIMIT. */
  all(database: Database, application: number, condition: string, values: Named = {}): Read<C>[] {
    return database
      .all<object>(
        `SELECT ${this.selected} FROM ${this.name} WHERE application = :application AND ${condition}`,
        { ...values, application },
      )
      .map((row) => this.decode(row));
  }

  /** Returns the existing records with these ids, by id. */
  byIds(database: Database, application: number, ids: Iterable<string>): Map<string, Read<C>> {
    const rows = database.all<object>(`SELECT ${this.selected} FROM ${withIds(this.name)}`, {
      application,
      ids: JSON.stringify([...ids]),
    });
    return new Map(rows.map((row) => this.decode(row)).map((one) => [one[this.key] as string, one]));
  }

  /** Throws `not_found` unless the application has all these rows. Skips ids that are null or undefined. */
  requireAll(database: Database, application: number, ids: readonly (string | null | undefined)[]): void {
    const wanted = new Set(ids.filter((id) => id !== null && id !== undefined));
    if (wanted.size === 0) return;
    const found = database.get<{ n: number }>(`SELECT count(*) AS n FROM ${withIds(this.name)}`, {
      application,
      ids: JSON.stringify([...wanted]),
    });
    if (found?.n !== wanted.size) throw notFound(this.noun);
  }

  list(database: Database, owner: Owner, { order = {}, page, ...options }: ListOptions) {
    // The name becomes part of the statement.
    if (!Object.hasOwn(this.columns, page.orderBy) && !Object.hasOwn(order, page.orderBy))
      throw new Error(`${this.name} has no field ${page.orderBy}`);
    const { rows, pagination } = listRows<object, string>(database, {
      application: owner.application,
      table: this.name,
      columns: this.selected,
      order: { [page.orderBy]: columnOf(page.orderBy), ...order },
      page,
      ...options,
    });
    return { data: rows.map((row) => owned(this.decode(row), owner)), pagination };
  }

  /** Returns the statement that changes all rows of the application, to be narrowed by AND, and its values. */
  private updating({ application, at }: When, given: Changes<C>): { sql: string; named: Named } {
    const changed = this.encode({ ...given, id: undefined, createdAt: undefined, modifiedAt: at });
    const fields = Object.keys(changed);
    const named: Record<string, SqlValue> = { application };
    for (const field of fields) named[changedName(field)] = changed[field] ?? null;
    const key = fields.join();
    let sql = this.updates.get(key);
    if (sql === undefined) {
      const set = fields.map((field) => this.setting(field, `:${changedName(field)}`)).join(', ');
      sql = `UPDATE ${this.name} SET ${set} WHERE application = :application`;
      if (this.updates.size < MAX_UPDATES) this.updates.set(key, sql);
    }
    return { sql, named };
  }

  /** Returns the SQL that sets the column of a field. */
  private setting(field: string, value: string): string {
    const column = columnOf(field);
    const isVersion = this.isVersioned && field === 'modifiedAt';
    return `${column} = ${isVersion ? greater(value, `${this.name}.${column} + 1`) : value}`;
  }

  private runInsert(database: Database, { application, at }: When, values: New<C>, clause: string): number {
    const row = { application, ...this.encode({ ...values, createdAt: at, modifiedAt: at }) };
    return database.run(`${insertSql(this.name, row)} ${clause}`, row);
  }
}

/** Returns an INSERT of a row with these keys as columns. */
export const insertSql = (name: string, row: object): string =>
  `INSERT INTO ${name} (${Object.keys(row).map(columnOf).join(', ')})
   VALUES (${Object.keys(row)
     .map((field) => `:${field}`)
     .join(', ')})`;

/** Adds the ids of the owner to a record. */
export const owned = <T>(
  fields: T,
  { orgId, applicationId }: Owner,
): T & Pick<Owner, 'orgId' | 'applicationId'> => ({
  ...fields,
  orgId,
  applicationId,
});

/** Creates a function that computes the name of each field once. Fields come from declarations, so that they are few. */
function once(nameOf: (field: string) => string): (field: string) => string {
  const names = new Map<string, string>();
  return (field) => {
    let name = names.get(field);
    if (name === undefined) {
      name = nameOf(field);
      names.set(field, name);
    }
    return name;
  };
}

const columnOf = once((field) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
/** Returns the name of the parameter with the new value of a field. */
const changedName = once((field) => `new_${field}`);
