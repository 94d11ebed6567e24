import { closeSync, cpSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openForWriting } from '../src/storage/sqlite/open.ts';
import { load } from './load.ts';
import { requestOf, type Shape, SpanSource } from './payloads.ts';
import { seededBytes, seededRandom } from './seeded.ts';
import { startServer } from './server-process.ts';

/** Traces that the server itself stores; all others are copies of them with other ids, times, sessions, users and tests. */
const ORIGINALS: readonly (Shape & { traces: number })[] = [
  { traces: 256, traceSpans: 1, isRich: true, sessionTraces: 4, order: 'together' },
  { traces: 128, traceSpans: 3, isRich: true, sessionTraces: 4, order: 'together' },
  { traces: 64, traceSpans: 8, isRich: true, sessionTraces: 4, order: 'together' },
  // Each of these has as many small blocks as spans.
  { traces: 64, traceSpans: 4, isRich: true, sessionTraces: 4, order: 'spread' },
];
const ORIGINAL_TRACES = ORIGINALS.reduce((sum, { traces }) => sum + traces, 0);
/** Differs from the seeds of the originals. */
const COPIES_SEED = 1_000;
const USER_GROUPS = 50;
const BETWEEN_COPIES_NS = 512 * 1_000_000;

/** Columns of copies that differ from those of their originals; `:keys` is what keeps the keys of two copies apart. */
const COPIED: readonly (readonly [table: string, columns: Readonly<Record<string, string>>])[] = [
  [
    'trace',
    {
      tkey: 'tkey + copy.i * :keys',
      trace_id: 'other_id(trace_id)',
      session_id: "session_id || '-' || copy.i",
      user_id: `user_id || '-' || (copy.i % ${USER_GROUPS})`,
    },
  ],
  ['trace_preview', { tkey: 'tkey + copy.i * :keys' }],
  ['trace_test', { tkey: 'tkey + copy.i * :keys', test_id: 'other_id(test_id)' }],
  ['trace_attr', { tkey: 'tkey + copy.i * :keys' }],
  ['chunk', { tkey: 'tkey + copy.i * :keys' }],
  ['span', { tkey: 'tkey + copy.i * :keys' }],
  ['session', { id: "id || '-' || copy.i" }],
];

/**
 * Makes a data folder with that many traces, unless it is there already. The originals come by OTLP, so that rows and
 * blocks are as this version writes them; the copies are made in SQL.
 */
export async function makeTraceStore(folder: string, traces: number): Promise<void> {
  if (existsSync(folder)) return;
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const started = performance.now();
  await storeOriginals(unfinished);
  copyOriginals(join(unfinished, 'touchstone.db'), Math.ceil(traces / ORIGINAL_TRACES) - 1);
  renameSync(unfinished, folder);
  const seconds = (performance.now() - started) / 1000;
  console.log(`made a store of ${traces} traces in ${seconds.toFixed(0)} s`);
}

/** Copies a data folder, by reference where the file system can, and waits until the disk has it: commits would wait for it. */
export function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true, mode: 2 });
  const file = openSync(join(to, 'touchstone.db'), 'r+');
  fsyncSync(file);
  closeSync(file);
}

async function storeOriginals(folder: string): Promise<void> {
  const server = await startServer(folder);
  try {
    for (const [seed, { traces, ...shape }] of ORIGINALS.entries()) {
      const source = new SpanSource(shape, 'protobuf', seed + 1);
      const size = shape.order === 'spread' ? 1 : 64;
      const requests = Array.from({ length: (traces * shape.traceSpans) / size }, () =>
        requestOf(source.body(size), { format: 'protobuf', gzip: false }, server.headers),
      );
      const { statuses } = await load(server.port, requests, 8);
      if (statuses['200'] !== requests.length) throw new Error(`answered ${JSON.stringify(statuses)}`);
    }
  } finally {
    await server.stop();
  }
}

function copyOriginals(file: string, copies: number): void {
  const connection = openForWriting(file);
  for (const pragma of [
    'journal_mode = DELETE',
    'journal_mode = OFF',
    'synchronous = OFF',
    'cache_size = -262144',
  ])
    connection.pragma(pragma);
  const random = seededRandom(COPIES_SEED);
  connection.function('other_id', (id: Buffer) => seededBytes(random, id.length));
  const keys =
    connection.prepare<[], number>('SELECT max(tkey) - min(tkey) + 1 FROM trace').pluck().get() ?? 0;
  // The rows already contain metrics, so triggers have nothing to do. Indexes are built faster from all rows at once.
  const parts = connection
    .prepare<[], { type: string; name: string; sql: string }>(
      `SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'index') AND sql IS NOT NULL
       AND tbl_name IN (${COPIED.map(([table]) => `'${table}'`).join(', ')})`,
    )
    .all();
  for (const { type, name } of parts) connection.exec(`DROP ${type} ${name}`);
  connection.transaction(() => {
    for (const [table, changed] of COPIED) {
      connection.exec(`CREATE TEMP TABLE original AS SELECT * FROM ${table}`);
      const columns = connection.pragma(`table_info(${table})`) as { name: string }[];
      const values = columns.map(({ name }) => changed[name] ?? shifted(name));
      connection
        .prepare(
          `WITH RECURSIVE copy (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM copy WHERE i < :copies)
           INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')})
           SELECT ${values.join(', ')} FROM copy CROSS JOIN original WHERE :keys > 0`,
        )
        .run({ copies, keys });
      connection.exec('DROP TABLE original');
    }
    connection.exec(`UPDATE resource SET refs = refs * ${copies + 1}`);
  })();
  for (const { sql } of parts) connection.exec(sql);
  connection.pragma('journal_mode = WAL');
  connection.close();
}

/** Times of copies are later than those of their originals; all else is the same. */
function shifted(column: string): string {
  return column.endsWith('_ns') ? `${column} + copy.i * ${BETWEEN_COPIES_NS}` : column;
}
