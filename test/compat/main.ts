/**
 * Runs every client that this machine can run against the server, and writes the table of docs/compatibility.md:
 * `npm run compat`. Needs the network; takes some minutes. Exit code 1 if a client has failed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sender } from '../transport/senders.ts';
import { buildSenders } from './build-senders.ts';
import { withTable } from './page.ts';
import { CLIENT_FILES, clientsOf, type Report, type Row, rowOf, rowOfNotRun } from './rows.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/compatibility.md');
const MAX_RUN_MS = 900_000;

const folder = mkdtempSync(join(tmpdir(), 'touchstone-compat-'));
try {
  const { senders, notRun } = await buildSenders(join(ROOT, 'node_modules/.cache/compat'));
  const report = await runTests(senders);
  const { SENDERS } = await import('../transport/senders.ts');
  const rows = clientsOf([...SENDERS, ...senders]).map((client) => rowOf(client, report));
  const all: Row[] = [...rows, ...notRun.map(rowOfNotRun)];
  for (const { client, result } of all) console.log(`${result.padEnd(24)} ${client}`);
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(PAGE, withTable(readFileSync(PAGE, 'utf8'), all, date));
  process.exitCode = rows.some(({ hasFailed }) => hasFailed) ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function runTests(senders: readonly Sender[]): Promise<Report> {
  const [list, outputFile] = [join(folder, 'senders.json'), join(folder, 'report.json')];
  writeFileSync(list, JSON.stringify(senders));
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${outputFile}`];
  const child = spawn(process.execPath, [vitest, 'run', ...CLIENT_FILES, ...reporters], {
    cwd: ROOT,
    env: { ...process.env, COMPAT_SENDERS: list },
    stdio: 'inherit',
    timeout: MAX_RUN_MS,
  });
  await once(child, 'exit');
  return JSON.parse(readFileSync(outputFile, 'utf8')) as Report;
}
