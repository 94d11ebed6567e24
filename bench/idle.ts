/**
 * Measures a server without work: the time from its start until it listens, its memory, its processor time and its commits.
 *
 *   npm run bench:idle                                   the build
 *   npm run bench:idle -- --program dist/touchstone      the binary
 *   npm run bench:idle -- --seconds 60 --starts 5        idle time, and number of starts of which the median counts
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cpuBetween, cpuTime } from './process-cpu.ts';

const SETTLE_MS = 5_000;
const MIB = 1024 * 1024;

const { values } = parseArgs({
  options: {
    program: { type: 'string', default: 'dist/main.js' },
    seconds: { type: 'string', default: '60' },
    starts: { type: 'string', default: '5' },
  },
});
const { program } = values;
const command = program.endsWith('.js') ? [process.execPath, program] : [resolve(program)];

interface Started {
  child: ChildProcess;
  url: string;
  /** Milliseconds until the server listened. */
  startMs: number;
}

async function start(folder: string): Promise<Started> {
  const since = performance.now();
  const [file = '', ...first] = command;
  const args = [...first, 'serve', '--port', '0', '--grpc-port', 'off', '--data-dir', folder];
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL'));
  if (!child.stdout) throw new Error('the server has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes('"listening"')) continue;
    const startMs = performance.now() - since;
    const { url } = JSON.parse(line) as { url: string };
    child.stdout.resume();
    return { child, url, startMs };
  }
  throw new Error('the server ended before it listened');
}

async function stop({ child }: Started): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Returns a line of /proc in MiB. */
const memory = (pid: number, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) /
  1024;

/** Returns the number of commits since the start. */
async function commits(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^touchstone_store_commits_total (\d+)/m.exec(text)?.[1] ?? Number.NaN);
}

const folder = mkdtempSync(join(tmpdir(), 'touchstone-idle-'));
try {
  const times: number[] = [];
  let last: Started | null = null;
  for (let left = Number(values.starts); left > 0; left -= 1) {
    if (last) await stop(last);
    last = await start(folder);
    times.push(last.startMs);
  }
  if (!last?.child.pid) throw new Error('--starts must be at least 1');
  const { pid } = last.child;
  await sleep(SETTLE_MS);
  const before = { cpu: cpuTime(pid), commits: await commits(last.url) };
  await sleep(Number(values.seconds) * 1_000);
  const cpu = cpuBetween(before.cpu, cpuTime(pid)).total;
  const made = (await commits(last.url)) - before.commits;
  const rows: [string, string][] = [
    ['first start, of an empty folder', `${Math.round(times[0] ?? Number.NaN)} ms`],
    ['further starts, median', `${Math.round(median(times.slice(1)))} ms`],
    ['resident memory', `${Math.round(memory(pid, 'VmRSS'))} MiB`],
    ['of it private', `${Math.round(memory(pid, 'RssAnon'))} MiB`],
    ['threads', String(memory(pid, 'Threads') * 1024)],
    ['processor time a minute', `${((cpu * 60_000) / Number(values.seconds)).toFixed(0)} ms`],
    ['commits a minute', ((made * 60) / Number(values.seconds)).toFixed(1)],
    ...(program.endsWith('.js')
      ? []
      : [['size of the program', `${Math.round(statSync(program).size / MIB)} MiB`] as [string, string]]),
  ];
  for (const [name, value] of rows) console.log(`${name.padEnd(34)}${value}`);
  await stop(last);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
