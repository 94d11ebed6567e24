import type { Owner } from '../contract/owner.ts';
import { type Column, text, time } from './column.ts';
import { type Listing, listRows } from './list-rows.ts';
import { notFound, requireRow } from './require-row.ts';
import type { Database, SqlValue } from './sqlite/database.ts';
import { withIds } from './sqlite/rows-by-id.ts';

type Columns = Readonly<Record<string, Column>>;
/** What is written of a record: times in Unix milliseconds. */
type Written<C extends Columns> = { [K in keyof C]: Parameters<C[K]['encode']>[0] };
/** What is read of it: times as text. */
type Read<C extends Columns> = { [K in keyof C]: ReturnType<C[K]['decode']> };

const STANDARD = { id: text, createdAt: time, modifiedAt: time };
type Standard = typeof STANDARD;

/** A record as the API shows it. */
type Shown<C extends Columns> = Read<C> & Pick<Owner, 'orgId' | 'applicationId'>;
export type RecordOf<T> = T extends RecordTable<infer C> ? Shown<C> : never;

type Times = 'createdAt' | 'modifiedAt';
type Given<T> = { [K in keyof T]?: T[K] | undefined };
interface When {
  application: number;
  /** Unix milliseconds. */
  at: number;
}

type ListOptions = Pick<Listing<string>, 'within' | 'where'> & {
  page: Listing<string>['page'];
  /** What to order by in the place of a field's own column. */
  order?: Readonly<Record<string, string>>;
};

/**
 * Declares the table of a record, once: its columns are called as its fields, in snake_case. Every table of records has an
 * id, the application it belongs to, and the times of its making and of its last change.
 * `noun` is what people call a row.
 */
export const record = <C extends Columns>(
  name: string,
  noun: string,
  columns: C,
): RecordTable<Standard & C> => new RecordTable(name, noun, { ...STANDARD, ...columns });

export class RecordTable<C extends Columns> {
  readonly name: string;
  /** The columns under the names of their fields, for SELECT. */
  readonly selected: string;
  private readonly noun: string;
  private readonly columns: C;

  constructor(name: string, noun: string, columns: C) {
    this.name = name;
    this.noun = noun;
    this.columns = columns;
    this.selected = Object.keys(columns)
      .map((field) => `${name}.${columnOf(field)} AS "${field}"`)
      .join(', ');
  }

  /** The record that a row of `selected` holds. */
  decode(row: object, { orgId, applicationId }: Owner): Shown<C> {
    const fields = Object.entries(row).map(([field, value]) => [field, this.columns[field]?.decode(value)]);
    return { ...(Object.fromEntries(fields) as Read<C>), orgId, applicationId };
  }

  insert(database: Database, when: When, values: Omit<Written<C>, Times>): void {
    this.runInsert(database, when, values, '');
  }

  /** Inserts it unless it would break a UNIQUE constraint; returns whether it did. */
  tryInsert(database: Database, when: When, values: Omit<Written<C>, Times>): boolean {
    return this.runInsert(database, when, values, 'ON CONFLICT DO NOTHING') > 0;
  }

  /** Changes the fields that are given; those left out or undefined stay, as do id and times. Throws `not_found`. */
  update(
    database: Database,
    { application, id, at }: When & { id: string },
    given: Given<Omit<Written<C>, 'id' | Times>>,
  ): void {
    const values = this.encode({ ...given, id: undefined, createdAt: undefined, modifiedAt: at });
    const changes = Object.keys(values).map((field) => `${columnOf(field)} = :${field}`);
    const changed = database.run(
      `UPDATE ${this.name} SET ${changes.join(', ')} WHERE application = :application AND id = :key`,
      { ...values, application, key: id },
    );
    if (changed === 0) throw notFound(this.noun);
  }

  /** Throws `not_found`. */
  get(database: Database, owner: Owner, id: string): Shown<C> {
    const key = { application: owner.application, table: this.name, noun: this.noun, id };
    return this.decode(requireRow<object>(database, key, this.selected), owner);
  }

  /** The records that there are of these ids, by id. */
  byIds(database: Database, owner: Owner, ids: Iterable<string>): Map<string, Shown<C>> {
    const rows = database.all<object & { id: string }>(
      `SELECT ${this.selected} FROM ${withIds(this.name)}`,
      owner.application,
      JSON.stringify([...ids]),
    );
    return new Map(rows.map((row) => [row.id, this.decode(row, owner)]));
  }

  /** Throws `not_found` unless the application has all these rows. An id that is null or undefined names none. */
  requireAll(database: Database, application: number, ids: readonly (string | null | undefined)[]): void {
    const wanted = new Set(ids.filter((id) => id !== null && id !== undefined));
    if (wanted.size === 0) return;
    const found = database.get<{ n: number }>(
      `SELECT count(*) AS n FROM ${withIds(this.name)}`,
      application,
      JSON.stringify([...wanted]),
    );
    if (found?.n !== wanted.size) throw notFound(this.noun);
  }

  list(database: Database, owner: Owner, { order = {}, page, ...options }: ListOptions) {
    // It becomes part of the statement.
    if (!Object.hasOwn(this.columns, page.orderBy))
      throw new Error(`${this.name} has no field ${page.orderBy}`);
    const { rows, pagination } = listRows<object, string>(database, {
      application: owner.application,
      table: this.name,
      columns: this.selected,
      order: { [page.orderBy]: columnOf(page.orderBy), ...order },
      page,
      ...options,
    });
    return { data: rows.map((row) => this.decode(row, owner)), pagination };
  }

  private runInsert(database: Database, { application, at }: When, values: object, clause: string): number {
    const fields = Object.keys(this.columns);
    return database.run(
      `INSERT INTO ${this.name} (application, ${fields.map(columnOf).join(', ')})
       VALUES (:application, ${fields.map((field) => `:${field}`).join(', ')}) ${clause}`,
      { ...this.encode({ ...values, createdAt: at, modifiedAt: at }), application },
    );
  }

  private encode(values: Readonly<Record<string, unknown>>): Record<string, SqlValue> {
    const given = Object.entries(values).filter(
      ([field, value]) => value !== undefined && field in this.columns,
    );
    return Object.fromEntries(
      given.map(([field, value]) => [field, this.columns[field]?.encode(value) ?? null]),
    );
  }
}

const columnOf = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
