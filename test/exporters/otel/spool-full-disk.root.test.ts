/** The spool of an app on a disk of its own, which is full for a while. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startReceiver } from './support/receiver.ts';
import { SourceApp } from './support/source-app.ts';
import { CREDENTIALS } from './support/tracing.ts';

const SPANS = 3;
const PROGRAM = `
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
const dir = process.env.TOUCHSTONE_SPOOL_DIR;
const fill = () => {
  for (let pages = 1; pages > 0; ) {
    const { bavail, bsize } = statfsSync(dir);
    pages = bavail;
    if (pages > 0) writeFileSync(dir + '/filler', Buffer.alloc(pages * bsize), { flag: 'a' });
  }
};
const free = () => rmSync(dir + '/filler');
if (process.env.IS_FULL_FIRST) fill();
const touchstone = register();
const work = async (name) => {
  for (let n = 0; n < ${SPANS}; n += 1) trace.getTracer('app').startSpan(name + '-' + n).end();
  await touchstone.flush();
};
const say = (what) => console.log(what + ' ' + JSON.stringify(touchstone.stats()));
`;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'touchstone-full-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'touchstone-test', dir]);
});
afterEach(() => {
  execFileSync('umount', ['--lazy', dir]);
  rmSync(dir, { recursive: true });
});

const start = (url: string, program: string, env: Readonly<Record<string, string>> = {}): SourceApp =>
  new SourceApp(PROGRAM + program, {
    TOUCHSTONE_URL: url,
    TOUCHSTONE_API_KEY: CREDENTIALS.apiKey,
    TOUCHSTONE_APPLICATION_ID: CREDENTIALS.applicationId,
    TOUCHSTONE_SPOOL_DIR: dir,
    TOUCHSTONE_STATE_DIR: dir,
    OTEL_EXPORTER_OTLP_TIMEOUT: url.endsWith(':1') ? '300' : '100000',
    ...env,
  });

const folder = (): string => join(dir, CREDENTIALS.applicationId);
const files = (ending: string): string[] => readdirSync(folder()).filter((name) => name.endsWith(ending));
const statsIn = (stdout: string, what: string): unknown =>
  JSON.parse(new RegExp(`^${what} (.*)$`, 'm').exec(stdout)?.[1] ?? 'null');

it.each([
  ['later', {}],
  ['from the start', { IS_FULL_FIRST: '1' }],
])(
  'a disk that is full %s loses what it cannot keep, in one line, and keeps again what follows',
  async (_when, env) => {
    const first = 'IS_FULL_FIRST' in env ? '' : "await work('kept'); fill();";
    const app = start(
      'http://127.0.0.1:1',
      `${first} await work('lost'); say('full'); free(); await work('again'); say('free'); process.kill(process.pid, 'SIGKILL');`,
      env,
    );
    const { stdout, stderr } = await app.ended;
    const kept = 'IS_FULL_FIRST' in env ? 0 : SPANS;
    expect(statsIn(stdout, 'full')).toMatchObject({
      ended: kept + SPANS,
      failed: SPANS,
      waiting: 0,
      inFlight: 0,
      spool: { waiting: kept, dropped: SPANS },
    });
    expect(statsIn(stdout, 'free')).toMatchObject({
      failed: SPANS,
      spool: { waiting: kept + SPANS, dropped: SPANS },
    });
    const losses = stderr.split('\n').filter((line) => line.includes('lost'));
    expect(losses).toEqual([
      expect.stringMatching(
        /^touchstone: 3 spans were lost: .*, and the spool cannot be written \(ENOSPC.*\)\. Start the server.* Free space on its disk\.$/,
      ),
    ]);
    expect(files('.tmp')).toEqual([]);
    // Without its owner, others would take the files over half a minute later.
    for (const lease of files('.lease'))
      expect(readFileSync(join(folder(), lease), 'utf8')).toMatch(/^\{.+\}$/);
    for (const note of files('.unsent'))
      expect(readFileSync(join(folder(), note), 'utf8')).toMatch(/^ *\d+\n\{.+\}\n$/);

    await using receiver = await startReceiver();
    const expected = kept + SPANS;
    await start(
      receiver.url,
      `while (touchstone.stats().spool.sent < ${expected}) await new Promise((resolve) => setTimeout(resolve, 10)); await touchstone.shutdown();`,
    ).ended;
    expect(receiver.spans()).toHaveLength(expected);
    expect(files('')).toEqual([]);
  },
);

it('a disk that is full loses nothing while the server responds, and is reported once a minute at most', async () => {
  await using receiver = await startReceiver();
  const { code, stdout, stderr } = await start(
    receiver.url,
    "fill(); await work('a'); await work('b'); free(); await work('c'); fill(); await work('d'); say('all'); await touchstone.shutdown();",
  ).ended;
  expect(code).toBe(0);
  expect(statsIn(stdout, 'all')).toMatchObject({
    ended: 4 * SPANS,
    exported: 4 * SPANS,
    failed: 0,
    spool: { dropped: 0 },
  });
  expect(receiver.spans()).toHaveLength(4 * SPANS);
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringMatching(
      /^touchstone: the spool \S+ cannot be used \(ENOSPC.*\)\. Free space on its disk\.$/,
    ),
  ]);
});
