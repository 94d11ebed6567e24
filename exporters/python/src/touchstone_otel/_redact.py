from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import cast

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from ._log import log

Redact = Callable[[str, str], str]
"""Returns the text to send in place of the first argument. The second one is the key of its attribute, or `name` or
`status.message`. If it raises or returns no text, `[redacted]` is sent."""

_REDACTED = "[redacted]"
_MAX_DEPTH = 64


def redact_request(request: ExportTraceServiceRequest, redact: Redact) -> None:
    """Replaces every text of the spans in a request: attributes, events, links, names and status messages."""
    text = _guarded(redact)
    for resource_spans in request.resource_spans:
        for scope_spans in resource_spans.scope_spans:
            for span in scope_spans.spans:
                _redact_span(span, text)


def _redact_span(span: Span, text: Redact) -> None:
    span.name = text(span.name, "name")
    if span.status.message:
        span.status.message = text(span.status.message, "status.message")
    _redact_attributes(span.attributes, text)
    for event in span.events:
        event.name = text(event.name, "name")
        _redact_attributes(event.attributes, text)
    for link in span.links:
        _redact_attributes(link.attributes, text)


def _redact_attributes(attributes: Iterable[KeyValue], text: Redact) -> None:
    for attribute in attributes:
        _redact_value(attribute.value, attribute.key, text, 0)


def _redact_value(value: AnyValue, key: str, text: Redact, depth: int) -> None:
    kind = value.WhichOneof("value")
    if kind == "string_value":
        value.string_value = text(value.string_value, key)
    elif kind in ("array_value", "kvlist_value") and depth == _MAX_DEPTH:
        value.string_value = _REDACTED
    elif kind == "array_value":
        for item in value.array_value.values:
            _redact_value(item, key, text, depth + 1)
    elif kind == "kvlist_value":
        for member in value.kvlist_value.values:
            _redact_value(member.value, f"{key}.{member.key}", text, depth + 1)


def _guarded(redact: Redact) -> Redact:
    def guarded(text: str, key: str) -> str:
        try:
            redacted = cast("object", redact(text, key))
        except Exception:
            log.warning("touchstone: the redact hook raised at %s; the text was left out", key)
            return _REDACTED
        return redacted if isinstance(redacted, str) else _REDACTED

    return guarded
