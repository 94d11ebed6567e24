import { trace } from '@opentelemetry/api';

trace.getTracer('customer').startActiveSpan('answer', (root) => {
  trace.getTracer('customer').startSpan('step').end();
  root.end();
  console.log(root.spanContext().traceId);
});
