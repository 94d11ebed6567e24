import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { columnsOf, isLate, lineOf, threadColumns, WORST_WRITE_MS } from './ingest-report.ts';
import { measureRow, type RowResult } from './ingest-row.ts';
import { ingestRows, type Row } from './ingest-rows.ts';
import { mappingMicroseconds } from './mapping.ts';
import { readTrace } from './read-trace.ts';
import { copyFolder, makeTraceStore } from './trace-store.ts';

/**
 * Measures how fast ingest is, what a span costs, and how long a small write waits beside it. bench/README.md lists
 * the options. `npm run bench:ingest` runs every row and takes about an hour; `npm run bench:ingest -- --quick` runs
 * six rows with fewer spans.
 */
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    json: { type: 'string' },
    store: { type: 'string' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '20' },
  },
});

interface Measured {
  row: Row;
  result: RowResult;
}

async function measureAll(rows: readonly Row[], folder: string, stores: string): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const [index, row] of rows.entries()) {
    const dataDir = await dataDirOf(row, index, folder, stores);
    const result = await measureRow(row, {
      dataDir,
      seed: Number(options.seed),
      seconds: Number(options.seconds),
    });
    if (row.stored === 0) rmSync(dataDir, { recursive: true });
    console.log(lineOf(row, result));
    measured.push({ row, result });
  }
  return measured;
}

/** Returns an empty folder, or the copy of a store that all rows of its size share. */
async function dataDirOf(row: Row, index: number, folder: string, stores: string): Promise<string> {
  if (row.stored === 0) return join(folder, `row-${index}`);
  const copy = join(folder, `traces-${row.stored}`);
  if (!copies.has(copy)) {
    const original = join(stores, `traces-${row.stored}`);
    await makeTraceStore(original, row.stored);
    copyFolder(original, copy);
    copies.add(copy);
  }
  return copy;
}

function report(measured: readonly Measured[], traces: Record<string, Record<string, number>>): void {
  const entries = <T>(columns: (result: RowResult) => T): Record<string, T> =>
    Object.fromEntries(measured.map(({ row, result }) => [row.name, columns(result)]));
  const rows = entries(columnsOf);
  const threads = entries(threadColumns);
  console.table(rows);
  if (options.profile) {
    console.log('\nCPU microseconds a span, by thread:');
    console.table(threads);
  }
  console.table(traces);
  for (const { row, result } of measured)
    if (result.beside.failure) console.log(`${row.name}: beside it ${result.beside.failure}`);
  const late = measured.filter(({ result }) => isLate(result));
  console.log(
    `${measured.length} rows, ${late.length} in which a small write took ${WORST_WRITE_MS} ms or more`,
  );
  console.log(`mapping of a span: ${mappingMicroseconds(512).toFixed(1)} µs`);
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ rows, threads, traces }, null, 2)}\n`);
}

const copies = new Set<string>();
if (options.store) mkdirSync(options.store, { recursive: true });
// Copies stand beside their originals, where the file system may share their blocks.
const folder = mkdtempSync(join(options.store ?? tmpdir(), 'touchstone-bench-'));
// The server inherits them: tests are soon complete, so that there is something to judge.
Object.assign(process.env, { TOUCHSTONE_QUIET_MS: '50', TOUCHSTONE_ORPHAN_QUIET_MS: '50' });
try {
  const pattern = new RegExp(options.only);
  const rows = ingestRows(options.quick).filter(({ name }) => pattern.test(name));
  if (options.list) console.log(rows.map(({ name }) => name).join('\n'));
  else report(await measureAll(rows, folder, options.store ?? folder), await readTrace(folder));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
