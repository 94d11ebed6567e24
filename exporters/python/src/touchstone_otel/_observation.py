"""Spans of observed functions."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, Literal

from opentelemetry.trace import Span, Status, StatusCode
from opentelemetry.util.types import AttributeValue

from ._captured_content import is_content_captured
from ._content_text import MAX_CHARACTERS, content_text
from ._log import log
from ._rough_size import rough_size_of

Kind = Literal["agent", "chain", "embedding", "evaluator", "guardrail", "llm", "reranker", "retriever", "tool"]
"""What an observed function is, as traces show it."""

_FIRST_TOKEN_EVENT = "First Token Stream Event"
_MAX_ITEMS = 10_000
_MAX_BYTES = 8 * 2**20
"""Size of the kept items that are no texts: they stay in memory until the stream ends."""
_MAX_TAGS = 1_000

_with_own_output: weakref.WeakSet[Span] = weakref.WeakSet()
"""Spans whose output the app has set by itself."""


def attributes_of(
    *,
    session: str | None = None,
    user: str | None = None,
    tags: Sequence[str] | None = None,
    metadata: Mapping[str, object] | None = None,
    model: str | None = None,
    input_tokens: int | None = None,
    output_tokens: int | None = None,
) -> dict[str, AttributeValue]:
    """Returns the attributes of what is given, by the conventions of OpenTelemetry and OpenInference."""
    given: dict[str, AttributeValue | None] = {
        "session.id": None if session is None else str(session),
        "user.id": None if user is None else str(user),
        "tag.tags": None if tags is None else [str(tag) for tag in islice(tags, _MAX_TAGS)],
        "metadata": None if metadata is None else content_text(metadata)[0],
        "llm.model_name": model,
        "llm.token_count.prompt": input_tokens,
        "llm.token_count.completion": output_tokens,
    }
    return {key: value for key, value in given.items() if value is not None}


def kind_attributes(kind: str, name: str) -> dict[str, AttributeValue]:
    """Returns the attributes of the kind, with the name where the conventions have a place for it."""
    own = {"tool": {"tool.name": name}, "agent": {"agent.name": name}}.get(kind, {})
    return {"openinference.span.kind": kind.upper(), **own}


def set_content(span: Span, side: Literal["input", "output"], value: object) -> None:
    """Writes the input or the output of a span."""
    if value is None or not is_content_captured():
        return
    text, mime_type = content_text(value)
    span.set_attributes({f"{side}.value": text, f"{side}.mime_type": mime_type})


def set_own_output(span: Span, output: object) -> None:
    """Writes an output that the result of the function does not replace."""
    _with_own_output.add(span)
    set_content(span, "output", output)


class Observation:
    """One call of an observed function, from its beginning to its result, its error or the last item of its stream."""

    def __init__(self, span: Span, output_of: Callable[[Any], object] | None) -> None:
        self.span = span
        self._output_of = output_of
        """Returns what is recorded of a result; None records none."""
        self._items: list[object] = []
        self._characters = self._bytes = 0
        self._left_out = 0
        self._is_over = False

    def item(self, item: object) -> None:
        """Notes an item of a stream."""
        if self._is_over:
            return
        if not self._items and not self._left_out:
            self.span.add_event(_FIRST_TOKEN_EVENT)
        is_text = type(item) is str
        size = rough_size_of(item)
        is_full = self._bytes + size > _MAX_BYTES if not is_text else self._characters >= MAX_CHARACTERS
        if self._output_of is None or len(self._items) >= _MAX_ITEMS or is_full:
            self._left_out += 1
            return
        self._items.append(item)
        if is_text:
            self._characters += size
        else:
            self._bytes += size

    def end_stream(self, last: object = None) -> None:
        """Ends the span of a stream; `last` is what a generator returns."""
        self.succeed(self._items if self._items or self._left_out else last)

    def succeed(self, result: object) -> None:
        self._end(result)

    def fail(self, error: BaseException) -> None:
        if self._is_over:
            return
        message = _message_of(error)
        try:
            self.span.record_exception(error)
        except Exception:
            # Its own methods raise.
            self.span.add_event("exception", {"exception.type": type(error).__name__, "exception.message": message})
        self.span.set_status(Status(StatusCode.ERROR, f"{type(error).__name__}: {message}"))
        self._end(self._items or None)

    def _end(self, result: object) -> None:
        if self._is_over:
            return
        self._is_over = True
        try:
            if self._output_of and self.span.is_recording() and self.span not in _with_own_output:
                own = self._output_of(result) if result is not None else None
                set_content(self.span, "output", self._joined() if own is self._items else own)
        except Exception as error:
            log.warning("touchstone: the option `output` of observe() raised: %r", error)
        self.span.end()

    def _joined(self) -> object:
        """Returns texts as one text, other items as a list. What was left out is reported at the end."""
        items = [*self._items, *([f"… [{self._left_out} items left out]"] if self._left_out else [])]
        return "".join(map(str, items)) if all(isinstance(item, str) for item in self._items) else items


def _message_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return "unknown error"
