"""Counts spans of tests, so that a test without any can be reported."""

from __future__ import annotations

import itertools

_spans = itertools.count()
_started = 0
_processors = 0


def note_processor() -> None:
    """Counts a processor that adds test ids to spans."""
    global _processors
    _processors += 1


def note_span() -> None:
    """Counts a span that was started in a test."""
    global _started
    # The count is atomic, an addition is not; a smaller number may be stored last, but never the one from before.
    _started = next(_spans) + 1


def started() -> int | None:
    """Returns the number of spans that were started in tests; None when no processor of this package counts them."""
    return _started if _processors else None
