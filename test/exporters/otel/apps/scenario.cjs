// What a customer's app does. The entry programs beside this file load the packages, each in its own module system.
const { setTimeout: sleep } = require('node:timers/promises');

/** Tests in parallel, each with spans after awaits and in timers, then a burst of spans in one tick. */
async function work({ otel, api }) {
  const tracer = api.trace.getTracer('customer');
  const reported = [];
  const end = (span, testId) => {
    span.end();
    const { traceId, spanId } = span.spanContext();
    reported.push({ traceId, spanId, testId });
  };
  const testIds = JSON.parse(process.env.TEST_IDS);
  await Promise.all(
    testIds.map((testId) =>
      otel.withTest(testId, () =>
        tracer.startActiveSpan('answer', async (root) => {
          await sleep(Math.random() * 20);
          end(tracer.startSpan('after an await'), testId);
          await new Promise((resolve) => {
            setTimeout(() => {
              end(tracer.startSpan('in a timer'), testId);
              resolve();
            }, Math.random() * 20);
          });
          end(root, testId);
        }),
      ),
    ),
  );
  for (let n = 0; n < Number(process.env.BURST); n += 1) end(tracer.startSpan('burst'), null);
  return reported;
}

/** Runs it, and prints what was reported and counted. A rejection nobody handles ends the program with code 1. */
exports.main = async ({ otel, api, sdk }) => {
  const said = [];
  const log = (...parts) => said.push(parts.join(' '));
  api.diag.setLogger({ error: log, warn: log, info() {}, debug() {}, verbose() {} });

  if (process.env.MODE === 'register') {
    const touchstone = otel.register({ serviceName: 'customer', strict: true });
    const reported = await work({ otel, api });
    const loss = await touchstone.flush().then(
      () => null,
      (error) => error.name,
    );
    const stats = touchstone.stats();
    await touchstone.shutdown();
    console.log(JSON.stringify({ isRegistered: touchstone.isRegistered, reported, stats, said, loss }));
    return;
  }
  // An app that has OpenTelemetry, samples nothing, and adds the processor.
  const processor = new otel.TouchstoneSpanProcessor({ strict: true });
  const Provider = sdk.BasicTracerProvider ?? sdk.TracerProvider;
  const provider = new Provider({
    sampler: otel.recordTests(new sdk.AlwaysOffSampler()),
    spanProcessors: [processor],
  });
  api.trace.setGlobalTracerProvider(provider);
  const late = otel.register();
  api.context.setGlobalContextManager(new (require('./context-manager.cjs').manager(api))());
  const reported = await work({ otel, api });
  await provider.forceFlush();
  const stats = processor.stats();
  await provider.shutdown();
  console.log(JSON.stringify({ isRegistered: late.isRegistered, reported, stats, said }));
};
