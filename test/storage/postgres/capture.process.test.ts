import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresSchema } from '../../../src/storage/postgres/schema.ts';
import { openDatabase, temporaryFolder } from '../../support/storage.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import { ROOT } from '../../support/sources.ts';
import type { CapturedStatement } from './captured.ts';

let server: PostgresServer;
let client: Client;
beforeAll(async () => {
  server = await startPostgres();
  client = new Client({ connectionString: server.url });
  await client.connect();
  for (const script of postgresSchema()) await client.query(script);
}, 240_000);
afterAll(async () => {
  await client.end();
  await server[Symbol.asyncDispose]();
});

/** Runs the chosen tests on SQLite, and returns the statements of the product that they ran. */
async function capture(): Promise<CapturedStatement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-captured-'));
  const hook = pathToFileURL(join(import.meta.dirname, 'capture-statements.ts')).href;
  const vitest = spawn(
    process.execPath,
    [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--config=vitest.capture.config.ts'],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        VITEST: undefined,
        NODE_OPTIONS: `--import=${hook}`,
        CAPTURED_STATEMENTS: folder,
      },
      stdio: 'ignore',
    },
  );
  await once(vitest, 'exit');
  const lines = readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8').trimEnd().split('\n'),
  );
  rmSync(folder, { recursive: true });
  const statements = lines.map((line) => JSON.parse(line) as CapturedStatement);
  return [...new Map(statements.map((one) => [one.sql, one])).values()];
}

/** Returns why PostgreSQL does not prepare a statement; null if it does. */
async function faultOf({ sql }: CapturedStatement): Promise<string | null> {
  try {
    await client.query(`PREPARE captured AS ${sql}`);
    await client.query('DEALLOCATE captured');
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('PostgreSQL', () => {
  it('prepares every statement that tests run on SQLite', async () => {
    const statements = await capture();
    expect(statements.length).toBeGreaterThan(700);
    const faults: string[] = [];
    for (const statement of statements) {
      const fault = await faultOf(statement);
      if (fault !== null) faults.push(`${statement.place}: ${fault}: ${statement.sql}`);
    }
    expect(faults.toSorted()).toEqual([]);
  }, 1_200_000);

  it('has every table and column of SQLite', async () => {
    using folder = temporaryFolder();
    const database = openDatabase(folder.file('store.db'));
    const own = database.all<{ name: string }>(
      `SELECT m.name || '.' || c.name AS name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
       WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'`,
    );
    database.close();
    const { rows } = await client.query<{ name: string }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public'`,
    );
    expect(own.length).toBeGreaterThan(500);
    const names = (columns: readonly { name: string }[]): string[] =>
      columns.map(({ name }) => name).toSorted();
    expect(names(rows)).toEqual(names(own));
  });
});
