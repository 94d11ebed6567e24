from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from opentelemetry.sdk.trace import Event, ReadableSpan
from opentelemetry.trace import Link, Status

from ._content_text import well_formed_text

_MAX_DEPTH = 64


def well_formed(span: ReadableSpan) -> ReadableSpan:
    """Returns the span itself, or a copy in which halves of characters, which cannot be encoded, are replaced."""
    try:
        return span if _is_well_formed(span) else _copy_of(span)
    except Exception:
        # The spans of some vendors lack members of the SDK's. What cannot be encoded is found then.
        return span


def _is_well_formed(span: ReadableSpan) -> bool:
    return (
        _is_clean(span.name, 0)
        and _is_clean(span.status.description, 0)
        and _is_clean(span.attributes, 0)
        and all(_is_clean(one.name, 0) and _is_clean(one.attributes, 0) for one in span.events)
        and all(_is_clean(one.attributes, 0) for one in span.links)
    )


def _is_clean(value: Any, depth: int) -> bool:
    """Reports whether all texts of a value can be encoded. This runs for every span, so it makes no lists."""
    if isinstance(value, str):
        return value.isascii() or well_formed_text(value) is value
    if value is None or depth == _MAX_DEPTH or isinstance(value, (bytes, bool, int, float)):
        return True
    if isinstance(value, Mapping):
        mapping = cast("Mapping[str, object]", value)
        return all(_is_clean(key, 0) and _is_clean(one, depth + 1) for key, one in mapping.items())
    if isinstance(value, Sequence):
        return all(_is_clean(one, depth + 1) for one in cast("Sequence[object]", value))
    return True


def _copy_of(span: ReadableSpan) -> ReadableSpan:
    description = span.status.description
    return ReadableSpan(
        name=well_formed_text(span.name),
        context=span.get_span_context(),
        parent=span.parent,
        resource=span.resource,
        attributes=_value(span.attributes or {}, 0),
        events=[Event(well_formed_text(one.name), _value(one.attributes or {}, 0), one.timestamp) for one in span.events],
        links=[Link(one.context, _value(one.attributes or {}, 0)) for one in span.links],
        kind=span.kind,
        status=Status(span.status.status_code, description and well_formed_text(description)),
        start_time=span.start_time,
        end_time=span.end_time,
        instrumentation_scope=span.instrumentation_scope,
    )


def _value(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return well_formed_text(value)
    if depth == _MAX_DEPTH or isinstance(value, bytes):
        return value
    if isinstance(value, Mapping):
        mapping = cast("Mapping[str, object]", value)
        return {well_formed_text(key): _value(one, depth + 1) for key, one in mapping.items()}
    if isinstance(value, Sequence):
        return [_value(one, depth + 1) for one in cast("Sequence[object]", value)]
    return value
