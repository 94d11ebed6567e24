import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const DEMO = 'scripts/demo.ts';
/** Makes a pipe as good as a terminal. */
const TERMINAL = `data:text/javascript,import { WriteStream } from 'node:tty';
Object.assign(process.stdout, { isTTY: true, getColorDepth: WriteStream.prototype.getColorDepth });`;
/** Longer than a busy machine takes: a demo waits for a test to be quiet, and several of them share two cores. */
const DEMO_MS = 240_000;

interface Demo {
  child: ChildProcess;
  /** Where it may keep what is temporary. */
  folder: string;
  stdout: () => string;
  ended: Promise<Ending>;
}

interface Ending {
  code: number | null;
  stderr: string;
}

const temporary = mkdtempSync(join(tmpdir(), 'touchstone-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

function start(env: Readonly<Record<string, string>>, nodeArgs: readonly string[] = []): Demo {
  const folder = mkdtempSync(join(temporary, 'demo-'));
  const child = spawn(process.execPath, [...nodeArgs, join(ROOT, DEMO)], {
    cwd: folder,
    // Compiled code is kept, as for other programs under test.
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      TMPDIR: folder,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stderr }));
  return { child, folder, stdout: () => stdout, ended };
}

let endings: Ending[];
let left: string[];
let plain: string;
let coloured: string;
beforeAll(async () => {
  // What apps of the reader's own receive is not for this one.
  const settings = { OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  const demos = [start(settings), start({ TERM: 'xterm-256color' }, ['--import', TERMINAL])] as const;
  endings = await Promise.all(demos.map(({ ended }) => ended));
  left = demos.flatMap(({ folder }) => readdirSync(folder));
  [plain, coloured] = [demos[0].stdout(), demos[1].stdout()];
}, DEMO_MS);

/** The scenario's lines without their times. */
const told = (): string[] =>
  plain.split('\n').flatMap((line) => /^ *\d+\.\d\d s {2}(.*)$/.exec(line)?.[1] ?? []);

it('is what `npm run demo` runs', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts['demo']).toBe(`node scripts/bootstrap.mjs run ${DEMO}`);
});

it('ends well, has nothing to complain of, and leaves nothing behind', () => {
  expect(endings).toEqual([
    { code: 0, stderr: '' },
    { code: 0, stderr: '' },
  ]);
  expect(left).toEqual([]);
});

it('shows the test’s scenario, each step once', () => {
  const steps = [
    /^server +listens on http:\/\/127\.0\.0\.1:\d+/,
    /^app +an agent .*http:\/\/127\.0\.0\.1:\d+\/webhook$/,
    /^server +POST \/v0\/webhook:/,
    /^server +POST \/v0\/tasks:/,
    /^server +POST \/v0\/tasks\/trigger: started the test [\da-f-]{36}$/,
    /^test +queued: /,
    /^test +delivering: /,
    /^app +got POST \/webhook of \d+ bytes$/,
    /^app +x-service-signature: [\da-f]{12}…$/,
    /^app +x-service-timestamp: \d{13}$/,
    /^app +traceparent: 00-[\da-f]{32}-[\da-f]{16}-01$/,
    /^app +the signature is right; .*Where is my parcel 4711\?$/,
    /^app +the agent says: Your parcel 4711 is in Lyon/,
    /^app +answered 200$/,
    /^test +delivered: /,
    /^test +trace_received: /,
    /^spans +7 on disk$/,
    /^test +done: /,
  ];
  const lines = told();
  for (const step of steps)
    expect(
      lines.filter((line) => step.test(line)),
      String(step),
    ).toHaveLength(1);
  const spans = lines.filter((line) => line.startsWith('spans ') && !line.includes(' 7 on disk'));
  expect(lines).toHaveLength(steps.length + spans.length);
});

it('draws every span of the trace with its kind and its duration, and what the models used and cost', () => {
  const from = plain.indexOf('\nkind ');
  const rows = plain
    .slice(from + 1, plain.indexOf('\n\n', from))
    .split('\n')
    .slice(1);
  expect(
    rows.map((row) =>
      row
        .replace(/\d+ ms/, '')
        .replace(/█+/, '█')
        .replaceAll(/ +/g, ' ')
        .trim(),
    ),
  ).toEqual([
    'SPAN POST webhook █',
    'AGENT answer a customer █',
    'CHAIN plan █',
    'RETRIEVER retrieve guidelines █',
    'LLM choose a tool █ 412 + 31 $0.00045 gpt-5.4-mini',
    'TOOL find_parcel █',
    'LLM write the answer █ 468 + 24 $0.00046 gpt-5.4-mini',
  ]);
  for (const row of rows) expect(row).toMatch(/█ +\d+ ms/);
  expect(plain).toMatch(/^in all +7 spans, \d+ ms, 880 \+ 55 tokens, \$0\.00091$/m);
});

it('ends with where to look next', () => {
  const next = plain.slice(plain.indexOf('\nWhere to look next\n'));
  for (const path of ['npm start', 'docs/guide.md', 'examples/webhook-', '/v0/traces?testId='])
    expect(next).toContain(path);
});

it('fits into 100 columns', () => {
  for (const line of plain.split('\n')) expect(Array.from(line).length, line).toBeLessThanOrEqual(100);
});

it('uses colours on a terminal only', () => {
  expect(plain).toBe(stripVTControlCharacters(plain));
  expect(coloured).not.toBe(stripVTControlCharacters(coloured));
});

it(
  'uses none there either with NO_COLOR, and leaves nothing behind when it is stopped',
  async () => {
    const demo = start({ TERM: 'xterm-256color', NO_COLOR: '1' }, ['--import', TERMINAL]);
    await expect.poll(demo.stdout).toContain('listens on');
    expect(readdirSync(demo.folder)).toHaveLength(1);
    demo.child.kill('SIGINT');
    expect(await demo.ended).toEqual({ code: 130, stderr: '' });
    expect(readdirSync(demo.folder)).toEqual([]);
    expect(demo.stdout()).toBe(stripVTControlCharacters(demo.stdout()));
  },
  DEMO_MS,
);

it('says why it fails, and ends with 1', async () => {
  const { code, stderr } = await start({ TMPDIR: join(temporary, 'missing') }).ended;
  expect(code).toBe(1);
  expect(stderr).toMatch(/^The demo failed: ENOENT: no such file or directory.*\n$/);
});
