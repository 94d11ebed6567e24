import { expect, it } from 'vitest';
import { type Behaviour, startReceiver } from './support/receiver.ts';
import { SourceApp } from './support/source-app.ts';
import { CREDENTIALS } from './support/tracing.ts';
import { join } from 'node:path';
import { PACKAGE } from './support/built-package.ts';

const OBSERVE = join(PACKAGE, 'src/observe.ts');

const SPANS = 2_000;
/** Ends 800 MB of spans, and lets the event loop turn between them as an app does. */
const APP = `
import { setImmediate as nextTurn } from 'node:timers/promises';
const touchstone = register();
const tracer = trace.getTracer('app');
for (let n = 0; n < ${SPANS}; n += 1) {
  tracer.startSpan('answer', { attributes: { 'input.value': String(n).padEnd(400_000, 'text ') } }).end();
  if (n % 10 === 0) await nextTurn();
}
await touchstone.shutdown();
const { ended, dropped, failed, exported, waiting, inFlight } = touchstone.stats();
console.log(JSON.stringify({ ended, sum: dropped + failed + exported, left: waiting + inFlight }));
console.log(process.resourceUsage().maxRSS * 1024);
`;
/** Streams 1 GB through an observed function, which nothing else keeps. */
const STREAMING_APP = `
import { observe } from '${OBSERVE}';
const touchstone = register();
const answer = observe(async function* () {
  for (let n = 0; n < 4_000; n += 1) yield ITEM;
});
let items = 0;
for await (const item of answer()) items += 1;
await touchstone.shutdown();
console.log(JSON.stringify({ items, exported: touchstone.stats().exported }));
console.log(process.resourceUsage().maxRSS * 1024);
`;
const SILENT: Behaviour = () => null;
const CONTAINER_BYTES = 256 * 2 ** 20;

it.each<[server: string, behave: Behaviour | null]>([
  ['never answers', SILENT],
  ['is not there', null],
  ['answers 503', () => ({ status: 503, headers: { 'retry-after': '1' } })],
])(
  'an app in a container of 256 MB outlives 800 MB of spans for a server that %s',
  async (_server, behave) => {
    await using receiver = await startReceiver(behave ?? SILENT);
    const app = new SourceApp(
      APP,
      {
        TOUCHSTONE_URL: behave ? receiver.url : 'http://127.0.0.1:1',
        TOUCHSTONE_API_KEY: CREDENTIALS.apiKey,
        TOUCHSTONE_APPLICATION_ID: CREDENTIALS.applicationId,
        OTEL_EXPORTER_OTLP_TIMEOUT: '2000',
      },
      // What Node sets itself in such a container.
      ['--max-old-space-size=128'],
    );
    const { code, stdout, stderr } = await app.ended;
    expect(code, stderr).toBe(0);
    const [stats = '', peak = ''] = stdout.split('\n');
    expect(JSON.parse(stats)).toEqual({ ended: SPANS, sum: SPANS, left: 0 });
    expect(Number(peak)).toBeLessThan(CONTAINER_BYTES);
  },
);

it.each([
  ['bytes', 'Buffer.alloc(256 * 1024, n)'],
  [
    'objects with long texts',
    '{ choices: [{ delta: { content: Buffer.alloc(256 * 1024, 97).toString() } }] }',
  ],
])('an app in such a container outlives an observed stream of 1 GB of %s', async (_what, item) => {
  await using receiver = await startReceiver();
  const app = new SourceApp(
    STREAMING_APP.replace('ITEM', item),
    {
      TOUCHSTONE_URL: receiver.url,
      TOUCHSTONE_API_KEY: CREDENTIALS.apiKey,
      TOUCHSTONE_APPLICATION_ID: CREDENTIALS.applicationId,
    },
    ['--max-old-space-size=128'],
  );
  const { code, stdout, stderr } = await app.ended;
  expect(code, stderr).toBe(0);
  const [counts = '', peak = ''] = stdout.split('\n');
  expect(JSON.parse(counts)).toEqual({ items: 4_000, exported: 1 });
  expect(Number(peak)).toBeLessThan(CONTAINER_BYTES);
});
