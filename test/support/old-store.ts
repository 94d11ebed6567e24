/** Stores as an older version of the program left them. */
import { readFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';

const FIRST_SCHEMA = readFileSync(
  new URL('../../src/storage/sqlite/migrations/0001-initial.sql', import.meta.url),
  'utf8',
);

/** What a person would look at to see whether something changed: the schema, its number, and the rows of traces. */
export interface StoreState {
  version: unknown;
  schema: unknown[];
  traces: Record<string, unknown>[];
}

/** A store of schema 1 with an application and two traces. The caller closes it. */
export function makeOldStore(file: string): Sqlite.Database {
  const store = new Sqlite(file);
  store.pragma('auto_vacuum = INCREMENTAL');
  store.pragma('journal_mode = WAL');
  store.exec(FIRST_SCHEMA);
  store.pragma('application_id = 1415800947');
  store.pragma('user_version = 1');
  store.exec(`
    INSERT INTO organisation VALUES ('acme', 1);
    INSERT INTO application VALUES
      (1, '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60', 'acme', 'Old', 'old', '', '', 'en', 'CHATBOT', 'test', 0, 1, 1)`);
  const insert = store.prepare(
    `INSERT INTO trace (application, trace_id, native, start_ns, end_ns, received_at, updated_at, next_seq, span_count,
       error_count, input_tokens, output_tokens, cost, kinds, flags, root_rank, root_ns, root_name, models, services)
     VALUES (1, ?, 0, 1, 2, 1, 1, 1, 1, 0, ?, ?, 0.5, 0, 0, 0, 0, ?, '[]', '[]')`,
  );
  insert.run(Buffer.alloc(16, 1), 12, 30, 'first');
  insert.run(Buffer.alloc(16, 2), 0, 7, 'second');
  return store;
}

export function stateOf(file: string): StoreState {
  const store = new Sqlite(file, { readonly: true });
  try {
    return {
      version: store.pragma('user_version', { simple: true }),
      schema: store.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all(),
      traces: store.prepare<[], Record<string, unknown>>('SELECT * FROM trace ORDER BY tkey').all(),
    };
  } finally {
    store.close();
  }
}
