/**
 * Runs every client that this machine can run against the server, and writes the table of docs/compatibility.md:
 * `npm run compat`. With a regular expression as argument, runs the clients whose names match and leaves the other rows: `npm run compat --
 * '^touchstone-otel'`. Needs the network; takes up to an hour. Exit code 1 if a client has failed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sender } from '../transport/senders.ts';
import { buildSenders } from './build-senders.ts';
import { withTable } from './page.ts';
import {
  CLIENT_FILES,
  clientsOf,
  missingPythons,
  type Report,
  type Row,
  rowOf,
  rowOfNotRun,
} from './rows.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/compatibility.md');
const MAX_RUN_MS = 5_400_000;
const wanted = process.argv[2] ?? '';
const pattern = new RegExp(wanted);

const folder = mkdtempSync(join(tmpdir(), 'touchstone-compat-'));
try {
  const isWanted = ({ client }: { client: string }): boolean => pattern.test(client);
  const { SENDERS } = await import('../transport/senders.ts');
  // What is built takes minutes, so it is built only if it may be wanted.
  const { senders, notRun } =
    wanted === ''
      ? await buildSenders(join(ROOT, 'node_modules/.cache/compat'))
      : { senders: [], notRun: [] };
  const clients = clientsOf([...SENDERS, ...senders]).filter(isWanted);
  const files = CLIENT_FILES.filter((file) => clients.some((client) => client.file === file));
  const report = await runTests(senders, files);
  const rows = clients.map((client) => rowOf(client, report));
  const missing = [...notRun, ...missingPythons()].filter(isWanted);
  const all: Row[] = [...rows, ...missing.map(rowOfNotRun)];
  for (const { client, result } of all) console.log(`${result.padEnd(24)} ${client}`);
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(PAGE, withTable(readFileSync(PAGE, 'utf8'), all, date, wanted === ''));
  process.exitCode = rows.some(({ hasFailed }) => hasFailed) ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function runTests(senders: readonly Sender[], files: readonly string[]): Promise<Report> {
  const [list, outputFile] = [join(folder, 'senders.json'), join(folder, 'report.json')];
  writeFileSync(list, JSON.stringify(senders));
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${outputFile}`];
  const child = spawn(process.execPath, [vitest, 'run', ...files, ...reporters], {
    cwd: ROOT,
    env: { ...process.env, COMPAT_SENDERS: list },
    stdio: 'inherit',
    timeout: MAX_RUN_MS,
  });
  await once(child, 'exit');
  return JSON.parse(readFileSync(outputFile, 'utf8')) as Report;
}
