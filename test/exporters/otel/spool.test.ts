import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../../support/server.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { SourceApp } from './support/source-app.ts';
import { CREDENTIALS } from './support/tracing.ts';

const SPANS = 3;
const NOBODY = 'http://127.0.0.1:1';

/** Ends spans named after the program and sends them in one batch, then continues as the rest of the program says. */
const work = (name: string, rest: string, options = ''): string => `
const touchstone = register({ ${options} });
for (let n = 0; n < ${SPANS}; n += 1) trace.getTracer('app').startSpan('${name}-' + n, { attributes: { text: 'my key is 1234' } }).end();
await touchstone.flush();
console.log('worked ' + JSON.stringify(touchstone.stats()));
${rest}
`;
/** A program without spans of its own, which sends what earlier ones have left. */
const SENDS = `
const touchstone = register();
const isLeft = () => touchstone.stats().spool.sent + touchstone.stats().spool.failed < Number(process.env.EXPECTED);
while (isLeft()) await new Promise((resolve) => setTimeout(resolve, 10));
console.log('worked ' + JSON.stringify(touchstone.stats()));
await touchstone.shutdown();
`;
const STAYS = 'setInterval(() => {}, 1000);';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'touchstone-spool-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const start = (url: string, program: string, env: Readonly<Record<string, string>> = {}): SourceApp =>
  new SourceApp(program, {
    TOUCHSTONE_URL: url,
    TOUCHSTONE_API_KEY: CREDENTIALS.apiKey,
    TOUCHSTONE_APPLICATION_ID: CREDENTIALS.applicationId,
    TOUCHSTONE_SPOOL_DIR: dir,
    // A busy machine may need longer than 5 s.
    OTEL_EXPORTER_OTLP_TIMEOUT: url === NOBODY ? '300' : '100000',
    EXPECTED: String(SPANS),
    ...env,
  });

const hasWorked = (app: SourceApp): Promise<void> =>
  expect.poll(() => app.stdout, { timeout: 120_000 }).toContain('worked');

interface Counts {
  spool: Record<string, number>;
}
const statsOf = (app: SourceApp): Counts & Record<string, unknown> =>
  JSON.parse(/worked (.*)/.exec(app.stdout)?.[1] ?? '') as Counts & Record<string, unknown>;

/** Runs a program against no server until its spans are in the spool, and ends it by SIGKILL. */
async function leaveSpans(name: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const app = start(NOBODY, work(name, STAYS), { ...env });
  await hasWorked(app);
  app.child.kill('SIGKILL');
  await app.ended;
}

const files = (ending: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending));

const namesOf = (receiver: Receiver): string[] =>
  receiver
    .spans()
    .map(({ name }) => name)
    .toSorted();
const namesFrom = (...programs: string[]): string[] =>
  programs.flatMap((name) => Array.from({ length: SPANS }, (_, n) => `${name}-${n}`));

describe('with a real server', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  it('spans of a program that was killed while the server was down are stored once, by the next start', async () => {
    const env = { TOUCHSTONE_API_KEY: server.apiKey, TOUCHSTONE_APPLICATION_ID: server.applicationId };
    const app = start(NOBODY, work('killed', STAYS), env);
    await hasWorked(app);
    expect(statsOf(app)).toMatchObject({
      ended: SPANS,
      exported: 0,
      failed: 0,
      spool: { waiting: SPANS, sent: 0 },
    });
    app.child.kill('SIGKILL');
    await app.ended;

    const next = start(server.url, SENDS, env);
    expect(await next.ended).toMatchObject({
      code: 0,
      stderr: `touchstone: the spool ${join(dir, server.applicationId)}: 0 spans wait for the next start, ${SPANS} were sent, 0 were lost because it was full, 0 of earlier processes were lost.\n`,
    });
    expect(statsOf(next)).toMatchObject({ ended: 0, exported: 0, spool: { waiting: 0, sent: SPANS } });
    const { data } = await server.ok('GET', '/v0/ingest/ledger');
    const count = (field: 'stored' | 'duplicate'): number => data.reduce((sum, row) => sum + row[field], 0);
    expect([count('stored'), count('duplicate')]).toEqual([SPANS, 0]);
    expect(files('')).toEqual([server.applicationId]);
  });
});

