from __future__ import annotations

from collections.abc import Mapping

from opentelemetry import propagate, trace
from opentelemetry.baggage.propagation import W3CBaggagePropagator
from opentelemetry.context import Context, get_current
from opentelemetry.propagators.composite import CompositePropagator
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

_W3C = CompositePropagator([TraceContextTextMapPropagator(), W3CBaggagePropagator()])


def context_of(headers: Mapping[str, str]) -> Context:
    """Returns the active context with the trace context and the baggage of a delivery in it."""
    active = get_current()
    own = propagate.get_global_textmap()
    # An app may propagate in other formats; deliveries carry W3C trace context.
    propagator = own if "traceparent" in own.fields else _W3C
    delivered = propagator.extract(dict(headers), active)
    server_span = trace.get_current_span(active)
    trace_id = trace.get_current_span(delivered).get_span_context().trace_id
    # An instrumented HTTP server has already continued the trace of the delivery: its span is the parent.
    if server_span.is_recording() and server_span.get_span_context().trace_id == trace_id:
        return trace.set_span_in_context(server_span, delivered)
    return delivered
