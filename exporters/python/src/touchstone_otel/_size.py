from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from opentelemetry.sdk.trace import ReadableSpan

_SPAN_BYTES = 200
_VALUE_BYTES = 20
_SHORT_TEXT = 64
_MAX_DEPTH = 64


def size_of(span: ReadableSpan) -> int:
    """Returns about how many bytes a span takes in an OTLP request: at least those of its texts. Never raises."""
    try:
        return _bytes_of(span)
    except Exception:
        # A span with such a value is found when it is encoded.
        return _SPAN_BYTES


def parts_of(spans: Sequence[ReadableSpan], max_bytes: int) -> list[list[ReadableSpan]]:
    """Divides spans into parts of at most `max_bytes`; a larger span is a part of its own."""
    parts: list[list[ReadableSpan]] = []
    size = 0
    for span in spans:
        own = size_of(span)
        if not parts or size + own > max_bytes:
            parts.append([])
            size = 0
        parts[-1].append(span)
        size += own
    return parts


def _bytes_of(span: ReadableSpan) -> int:
    size = _SPAN_BYTES + _text_bytes(span.name) + _attribute_bytes(span.attributes)
    size += _text_bytes(span.status.description or "")
    for event in span.events:
        size += _VALUE_BYTES + _text_bytes(event.name) + _attribute_bytes(event.attributes)
    for link in span.links:
        size += 3 * _VALUE_BYTES + _attribute_bytes(link.attributes)
    return size


def _attribute_bytes(attributes: Mapping[str, object] | None) -> int:
    return sum(len(key) + _value_bytes(value, 0) for key, value in (attributes or {}).items())


def _value_bytes(value: object, depth: int) -> int:
    if isinstance(value, str):
        return _VALUE_BYTES + _text_bytes(value)
    if isinstance(value, bytes):
        return _VALUE_BYTES + len(value)
    if depth == _MAX_DEPTH:
        return _VALUE_BYTES
    if isinstance(value, Mapping):
        members = cast("Mapping[str, object]", value)
        return _VALUE_BYTES + sum(len(key) + _value_bytes(item, depth + 1) for key, item in members.items())
    if isinstance(value, Sequence):
        return _VALUE_BYTES + sum(_value_bytes(item, depth + 1) for item in cast("Sequence[object]", value))
    return _VALUE_BYTES


def _text_bytes(text: str) -> int:
    """Counts longer texts by their bytes in UTF-8, shorter ones by their characters, which is faster."""
    if len(text) <= _SHORT_TEXT or text.isascii():
        return len(text)
    return len(text.encode("utf-8", "replace"))
