import { openForWriting } from '../src/storage/sqlite/open.ts';
import { idOf, type Kind, ROWS, rowTime, TABLES } from './read-rows.ts';

/** Fills the store in `file`, whose server is not running, with so many rows of each table; the bytes it has then. */
export function fillStore(
  file: string,
  applicationId: string,
  rows: number | ((table: string) => number) = ROWS,
): number {
  const connection = openForWriting(file);
  connection.pragma('synchronous = OFF');
  connection.function('uuid', { deterministic: true }, (kind, row) => idOf(kind as Kind, row as number));
  connection.function('bytes', { deterministic: true }, (kind, row) =>
    Buffer.from(idOf(kind as Kind, row as number).replaceAll('-', ''), 'hex'),
  );
  connection.function('at', { deterministic: true }, (row) => rowTime(row as number));
  const application = connection
    .prepare<[string], number>('SELECT application FROM application WHERE id = ?')
    .pluck()
    .get(applicationId);
  // The rows already contain metrics, so triggers need not compute them. Indexes are built faster from all rows at
  // once.
  const parts = connection
    .prepare<[], { type: string; name: string; sql: string }>(
      "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'index') AND sql IS NOT NULL",
    )
    .all();
  connection.transaction(() => {
    for (const { type, name } of parts) connection.exec(`DROP ${type} ${name}`);
    for (const [table, rest] of TABLES) {
      const columns = { application: ':application', ...rest };
      connection
        .prepare(
          `WITH RECURSIVE row (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM row WHERE i < :rows - 1)
           INSERT INTO ${table} (${Object.keys(columns).join(', ')}) SELECT ${Object.values(columns).join(', ')} FROM row`,
        )
        .run({ rows: typeof rows === 'number' ? rows : rows(table), application });
    }
    for (const { sql } of parts) connection.exec(sql);
  })();
  connection.pragma('wal_checkpoint(TRUNCATE)');
  const pages = connection.pragma('page_count', { simple: true }) as number;
  connection.close();
  return pages * 4096;
}
