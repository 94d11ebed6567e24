from __future__ import annotations

from opentelemetry import trace
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

from ._log import Reporter, log

_EVENT = "gen_ai.evaluation.result"
_NO_SPAN_ID = 1

_reporter = Reporter(report_loss=True, debug=False)


def score(
    name: str,
    value: float | bool | str,
    *,
    label: str | None = None,
    explanation: str | None = None,
    trace_id: str | None = None,
    span_id: str | None = None,
) -> None:
    """Gives the current span a score that your code has computed: a number, a text, or True and False as 1 and 0.

    With `trace_id` and `span_id`, as `current_trace_id()` and `current_span_id()` returned them, gives it to that span by a span of
    its own below. Without `span_id`, the tree of the trace shows a missing parent. Never raises.
    """
    try:
        attributes = _attributes_of(name, value, label, explanation)
        current = trace.get_current_span()
        if trace_id is None and current.is_recording():
            current.add_event(_EVENT, attributes)
            return
        parent = None if trace_id is None else _parent_of(trace_id, span_id)
        if parent is None:
            text = "score() was called outside of a span and without a valid trace_id"
            _reporter.notice(f'{text}, so the score "{name}" is lost.')
            return
        context = set_span_in_context(NonRecordingSpan(parent))
        kind = {"openinference.span.kind": "EVALUATOR"}
        span = trace.get_tracer("touchstone_otel").start_span(f"score {name}", context, attributes=kind)
        span.add_event(_EVENT, attributes)
        span.end()
    except Exception as error:
        log.warning("touchstone: score() failed: %r", error)


def _attributes_of(
    name: str, value: float | bool | str, label: str | None, explanation: str | None
) -> dict[str, str | float]:
    attributes: dict[str, str | float] = {"gen_ai.evaluation.name": name}
    if isinstance(value, str):
        label = value if label is None else label
    else:
        attributes["gen_ai.evaluation.score.value"] = float(value)
        label = str(value).lower() if label is None and isinstance(value, bool) else label
    if label is not None:
        attributes["gen_ai.evaluation.score.label"] = label
    if explanation is not None:
        attributes["gen_ai.evaluation.explanation"] = explanation
    return attributes


def _parent_of(trace_id: str, span_id: str | None) -> SpanContext | None:
    try:
        ids = int(trace_id.replace("-", ""), 16), _NO_SPAN_ID if span_id is None else int(span_id, 16)
    except ValueError:
        return None
    context = SpanContext(*ids, is_remote=True, trace_flags=TraceFlags(TraceFlags.SAMPLED))
    return context if context.is_valid else None
