// The recipes of the README for apps that send to another service too. VENDOR names one; its service is at VENDOR_URL.
import { trace } from '@opentelemetry/api';
import { register, TouchstoneSpanProcessor, withTest } from 'touchstone-otel';

const { VENDOR, VENDOR_URL, TEST_ID } = process.env;
const dsn = `${VENDOR_URL.replace('//', '//key@')}/1`;

/** One processor that passes each call on to several. */
const all = (...processors) => ({
  onStart: (...args) => processors.forEach((one) => one.onStart(...args)),
  onEnd: (span) => processors.forEach((one) => one.onEnd(span)),
  forceFlush: async () => void (await Promise.all(processors.map((one) => one.forceFlush()))),
  shutdown: async () => void (await Promise.all(processors.map((one) => one.shutdown()))),
});

/** Each sets up the service and returns how to flush it, and Touchstone. */
const RECIPES = {
  langfuse: async () => {
    const { NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node');
    const { LangfuseSpanProcessor } = await import('@langfuse/otel');
    const { startObservation } = await import('@langfuse/tracing');
    const touchstone = new TouchstoneSpanProcessor();
    const langfuse = new LangfuseSpanProcessor({ baseUrl: VENDOR_URL, publicKey: 'pk', secretKey: 'sk' });
    new NodeTracerProvider({ spanProcessors: [langfuse, touchstone] }).register();
    const work = () => startObservation('own', { input: 'hello' }).end();
    return { touchstone, work, flush: () => langfuse.forceFlush() };
  },
  'sentry-10': async () => {
    const Sentry = await import('@sentry/node-v10');
    const touchstone = new TouchstoneSpanProcessor();
    Sentry.init({ dsn, tracesSampleRate: 1, openTelemetrySpanProcessors: [touchstone] });
    return {
      touchstone,
      work: () => Sentry.startSpan({ name: 'own' }, () => 1),
      flush: () => Sentry.flush(),
    };
  },
  'sentry-11': async () => {
    const Sentry = await import('@sentry/node');
    Sentry.init({ dsn, tracesSampleRate: 1 });
    const touchstone = register();
    // Sentry 11 keeps its own spans to itself.
    const work = () => Sentry.startSpan({ name: 'kept' }, () => 1);
    return { touchstone, work, flush: () => Sentry.flush() };
  },
  traceloop: async () => {
    const traceloop = await import('@traceloop/node-server-sdk');
    const touchstone = new TouchstoneSpanProcessor();
    const own = traceloop.createSpanProcessor({ baseUrl: VENDOR_URL, apiKey: 'key', disableBatch: true });
    traceloop.initialize({
      baseUrl: VENDOR_URL,
      apiKey: 'key',
      processor: all(own, touchstone),
      instrumentModules: {},
    });
    return { touchstone, work: () => {}, flush: () => own.forceFlush() };
  },
  logfire: async () => {
    const logfire = await import('@pydantic/logfire-node');
    const touchstone = new TouchstoneSpanProcessor();
    const advanced = { baseUrl: VENDOR_URL };
    logfire.configure({ token: 'token', advanced, additionalSpanProcessors: [touchstone], console: false });
    return { touchstone, work: () => logfire.info('own'), flush: () => logfire.forceFlush?.() };
  },
  datadog: async () => {
    const { default: tracer } = await import('dd-trace');
    tracer.init({ url: VENDOR_URL, flushInterval: 1, startupLogs: false });
    const touchstone = register();
    // Datadog's spans have no attributes for others, so they stay in Datadog.
    return { touchstone, work: () => tracer.trace('kept', () => 1), flush: () => {} };
  },
};

const { touchstone, work, flush } = await RECIPES[VENDOR]();
const traceId = await withTest(TEST_ID, () =>
  trace.getTracer('app').startActiveSpan('root', async (root) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    trace.getTracer('app').startSpan('child').end();
    work();
    root.end();
    return root.spanContext().traceId;
  }),
);
await (touchstone.flush?.() ?? touchstone.forceFlush());
await flush();
console.log(JSON.stringify({ traceId, stats: touchstone.stats() }));
// The test closes standard input when the other service has its spans.
process.stdin.resume().on('end', () => process.exit());
