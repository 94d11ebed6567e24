import {
  type Context,
  context,
  diag,
  propagation,
  type TextMapGetter,
  type TextMapPropagator,
  trace,
} from '@opentelemetry/api';
import { loadSdk, w3cPropagator } from './sdk.ts';

const FROM_HEADERS: TextMapGetter<Headers> = {
  get: (headers, name) => headers.get(name) ?? undefined,
  keys: (headers) => [...headers.keys()],
};

/** The active context with the trace context and the baggage of a delivery in it. */
export function contextOf(headers: Headers): Context {
  const active = context.active();
  const delivered = propagator()?.extract(active, headers, FROM_HEADERS) ?? active;
  const serverSpan = trace.getSpan(active);
  // An instrumented HTTP server has continued the delivery's trace already; its span comes in between.
  return serverSpan?.isRecording() &&
    serverSpan.spanContext().traceId === trace.getSpanContext(delivered)?.traceId
    ? trace.setSpan(delivered, serverSpan)
    : delivered;
}

let own: TextMapPropagator | undefined;

/** The app's propagator; one of ours when the app's does not know W3C trace context, which deliveries carry. */
function propagator(): Pick<TextMapPropagator, 'extract'> | undefined {
  if (propagation.fields().includes('traceparent')) return propagation;
  try {
    own ??= w3cPropagator(loadSdk());
  } catch {
    diag.warn('touchstone: no W3C propagator is set, so the run is linked to its test by the test id alone');
  }
  return own;
}
