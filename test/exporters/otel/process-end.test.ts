import { describe, expect, it } from 'vitest';
import { type Behaviour, startReceiver } from './support/receiver.ts';
import { SourceApp } from './support/source-app.ts';
import { CREDENTIALS } from './support/tracing.ts';

const SPANS = 3;
/** Ends spans, says so, and continues as the rest of the program says. */
const work = (rest: string, options = '{}', first = ''): string => `
const touchstone = register(${options});
${first}
for (let n = 0; n < ${SPANS}; n += 1) trace.getTracer('app').startSpan('answer').end();
console.log('worked');
${rest}
`;
const STAYS = 'setInterval(() => {}, 1000);';
const FLUSHES = '{ flushOnSignals: true }';
const SILENT: Behaviour = () => null;

const start = (url: string, program: string): SourceApp =>
  new SourceApp(program, {
    TOUCHSTONE_URL: url,
    TOUCHSTONE_API_KEY: CREDENTIALS.apiKey,
    TOUCHSTONE_APPLICATION_ID: CREDENTIALS.applicationId,
    // Nothing is sent before the end, and a busy machine may need longer than 5 s.
    OTEL_BSP_SCHEDULE_DELAY: '1000000',
    OTEL_EXPORTER_OTLP_TIMEOUT: '100000',
  });

const hasWorked = (app: SourceApp): Promise<void> =>
  expect.poll(() => app.stdout, { timeout: 120_000 }).toContain('worked');

describe('a program that ends', () => {
  it.each([
    ['with its last line', ''],
    [
      'with an error that nothing catches but a listener',
      "process.on('uncaughtException', () => {}); throw new Error('x');",
    ],
    ['by shutdown()', 'await touchstone.shutdown();'],
    [
      'whose timers and clock are replaced, as by vi.useFakeTimers()',
      `Object.assign(globalThis, { setTimeout: () => 1, setImmediate: () => 1, queueMicrotask: () => {} });
       performance.now = () => 0; await touchstone.flush();`,
    ],
  ])('%s sends its last spans', async (_how, rest) => {
    await using receiver = await startReceiver();
    const { stderr, code } = await start(receiver.url, work(rest)).ended;
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(receiver.spans()).toHaveLength(SPANS);
  });

  it('sends the spans that a listener ends when nothing else is left to do', async () => {
    await using receiver = await startReceiver();
    const ends = `process.once('beforeExit', () => trace.getTracer('app').startSpan('cleanup').end());`;
    const { stderr, code } = await start(receiver.url, work(ends)).ended;
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(receiver.spans().map(({ name }) => name)).toContain('cleanup');
  });

  it('ends although a listener ends another span each time', async () => {
    await using receiver = await startReceiver();
    const ends = `process.on('beforeExit', () => trace.getTracer('app').startSpan('cleanup').end());`;
    const { code, stderr } = await start(receiver.url, work(ends)).ended;
    expect(code).toBe(0);
    expect(stderr).toContain('touchstone: 1 span was lost: the process ended before they were sent.');
  });

  it('stays alive when its standard error is closed', async () => {
    const app = start(
      'http://127.0.0.1:1',
      `const touchstone = register({ timeoutMillis: 100 });
       await new Promise((resolve) => setTimeout(resolve, 500));
       trace.getTracer('app').startSpan('answer').end();
       await touchstone.flush();
       setTimeout(() => { console.log('alive', touchstone.stats().failed); }, 50);`,
    );
    app.child.stderr?.destroy();
    expect(await app.ended).toMatchObject({ code: 0, stdout: 'alive 1\n' });
  });

  it('by process.exit() says how many spans were not sent', async () => {
    await using receiver = await startReceiver();
    const { stderr, code } = await start(receiver.url, work('process.exit(3);')).ended;
    expect(code).toBe(3);
    expect(stderr).toBe(
      `touchstone: ${SPANS} spans were lost: the process ended before they were sent. ` +
        'Call await shutdown() before the process ends, or flush() before process.exit().\n',
    );
    expect(receiver.spans()).toEqual([]);
  });
});

describe.each<NodeJS.Signals>(['SIGTERM', 'SIGINT'])('%s', (name) => {
  it('ends a program as without this package', async () => {
    await using receiver = await startReceiver();
    const app = start(receiver.url, work(STAYS));
    await hasWorked(app);
    app.child.kill(name);
    expect(await app.ended).toMatchObject({ signal: name, stderr: '' });
    expect(receiver.spans()).toEqual([]);
  });

  it('ends a program with flushOnSignals only after its spans are stored', async () => {
    await using receiver = await startReceiver();
    const app = start(receiver.url, work(STAYS, FLUSHES));
    await hasWorked(app);
    app.child.kill(name);
    expect(await app.ended).toMatchObject({ signal: name, stderr: '' });
    expect(receiver.spans()).toHaveLength(SPANS);
  });

  it('ends a program with flushOnSignals at once when it comes a second time', async () => {
    await using receiver = await startReceiver(SILENT);
    const app = start(receiver.url, work(STAYS, FLUSHES));
    await hasWorked(app);
    app.child.kill(name);
    await expect.poll(() => receiver.requests.length, { timeout: 120_000 }).toBe(1);
    app.child.kill(name);
    expect(await app.ended).toMatchObject({ signal: name });
  });

  it('leaves the end to a listener of the app itself', async () => {
    await using receiver = await startReceiver();
    const listens = `process.on('${name}', async () => { await touchstone.shutdown(); process.exit(7); });`;
    const app = start(receiver.url, work(STAYS, '{}', listens));
    await hasWorked(app);
    app.child.kill(name);
    expect(await app.ended).toMatchObject({ code: 7, stderr: '' });
    expect(receiver.spans()).toHaveLength(SPANS);
  });
});
