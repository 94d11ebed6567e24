import type { Database as Connection } from 'better-sqlite3';
import { readAsset } from '../../runtime/assets.ts';
import { schemaSql, tableNames } from './schema.ts';

/** SQL that maps trace keys of the old schema to those of this version, which begin with the day of arrival. */
const NEW_KEYS = `
  CREATE TEMP TABLE new_key (tkey INTEGER PRIMARY KEY, application INTEGER NOT NULL, new_tkey INTEGER NOT NULL);
  INSERT INTO new_key SELECT tkey, application, received_at / 86400000 * 134217728 + tkey FROM old_trace;
  INSERT INTO new_key SELECT tkey, application, tkey FROM old_purge;`;

/** SQL for the tasks of the old schema, from whose input examples a migration makes examples. */
const OLD_TASKS =
  'CREATE TEMP VIEW task_before AS SELECT application, id, input_examples, created_at FROM old_task;';

interface Copied {
  /** SQL for columns that differ; all others keep their name and value. */
  columns: Readonly<Record<string, string>>;
  join: string;
}

const AS_IT_WAS: Copied = { columns: {}, join: '' };
const OF_TRACE: Copied = {
  columns: { tkey: 'new_tkey', application: 'new_key.application' },
  join: 'JOIN new_key USING (tkey)',
};
const CHANGED: Readonly<Record<string, Copied>> = {
  eval: { columns: { judge_version: 'NULL' }, join: '' },
  definition: {
    columns: { gate_min_annotations: 'CASE WHEN gate_min_kappa IS NOT NULL THEN 30 END' },
    join: '',
  },
  test: { columns: { example_id: 'NULL', trace_deleted: '0' }, join: '' },
  topic: {
    columns: {
      is_in_scope: '1',
      description: "CASE WHEN baseline GLOB '*[^0-9.]*' THEN baseline END",
      baseline: "CASE WHEN baseline NOT GLOB '*[^0-9.]*' THEN baseline END",
    },
    join: '',
  },
  tombstone: { columns: { expires_at: 'NULL', erased: '0' }, join: '' },
  run: { columns: { prompt_seed: 'NULL' }, join: '' },
  human_annotation: { columns: { corrected_output: 'NULL' }, join: '' },
  judge_call: { columns: { subject_id: 'eval_id', prompt_hash: 'NULL' }, join: '' },
  job: { columns: { lease: 'epoch' }, join: '' },
  // Their intervals are computed again.
  figure: {
    columns: {
      examples: '0',
      pass_rate_low: 'NULL',
      pass_rate_high: 'NULL',
      due_at: '0',
      evaluations: '0',
      passed_evaluations: '0',
      passed_tests: '0',
      monitored_tests: '0',
      monitored_evaluations: '0',
      monitored_passed_evaluations: '0',
      monitored_passed_tests: '0',
    },
    join: '',
  },
  trace: OF_TRACE,
  trace_preview: OF_TRACE,
  trace_test: OF_TRACE,
  trace_attr: OF_TRACE,
  open_step: OF_TRACE,
  closed_step: OF_TRACE,
  purge: { ...OF_TRACE, columns: { ...OF_TRACE.columns, session_id: 'NULL' } },
  rewrite: OF_TRACE,
  refresh: OF_TRACE,
  // The key of a chunk was tkey * 2^20 + seq in the old schema.
  chunk: {
    columns: { ...OF_TRACE.columns, seq: 'ck & 1048575' },
    join: 'JOIN new_key ON new_key.tkey = ck >> 20',
  },
  span: { ...OF_TRACE, columns: { ...OF_TRACE.columns, seq: 'chunk & 1048575' } },
  span_log: {
    columns: { tkey: 'new_tkey', application: 'old_span_log.application' },
    join: 'LEFT JOIN new_key USING (tkey)',
  },
  monitoring: {
    columns: {
      last_tkey: 'ifnull((SELECT max(new_tkey) FROM new_key WHERE new_key.tkey <= last_tkey), last_tkey)',
    },
    join: '',
  },
};

/**
 * Rebuilds a store of UNRELEASED_SCHEMA with the tables of this version, within a transaction of the caller. Rows
 * keep their ids.
 */
export function rebuildStore(connection: Connection): void {
  const old = tableNames(connection);
  dropExceptTables(connection);
  for (const table of old) connection.exec(`ALTER TABLE ${table} RENAME TO old_${table}`);
  connection.exec(schemaSql());
  // Triggers would change the copied rows, and indexes are built faster after all rows are present.
  const dropped = dropExceptTables(connection);
  connection.exec(NEW_KEYS);
  for (const table of tableNames(connection)) if (old.includes(table)) copyTable(connection, table);
  connection.exec(OLD_TASKS + readAsset('storage/sqlite/migrations/22-examples-of-tasks.sql'));
  connection.exec(readAsset('storage/sqlite/migrations/32-bounds-of-blocks.sql'));
  connection.exec(readAsset('storage/sqlite/migrations/35-tests-without-trace.sql'));
  keepSequences(connection);
  // In reverse order, because tables refer to earlier ones.
  for (const table of old.toReversed()) connection.exec(`DROP TABLE old_${table}`);
  for (const sql of dropped) connection.exec(sql);
  connection.exec('DROP TABLE new_key');
}

function copyTable(connection: Connection, table: string): void {
  const { columns, join } = CHANGED[table] ?? AS_IT_WAS;
  const names = connection
    .prepare<[string], string>('SELECT name FROM pragma_table_info(?)')
    .pluck()
    .all(table);
  connection.exec(`DELETE FROM ${table};
    INSERT INTO ${table} (${names.join(', ')})
    SELECT ${names.map((name) => columns[name] ?? name).join(', ')} FROM old_${table} ${join}`);
}

/** Makes AUTOINCREMENT continue after the highest id ever used, even if its row was deleted. */
function keepSequences(connection: Connection): void {
  const sequences = connection
    .prepare<[], { name: string; seq: number }>(
      `SELECT name, seq FROM sqlite_sequence WHERE name LIKE 'old!_%' ESCAPE '!'`,
    )
    .all();
  for (const { name, seq } of sequences) {
    const table = name.slice('old_'.length);
    const known = connection
      .prepare<[string], number>('SELECT seq FROM sqlite_sequence WHERE name = ?')
      .pluck()
      .get(table);
    if (known === undefined) connection.prepare('INSERT INTO sqlite_sequence VALUES (?, ?)').run(table, seq);
    else if (known < seq)
      connection.prepare('UPDATE sqlite_sequence SET seq = ? WHERE name = ?').run(seq, table);
  }
}

/** Drops all indexes and triggers; returns the SQL that creates them. */
function dropExceptTables(connection: Connection): string[] {
  const dropped = connection
    .prepare<[], { type: string; name: string; sql: string }>(
      `SELECT type, name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL`,
    )
    .all();
  for (const { type, name } of dropped) connection.exec(`DROP ${type} ${name}`);
  return dropped.map(({ sql }) => sql);
}