it('a response that was never seen makes no loss: the batch is sent again', async () => {
  await using silent = await startReceiver(() => null);
  const app = start(silent.url, work('killed', STAYS, "redact: (text) => text.replace('1234', '****')"));
  await expect.poll(() => silent.requests.length, { timeout: 120_000 }).toBe(1);
  app.child.kill('SIGKILL');
  await app.ended;
  const [file = ''] = files('.batch');
  expect(readFileSync(join(dir, file), 'latin1')).toMatch(/^touchstone-spool 1\n\{"headers":/);

  await using receiver = await startReceiver();
  await start(receiver.url, SENDS).ended;
  expect(namesOf(receiver)).toEqual(namesFrom('killed'));
  expect(receiver.requests[0]?.text).toContain('my key is ****');
});

it('a program sends what it has kept when the server is back', async () => {
  let isUp = false;
  await using receiver = await startReceiver(() => (isUp ? {} : { status: 503 }));
  const waits =
    'while (touchstone.stats().spool.waiting > 0) await new Promise((resolve) => setTimeout(resolve, 10)); console.log("sent " + JSON.stringify(touchstone.stats())); process.exit();';
  const app = start(receiver.url, work('kept', waits), { OTEL_EXPORTER_OTLP_TIMEOUT: '300' });
  await hasWorked(app);
  isUp = true;
  const { stdout, stderr } = await app.ended;
  expect(JSON.parse(/sent (.*)/.exec(stdout)?.[1] ?? '')).toMatchObject({
    ended: SPANS,
    exported: SPANS,
    failed: 0,
    spool: { waiting: 0, sent: SPANS, dropped: 0 },
  });
  expect(stderr).toContain('touchstone: spans wait in the spool ');
  expect(stderr).toContain('HTTP 503');
  expect(files('.batch')).toEqual([]);
});

it('what several programs have left is taken over once, by several programs', async () => {
  const programs = ['a', 'b', 'c'];
  for (const name of programs) await leaveSpans(name);

  await using receiver = await startReceiver();
  const takers = [0, 1].map(() => start(receiver.url, `register(); ${STAYS}`));
  await expect.poll(() => receiver.spans().length, { timeout: 120_000 }).toBe(programs.length * SPANS);
  expect(namesOf(receiver)).toEqual(namesFrom(...programs));
  await expect.poll(() => files('.batch'), { timeout: 120_000 }).toEqual([]);
  for (const { child } of takers) child.kill('SIGKILL');
  await Promise.all(takers.map(({ ended }) => ended));
});

it('the files of a living program stay', async () => {
  const living = start(NOBODY, work('living', STAYS));
  await hasWorked(living);
  await using receiver = await startReceiver();
  await start(receiver.url, work('other', 'await touchstone.shutdown();')).ended;
  const left = files('.batch');
  living.child.kill('SIGKILL');
  await living.ended;
  expect(left).toHaveLength(1);
  expect(namesOf(receiver)).toEqual(namesFrom('other'));
});

it('a file that is damaged is set aside, and said', async () => {
  await leaveSpans('damaged');
  const [damaged = ''] = files('.batch');
  writeFileSync(join(dir, damaged), 'touchstone-spool 1\nnothing');
  const env = { TOUCHSTONE_SPOOL_DIR: join(dir, 'other') };
  await leaveSpans('intact', env);
  for (const file of files('.batch').filter((name) => name.startsWith('other')))
    renameSync(join(dir, file), join(dir, dirname(damaged), basename(file)));

  await using receiver = await startReceiver();
  const next = start(receiver.url, SENDS, { EXPECTED: String(2 * SPANS) });
  const { stderr } = await next.ended;
  expect(statsOf(next).spool).toEqual({ waiting: 0, sent: SPANS, dropped: 0, failed: SPANS });
  expect(receiver.spans()).toHaveLength(SPANS);
  expect(stderr).toMatch(/3 spans were lost: the file \S+\.batch in the spool is damaged\. It was renamed/);
  expect(files('.damaged')).toHaveLength(1);
});

it('a spool that is full keeps what it has, and loses and counts the rest', async () => {
  const app = start(
    NOBODY,
    work(
      'first',
      "trace.getTracer('app').startSpan('late').end(); await touchstone.flush(); console.log('worked ' + JSON.stringify(touchstone.stats())); process.exit();",
    ),
    {
      TOUCHSTONE_MAX_SPOOL_BYTES: '4096',
    },
  );
  const { stdout, stderr } = await app.ended;
  const stats = JSON.parse(stdout.trim().split('\n').at(-1)?.replace('worked ', '') ?? '') as object;
  expect(stats).toMatchObject({ ended: SPANS + 1, failed: 1, spool: { waiting: SPANS, dropped: 1 } });
  expect(stderr).toContain(
    'and the spool is full. Start the server, or set TOUCHSTONE_URL. Raise maxSpoolBytes',
  );
  expect(stderr).toContain(
    `${SPANS} spans wait for the next start, 0 were sent, 1 were lost because it was full`,
  );
});

it.each([
  ['lies in a file', (): string => join(dir, 'file')],
  // Here the recursion of `mkdir` would never end.
  ['lies in a file system without folders', (): string => '/proc/touchstone'],
])('a folder that %s is said once, and spans are sent without it', async (_where, spool) => {
  writeFileSync(join(dir, 'file'), '');
  await using receiver = await startReceiver();
  const app = start(receiver.url, work('sent', 'await touchstone.shutdown();'), {
    TOUCHSTONE_SPOOL_DIR: spool(),
  });
  const { stderr, code } = await app.ended;
  expect(code).toBe(0);
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/^touchstone: the spool \S+ cannot be used \(E[A-Z]+.*\)\. Check spoolDir\.$/),
  ]);
  expect(receiver.spans()).toHaveLength(SPANS);
});

