// An app under load: it waits for its limits, ends its spans, and prints what became of them, of its memory and of its event loop.
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { trace } from '@opentelemetry/api';
import { register } from '../../../exporters/otel/dist/main.js';

const [spans, characters, spansPerTurn] = process.argv.slice(2).map(Number);
const touchstone = register();
// Starts the threads that later work uses, so that their stacks belong to the idle app.
await promisify(gzip)('');
console.log('ready');
await once(process.stdin, 'data');
process.stdin.destroy();

let longest = 0;
let before = process.threadCpuUsage();
// Processor time, because another program on the machine adds none to it.
const timer = setInterval(() => {
  const { user, system } = process.threadCpuUsage(before);
  longest = Math.max(longest, user + system);
  before = process.threadCpuUsage();
}, 1);
const tracer = trace.getTracer('app');
for (let n = 0; n < spans; n += 1) {
  tracer.startSpan('answer', { attributes: { 'input.value': String(n).padEnd(characters, 'text ') } }).end();
  if ((n + 1) % spansPerTurn === 0) await nextTurn();
}
// A turn that ends all spans at once is the app's own.
if (spansPerTurn >= spans) {
  before = process.threadCpuUsage();
  longest = 0;
}
await touchstone.flush();
clearInterval(timer);
await touchstone.shutdown();
const peakBytes = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ stats: touchstone.stats(), pauseMs: longest / 1_000, peakBytes }));
