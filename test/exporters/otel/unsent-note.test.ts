import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { SourceApp } from './support/source-app.ts';
import { CREDENTIALS } from './support/tracing.ts';

const SPANS = 3;
const STAYS = 'setInterval(() => {}, 1000);';
const work = (rest = STAYS, options = ''): string => `
const touchstone = register({ ${options} });
for (let n = 0; n < ${SPANS}; n += 1) trace.getTracer('app').startSpan('answer').end();
await 0;
console.log('worked');
${rest}
`;
const NEXT = 'register(); await new Promise((resolve) => setTimeout(resolve, 300));';
/** The line of a next start, with the number of the process and the time left out. */
const LINE = `touchstone: an earlier process (N) ended at about TIME, before ${SPANS} of its spans were confirmed. Call shutdown() before the end, or set flushOnSignals or spoolDir.\n`;

let dir: string;
let receiver: Receiver;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'touchstone-unsent-'));
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

const start = (program: string, env: Readonly<Record<string, string>> = {}): SourceApp =>
  new SourceApp(program, {
    TOUCHSTONE_URL: receiver.url,
    TOUCHSTONE_API_KEY: CREDENTIALS.apiKey,
    TOUCHSTONE_APPLICATION_ID: CREDENTIALS.applicationId,
    TOUCHSTONE_STATE_DIR: '',
    TMPDIR: dir,
    OTEL_BSP_SCHEDULE_DELAY: '1000000',
    OTEL_EXPORTER_OTLP_TIMEOUT: '100000',
    ...env,
  });

async function killed(program: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const app = start(program, env);
  await expect.poll(() => app.stdout, { timeout: 120_000 }).toContain('worked');
  app.child.kill('SIGKILL');
  await app.ended;
}

const saidBy = async (program: string, env: Readonly<Record<string, string>> = {}): Promise<string> =>
  (await start(program, env).ended).stderr
    .replaceAll(/\(\d+\)/g, '(N)')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');

const notes = (): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.unsent'));

describe('the next start', () => {
  it('reports once what a killed process had not sent', async () => {
    await killed(work());
    expect(await saidBy(NEXT)).toBe(LINE);
    expect(await saidBy(NEXT)).toBe('');
    expect(notes()).toEqual([]);
  });

  it.each<NodeJS.Signals>(['SIGTERM', 'SIGINT'])(
    'reports what a process ended by %s had not sent',
    async (name) => {
      const app = start(work());
      await expect.poll(() => app.stdout, { timeout: 120_000 }).toContain('worked');
      app.child.kill(name);
      await app.ended;
      expect(await saidBy(NEXT)).toBe(LINE);
    },
  );

  it('reports what a worker that was terminated had not sent, after the end of its process', async () => {
    const inWorker = `
import { Worker } from 'node:worker_threads';
const worker = new Worker(${JSON.stringify(`import('REGISTER').then(async ({ register }) => {
  const { trace } = await import('@opentelemetry/api');
  register();
  for (let n = 0; n < ${SPANS}; n += 1) trace.getTracer('app').startSpan('answer').end();
  const { parentPort } = await import('node:worker_threads');
  parentPort.postMessage('worked');
})`)}.replace('REGISTER', import.meta.resolve(process.cwd() + '/src/register.ts')), { eval: true });
worker.on('message', () => void worker.terminate());
`;
    await start(inWorker).ended;
    expect(await saidBy(NEXT)).toBe(LINE);
  });

  it('adds up several processes', async () => {
    // The second one would report the first one if it began later.
    const apps = [start(work()), start(work())];
    for (const app of apps) await expect.poll(() => app.stdout, { timeout: 120_000 }).toContain('worked');
    for (const { child } of apps) child.kill('SIGKILL');
    await Promise.all(apps.map(({ ended }) => ended));
    expect(await saidBy(NEXT)).toMatch(
      /^touchstone: 2 earlier processes, the last one \(N\) at about TIME, ended before 6 of their spans were confirmed\. /,
    );
  });

  it.each([
    ['shutdown()', work('await touchstone.shutdown();')],
    ['nothing left to do', work('')],
    ['flush() and SIGKILL', work("await touchstone.flush(); process.kill(process.pid, 'SIGKILL');")],
    ['process.exit(), which has its own line', work('process.exit();')],
  ])('reports nothing after an end by %s', async (_how, program) => {
    await start(program).ended;
    expect(await saidBy(NEXT)).toBe('');
    expect(notes()).toEqual([]);
  });

  it('reports nothing of a process that lives, and nothing to another application', async () => {
    const living = start(work());
    await expect.poll(() => living.stdout, { timeout: 120_000 }).toContain('worked');
    expect(await saidBy(NEXT)).toBe('');
    living.child.kill('SIGKILL');
    await living.ended;
    const other = { TOUCHSTONE_APPLICATION_ID: '00000000-0000-4000-8000-000000000000' };
    expect(await saidBy(NEXT, other)).toBe('');
    expect(await saidBy(NEXT)).toBe(LINE);
  });
});

describe('the folder', () => {
  it('is the one that is set, also by stateDir, or the spool', async () => {
    const set = { TOUCHSTONE_STATE_DIR: join(dir, 'state') };
    await killed(work(), set);
    expect(notes()).toEqual([expect.stringMatching(/^state\//)]);
    expect(await saidBy(`register({ stateDir: '${join(dir, 'state')}' }); setTimeout(() => {}, 300);`)).toBe(
      LINE,
    );

    await killed(work(), { TOUCHSTONE_SPOOL_DIR: join(dir, 'spool') });
    expect(notes()).toEqual([expect.stringMatching(/^spool\//)]);
  });

  it.each([
    ['TOUCHSTONE_STATE_DIR=off', { TOUCHSTONE_STATE_DIR: 'off' }, ''],
    ['stateDir: false', {}, 'stateDir: false'],
    ['reportLoss: false', {}, 'reportLoss: false'],
  ])('gets nothing with %s', async (_what, env, options) => {
    await killed(work(STAYS, options), env);
    expect(notes()).toEqual([]);
  });

  it('is not used if it cannot be written or belongs to others, which the app does not notice', async () => {
    const folder = join(dir, `touchstone-${process.getuid?.()}`);
    mkdirSync(join(dir, 'elsewhere'));
    symlinkSync(join(dir, 'elsewhere'), folder);
    await killed(work());
    expect(notes()).toEqual([]);
    chmodSync(join(dir, 'elsewhere'), 0o700);
    expect(await saidBy(work('await touchstone.shutdown();'), { TMPDIR: '/proc' })).toBe('');
  });

  it('gets only the spans that wait for their batch, beside a spool', async () => {
    receiver.url = 'http://127.0.0.1:1';
    const env = { TOUCHSTONE_SPOOL_DIR: join(dir, 'spool'), OTEL_EXPORTER_OTLP_TIMEOUT: '300' };
    await killed(
      `const touchstone = register();
for (let n = 0; n < 2; n += 1) trace.getTracer('app').startSpan('kept').end();
await touchstone.flush();
for (let n = 0; n < ${SPANS}; n += 1) trace.getTracer('app').startSpan('lost').end();
await 0;
console.log('worked'); ${STAYS}`,
      env,
    );
    expect(
      await saidBy(`register(); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300);`, env),
    ).toContain(LINE);
  });
});
