const { trace } = require('@opentelemetry/api');
const { register } = require('touchstone-otel');

trace.getTracer('customer').startActiveSpan('answer', (root) => {
  trace.getTracer('customer').startSpan('step').end();
  root.end();
  // What `touchstone-otel/auto` registered, also where this is another copy of the package.
  const touchstone = register();
  const report = () =>
    console.log(JSON.stringify({ traceId: root.spanContext().traceId, ...touchstone.stats() }));
  void touchstone.flush().then(report);
});
