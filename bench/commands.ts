/**
 * Measures commands that work in steps as if each did all of its work at once, on 100 000 rows: how long would others wait for the
 * writer? Prints the table of docs/adr/0009-bounded-commands.md.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openForWriting } from '../src/storage/sqlite/open.ts';

const ROWS = 100_000;
const REPEATS = 3;
const BUDGET_MS = 250;
/** Machines may be this many times slower, or as busy. */
const MARGIN = 3;

/** Ids of rows that are spread over the table, as those of records are. */
const id = (n: string): string =>
  `printf('%08x-0000-4000-8000-%012x', (${n} * 2654435761) & 0xffffffff, ${n})`;
const TASKS = `INSERT INTO task (id, application, title, description, type, status, topic_id, is_verified, created_at, modified_at)
  SELECT ${id('n')}, 1, 'Task ' || n, '', 'STATIC', 'ACTIVE', 'topic', 0, n, n FROM rows`;

/** Name of each command, the rows that it finds, and its statements without a limit. */
const CASES: readonly (readonly [what: string, rows: readonly string[], statements: readonly string[]])[] = [
  [
    'Delete a tag of all tasks',
    [`INSERT INTO task_tag SELECT 1, ${id('n')}, 'tag' FROM rows`],
    [`DELETE FROM task_tag WHERE application = 1 AND tag_id = 'tag'`],
  ],
  [
    'Delete a tag of all documents',
    [`INSERT INTO document_tag SELECT 1, ${id('n')}, 'tag' FROM rows`],
    [`DELETE FROM document_tag WHERE application = 1 AND tag_id = 'tag'`],
  ],
  [
    'Delete a queue with its items',
    [
      `INSERT INTO annotation_queue_item (id, application, queue_id, trace_id, selection, expires_at, created_at)
       SELECT ${id('n')}, 1, 'queue', randomblob(16), 'MANUAL', n, n FROM rows`,
    ],
    [`DELETE FROM annotation_queue_item WHERE application = 1 AND queue_id = 'queue'`],
  ],
  [
    'Delete a definition with its links',
    [
      `INSERT INTO definition_link (application, definition_id, kind, target_id, config, created_at)
       SELECT 1, 'definition', 'task', ${id('n')}, '{}', n FROM rows`,
    ],
    [`DELETE FROM definition_link WHERE application = 1 AND definition_id = 'definition'`],
  ],
  [
    'Archive a topic with its tasks',
    [TASKS],
    [
      `UPDATE task SET status = 'ARCHIVED', modified_at = 1 WHERE application = 1 AND topic_id = 'topic' AND status <> 'ARCHIVED'`,
    ],
  ],
  [
    'Make jobs of a removed queue due',
    [
      `INSERT INTO job (application, kind, key, state, attempts, due_at, created_at)
       SELECT 1, 'judge:removed', ${id('n')}, 'waiting', 0, n, n FROM rows`,
    ],
    [`UPDATE job SET kind = 'judge' WHERE state = 'waiting' AND kind = 'judge:removed'`],
  ],
  [
    'Delete the annotations of a trace',
    [
      `INSERT INTO human_annotation (id, application, trace_id, verdict, annotator_id, source, created_at, modified_at)
       SELECT ${id('n')}, 1, x'00112233445566778899aabbccddeeff', 1, 'a', 'TRACE_PAGE', n, n FROM rows`,
    ],
    [`DELETE FROM human_annotation WHERE application = 1 AND trace_id = x'00112233445566778899aabbccddeeff'`],
  ],
];

/** Returns the least processor time of a command in milliseconds, without its commit: other programs do not change it. */
function measure(folder: string, rows: readonly string[], statements: readonly string[]): number {
  const connection = openForWriting(join(folder, 'store.db'));
  const all = `WITH RECURSIVE rows (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM rows WHERE n < ${ROWS})`;
  for (const sql of rows) connection.exec(sql.replace(/ SELECT /, ` ${all} SELECT `));
  const durations = Array.from({ length: REPEATS }, () => {
    connection.exec('BEGIN IMMEDIATE; SAVEPOINT command');
    const started = process.cpuUsage();
    for (const sql of statements) connection.exec(sql);
    const { user, system } = process.cpuUsage(started);
    connection.exec('ROLLBACK');
    return (user + system) / 1000;
  });
  connection.close();
  return Math.min(...durations);
}

console.log(
  `| Command on ${ROWS} rows | Processor time at once | Within ${BUDGET_MS} ms on a machine ${MARGIN} times slower |`,
);
console.log('|---|---|---|');
for (const [what, rows, statements] of CASES) {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-commands-'));
  try {
    const took = measure(folder, rows, statements);
    console.log(`| ${what} | ${took.toFixed(0)} ms | ${took * MARGIN <= BUDGET_MS ? 'yes' : 'no'} |`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
