import { expect, it } from 'vitest';
import { type Behaviour, startReceiver } from './support/receiver.ts';
import { SourceApp } from './support/source-app.ts';
import { CREDENTIALS } from './support/tracing.ts';

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