it.each(['gzip', 'none'])(
  'a batch that the server finds too large later is divided (compression: %s)',
  async (compression) => {
    await leaveSpans('large', { OTEL_EXPORTER_OTLP_COMPRESSION: compression });
    await using receiver = await startReceiver((_n, { spans }) => (spans.length > 1 ? { status: 413 } : {}));
    const { code } = await start(receiver.url, SENDS).ended;
    expect(code).toBe(0);
    const stored = receiver.requests.flatMap(({ spans }) => (spans.length === 1 ? spans : []));
    expect(stored.map(({ name }) => name).toSorted()).toEqual(namesFrom('large'));
    expect(stored[0]?.attributes).toEqual({ text: 'my key is 1234' });
    expect(files('.batch')).toEqual([]);
  },
);

it('a flush does not wait for all that earlier programs have left', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) await leaveSpans(name);
  await using receiver = await startReceiver((_n, { spans }, response) => {
    if (spans[0]?.name.startsWith('own')) return {};
    setTimeout(() => response.end('{}'), 700);
    return null;
  });
  const program = work('own', 'process.exit();');
  const app = start(receiver.url, program, { OTEL_EXPORTER_OTLP_TIMEOUT: '1500' });
  const { stdout } = await app.ended;
  expect(JSON.parse(/worked (.*)/.exec(stdout)?.[1] ?? '')).toMatchObject({ exported: SPANS, failed: 0 });
  expect(files('.batch').length).toBeGreaterThan(0);
});

it('spans of another application stay for its own programs', async () => {
  await leaveSpans('other', { TOUCHSTONE_APPLICATION_ID: '00000000-0000-4000-8000-000000000000' });
  await leaveSpans('own');
  await using receiver = await startReceiver();
  await start(receiver.url, SENDS).ended;
  expect(namesOf(receiver)).toEqual(namesFrom('own'));
  expect(files('.batch')).toHaveLength(1);
});
