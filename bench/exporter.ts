import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { context, trace, type Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BasicTracerProvider, BatchSpanProcessor, type SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { NODE } from '../exporters/otel/src/node-platform.ts';
import { observe } from '../exporters/otel/src/observe.ts';
import { TouchstoneSpanProcessor } from '../exporters/otel/src/processor.ts';
import { withTest } from '../exporters/otel/src/test-context.ts';

/**
 * Measures what a span costs the app: the exporter package beside the processor and exporter of OpenTelemetry with
 * the same settings, in the same process, in turns. The receiver is a process of its own that responds at once. Run
 * with `npm run bench:exporter`.
 */
const SPANS = 5_000;
const ROUNDS = 100;
const WARM_UP = 10;
const LIMITS = { maxQueueSize: 8_192, maxBatchSize: 512, delayMillis: 60_000 };
const PLAIN = 'OpenTelemetry';
const TEST_ID = '3f0d7b0e-5c43-4a0b-9a53-6c1c8f3f5a10';
const CREDENTIALS = { apiKey: 'sk_bench', applicationId: '5f0e3c9a-1d43-4a55-9c7e-0c7f5b1f0a01' };

interface Subject {
  name: string;
  tracer: Tracer;
  /** Resolves when every span has been answered. */
  flush: () => Promise<void>;
}

/** Microseconds a span: of processor time until all is answered, and of the app's own turn alone. */
interface Cost {
  cpu: number;
  turn: number;
}

function openTelemetry(url: string): Subject {
  const exporter = new OTLPTraceExporter({
    url: `${url}/v1/traces`,
    headers: { 'x-api-key': CREDENTIALS.apiKey, 'x-application-id': CREDENTIALS.applicationId },
    compression: 'gzip' as never,
    timeoutMillis: 5_000,
  });
  const batch = new BatchSpanProcessor(exporter, {
    maxQueueSize: LIMITS.maxQueueSize,
    maxExportBatchSize: LIMITS.maxBatchSize,
    scheduledDelayMillis: LIMITS.delayMillis,
  });
  const flush = async (): Promise<void> => {
    await batch.forceFlush();
    await exporter.forceFlush();
  };
  return { name: PLAIN, tracer: tracerOf(batch), flush };
}

function touchstone(url: string): Subject {
  const processor = new TouchstoneSpanProcessor({ ...CREDENTIALS, ...LIMITS, url, strict: true });
  const provider = new BasicTracerProvider({ spanProcessors: [processor] });
  // The one that `observe()` uses.
  trace.setGlobalTracerProvider(provider);
  return { name: 'Touchstone', tracer: provider.getTracer('bench'), flush: () => processor.forceFlush() };
}

const tracerOf = (processor: SpanProcessor): Tracer =>
  new BasicTracerProvider({ spanProcessors: [processor] }).getTracer('bench');

/** A span as an instrumentation of a language model writes it; with the test's id when the app sets that itself. */
function oneSpan(tracer: Tracer, n: number, ownTestId: string | null): void {
  const span = tracer.startSpan('chat gpt-4o', {
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.request.temperature': 0.2,
    },
  });
  if (ownTestId !== null) span.setAttribute('service.test.id', ownTestId);
  span.setAttribute(
    'gen_ai.input.messages',
    `[{"role":"user","content":"What is the capital of country ${n}?"}]`,
  );
  span.setAttribute('gen_ai.usage.input_tokens', 12 + (n % 100));
  span.setAttribute('gen_ai.usage.output_tokens', n % 7);
  span.end();
}

/** The work of an observed function: it returns an object, which is recorded as JSON. */
const lookUp = (question: string): { answer: string; sources: string[] } => ({
  answer: `Capital: ${question}`,
  sources: ['atlas.txt', 'countries.txt'],
});
const observedLookUp = observe(lookUp, { name: 'lookUp', kind: 'llm' });

/** Does by hand the same as `observe()`. */
function lookUpByHand(tracer: Tracer, question: string): unknown {
  const attributes = {
    'openinference.span.kind': 'LLM',
    'input.value': question,
    'input.mime_type': 'text/plain',
  };
  return tracer.startActiveSpan('lookUp', { attributes }, (span) => {
    const result = lookUp(question);
    span.setAttributes({ 'output.value': JSON.stringify(result), 'output.mime_type': 'application/json' });
    span.end();
    return result;
  });
}

const OBSERVED = 'by observe(), and by hand without Touchstone';
const PLACES = [
  'outside of tests',
  'inside a test',
  'inside a test, id set by hand without Touchstone',
  OBSERVED,
] as const;
type Where = (typeof PLACES)[number];

async function measure({ name, tracer, flush }: Subject, where: Where): Promise<Cost> {
  const byHand = where.includes('id set by hand') && name === PLAIN ? TEST_ID : null;
  const cpu = process.cpuUsage();
  const started = performance.now();
  const work = (): void => {
    for (let n = 0; n < SPANS; n += 1) {
      if (where !== OBSERVED) oneSpan(tracer, n, byHand);
      else if (name === PLAIN) lookUpByHand(tracer, `What is the capital of country ${n}?`);
      else observedLookUp(`What is the capital of country ${n}?`);
    }
  };
  if (where === 'outside of tests' || where === OBSERVED) work();
  else withTest(TEST_ID, work);
  const turn = performance.now() - started;
  await flush();
  const { user, system } = process.cpuUsage(cpu);
  return { cpu: (user + system) / SPANS, turn: (turn * 1_000) / SPANS };
}

async function compare(pair: [Subject, Subject], where: Where): Promise<Record<string, string>> {
  const costs: [Cost[], Cost[]] = [[], []];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    // Who goes first changes, so that neither always finds the heap the other left.
    for (const which of round % 2 ? ([0, 1] as const) : ([1, 0] as const)) {
      const cost = await measure(pair[which], where);
      if (round >= WARM_UP) costs[which].push(cost);
    }
    await sleep(5);
  }
  const cells = (['cpu', 'turn'] as const).flatMap((what) => {
    const [plain, ours] = costs.map((list) => lowerQuartile(list.map((cost) => cost[what]))) as [
      number,
      number,
    ];
    return [
      [`${what} µs/span`, `${plain.toFixed(2)} → ${ours.toFixed(2)}`],
      [`${what}: more`, `${((ours / plain - 1) * 100).toFixed(1)} %`],
    ];
  });
  return Object.fromEntries(cells) as Record<string, string>;
}

/**
 * Returns the lower quartile: other load on the machine only ever adds time, so the quicker rounds are closer to the
 * truth.
 */
function lowerQuartile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] as number;
}

function serve(): void {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

async function main(): Promise<void> {
  const receiver: ChildProcess = fork(import.meta.filename, ['receiver']);
  const [port] = (await once(receiver, 'message')) as [number];
  context.setGlobalContextManager(NODE.contextManager());
  const url = `http://127.0.0.1:${port}`;
  const [plain, ours] = [openTelemetry(url), touchstone(url)];
  const rows: Record<string, Record<string, string>> = {
    // How far two equal things seem to differ here.
    'OpenTelemetry twice': await compare([plain, openTelemetry(url)], 'outside of tests'),
  };
  for (const where of PLACES) rows[where] = await compare([plain, ours], where);
  console.table(rows);
  receiver.kill();
}

if (process.argv[2] === 'receiver') serve();
else await main();
