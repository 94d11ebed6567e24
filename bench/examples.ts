import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerTo } from './answer-span.ts';
import { type Api, callOf, closeCalls, listen } from './judged-tests.ts';
import { cpuBetween, cpuTime } from './process-cpu.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/**
 * Measures the walk of a data set: a CSV file of 10 000 examples is imported, each example is tested against an app over
 * its webhook and evaluated by deterministic definitions, once more and compared with the first run, and all is
 * exported. Prints the time of each step, the processor time of the server for each example, and the peak memory of the server and of the
 * command. A process of another checkout is measured with `TOUCHSTONE_BENCH_CHECKOUT`.
 * `npm run bench:examples -- 1000` uses fewer examples.
 */
const COUNT = Number(process.argv[2] ?? 10_000);
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
/** One answer of so many is wrong. */
const WRONG_EACH = 20;
const SETTINGS = { TOUCHSTONE_QUIET_MS: '200', TOUCHSTONE_ORPHAN_QUIET_MS: '200' };

interface Step {
  seconds: string;
  /** Processor time of the server for each example, in milliseconds. */
  'CPU ms each': string;
  'server MiB': string;
  'command MiB': string;
  result: string;
}
const steps: Record<string, Step> = {};

/** Runs a step and adds it to the table. It returns its result in words, and the peak memory of its command in MiB. */
async function measure(
  name: string,
  server: ServerProcess,
  step: () => Promise<{ result: string; commandMiB?: number }>,
): Promise<void> {
  resetPeak(server.pid);
  const startedAt = performance.now();
  const cpuBefore = cpuTime(server.pid);
  const { result, commandMiB } = await step();
  const cpu = cpuBetween(cpuBefore, cpuTime(server.pid)).total;
  steps[name] = {
    seconds: ((performance.now() - startedAt) / 1000).toFixed(1),
    'CPU ms each': ((1000 * cpu) / COUNT).toFixed(1),
    'server MiB': server.memory().peak.toFixed(0),
    'command MiB': commandMiB?.toFixed(0) ?? '',
    result,
  };
  console.log(name, steps[name]);
}

/** Makes the peak memory of a process that of now, so that each step has its own. */
function resetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // Without /proc, peaks are those since the start.
  }
}

/** Runs a command of the program; returns its last sentence and its peak memory. */
async function command(
  { port, headers }: Api,
  args: readonly string[],
): Promise<{ result: string; commandMiB: number }> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      TOUCHSTONE_URL: `http://127.0.0.1:${port}`,
      TOUCHSTONE_API_KEY: headers['x-api-key'],
      TOUCHSTONE_APPLICATION_ID: headers['x-application-id'],
    },
  });
  let [output, commandMiB] = ['', 0];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const look = setInterval(() => (commandMiB = Math.max(commandMiB, peakOf(child.pid))), 20);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearInterval(look);
  const result = output.split('\n').findLast((line) => line.endsWith('.')) ?? '';
  return { result: code === 0 ? result : `exit code ${code}: ${result}`, commandMiB };
}

function peakOf(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

const answerOf = (prompt: string): string => {
  const number = Number(/\d+/.exec(prompt)?.[0]);
  return String(number % WRONG_EACH === 0 ? number : number + 1);
};

async function walk(server: ServerProcess, folder: string): Promise<void> {
  const app = await listen(async (incoming, response) => {
    const { body } = await answerTo(incoming, answerOf);
    await callOf(server, 'POST', '/v1/traces', body);
    response.end();
  });
  const create = async (path: string, body: object): Promise<string> => {
    const made = (await callOf(server, 'POST', path, body)) as Record<string, { id: string }>;
    return Object.values(made)[0]?.id ?? '';
  };
  await callOf(server, 'POST', '/v0/webhook', { url: app.url });
  const isRight = await create('/v0/definitions', {
    name: 'Right',
    type: 'OUTPUT_MATCH',
    globalConfig: { type: 'string' },
  });
  const isNumber = await create('/v0/definitions', {
    name: 'A number',
    type: 'ASSERT',
    globalConfig: { assertions: [{ type: 'regex', value: '^\\d+$' }] },
  });
  const evalDefinitions = [{ evalDefinitionId: isRight }, { evalDefinitionId: isNumber }];
  const taskId = await create('/v0/tasks', { title: 'Sums', type: 'STATIC', evalDefinitions });
  const file = join(folder, 'examples.csv');
  const rows = Array.from({ length: COUNT }, (_, n) => `key-${n},What is ${n} + 1?,${n + 1}`);
  writeFileSync(file, ['key,question,answer', ...rows, ''].join('\n'));

  const importing = ['import', file, '--task', taskId];
  await measure('import', server, () => command(server, importing));
  await measure('import again', server, () => command(server, importing));
  const testing = ['test', '--tasks', taskId, '--examples', 'all', '--fail-under', '90', '--timeout', '30m'];
  await measure('run and evaluate', server, () => command(server, testing));
  const { data } = (await callOf(server, 'GET', `/v0/runs?taskId=${taskId}`)) as { data: { id: string }[] };
  const [baseline = ''] = data.map(({ id }) => id);
  await measure('run, evaluate, compare', server, () =>
    command(server, [...testing, '--baseline', baseline]),
  );
  const runs = (await callOf(server, 'GET', `/v0/runs?taskId=${taskId}`)) as { data: { id: string }[] };
  const candidate = runs.data.map(({ id }) => id).find((id) => id !== baseline) ?? '';
  await measure('compare alone', server, async () => {
    const body = { baseline: { runIds: [baseline] }, candidates: [{ runIds: [candidate] }] };
    const compared = (await callOf(server, 'POST', '/v0/runs/compare', body)) as {
      data: { candidates: { pairs: number }[] };
    };
    return { result: `${compared.data.candidates[0]?.pairs} pairs` };
  });
  for (const subject of ['examples', 'tests', 'traces'])
    for (const format of ['csv', 'jsonl', 'parquet'])
      await measure(`export ${subject} as ${format}`, server, async () => {
        const path = join(folder, `${subject}.${format}`);
        const task = subject === 'traces' ? [] : ['--task', taskId];
        const { commandMiB, result } = await command(server, ['export', subject, '--output', path, ...task]);
        const bytes = statSync(path, { throwIfNoEntry: false })?.size;
        return { commandMiB, result: bytes === undefined ? result : `${(bytes / 2 ** 20).toFixed(1)} MiB` };
      });
  app.close();
}

Object.assign(process.env, SETTINGS);
const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
const server = await startServer(join(folder, 'data'));
try {
  await walk(server, folder);
} finally {
  closeCalls();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
console.table(steps);
