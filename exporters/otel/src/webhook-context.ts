import {
  type Context,
  context,
  propagation,
  type TextMapGetter,
  type TextMapPropagator,
  trace,
} from '@opentelemetry/api';
import { w3cPropagator } from './sdk.ts';

const FROM_HEADERS: TextMapGetter<Headers> = {
  get: (headers, name) => headers.get(name) ?? undefined,
  keys: (headers) => [...headers.keys()],
};

/** The active context with the trace context and the baggage of a delivery in it. */
export function contextOf(headers: Headers): Context {
  const active = context.active();
  const delivered = propagator().extract(active, headers, FROM_HEADERS);
  const serverSpan = trace.getSpan(active);
  // An instrumented HTTP server has continued the delivery's trace already; its span comes in between.
  return serverSpan?.isRecording() &&
    serverSpan.spanContext().traceId === trace.getSpanContext(delivered)?.traceId
    ? trace.setSpan(delivered, serverSpan)
    : delivered;
}

/** The app's propagator; one of ours when the app's does not know W3C trace context, which deliveries carry. */
const propagator = (): Pick<TextMapPropagator, 'extract'> =>
  propagation.fields().includes('traceparent') ? propagation : w3cPropagator();
