import { randomUUID } from 'node:crypto';
import { commands } from '../../src/operations.ts';
import type { SqliteDatabase } from '../../src/storage/sqlite/database.ts';

/** Stores an application with the key 1. */
export function storeOwner(database: SqliteDatabase): {
  application: number;
  applicationId: string;
  orgId: string;
} {
  const owner = { application: 1, applicationId: randomUUID(), orgId: randomUUID() };
  database.run('INSERT INTO organisation VALUES (?, 1)', owner.orgId);
  database.run(
    `INSERT INTO application (application, id, org_id, title, slug, description, context, language, type, environment,
       human_annotation_enabled, created_at, modified_at)
     VALUES (1, ?, ?, 'Application', 'application', '', '', 'en', 'CHATBOT', 'DEV', 0, 1, 1)`,
    owner.applicationId,
    owner.orgId,
  );
  return owner;
}

/** Runs commands as the writer does, each in a transaction, and notes how many rows each of them changed. */
export class CommandMeter {
  readonly database: SqliteDatabase;
  changed: number[] = [];

  constructor(database: SqliteDatabase) {
    this.database = database;
  }

  /** `kill`: throws after the command with this number, counted from 1, as if the process had ended there. */
  kill: number | null = null;

  run(name: keyof typeof commands, args: unknown): unknown {
    if (this.kill === this.changed.length) throw new Error('the process ended');
    const changes = (): number => this.count('SELECT total_changes() AS n');
    const before = changes();
    const command = commands[name] as unknown as (database: SqliteDatabase, args: unknown) => unknown;
    const result = this.database.connection.transaction(() => command(this.database, args))();
    this.changed.push(changes() - before);
    return result;
  }

  /** Runs a command that returns whether there is more until there is none. */
  repeat(name: keyof typeof commands, args: unknown): void {
    while (this.run(name, args));
  }

  /** `write` of a store, for code that drives commands. */
  readonly write = async (name: string, args: unknown): Promise<never> =>
    this.run(name as keyof typeof commands, args) as never;

  count(sql: string): number {
    return this.database.get<{ n: number }>(sql)?.n ?? Number.NaN;
  }
}
