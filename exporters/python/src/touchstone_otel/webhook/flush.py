from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

from opentelemetry import trace

from .._log import Reporter, log
from .._stats import SpanLossError


class _Flush(Protocol):
    def flush(self, timeout_millis: int = ...) -> bool: ...


class _ForceFlush(Protocol):
    def force_flush(self, timeout_millis: int = ...) -> bool: ...


Flushable = _Flush | _ForceFlush
"""The result of `register()`, a `TouchstoneSpanProcessor`, or a tracer provider."""


class SpanFlush:
    """Sends the spans of tests before their requests are answered."""

    def __init__(self, touchstone: Flushable | None, timeout_ms: int, reporter: Reporter) -> None:
        self._flush = _flush_of(touchstone, reporter)
        self._timeout_ms = timeout_ms
        self._reporter = reporter
        self._lock = threading.Lock()
        self._losses = 0
        self._latest: Exception | None = None

    def start(self) -> Callable[[], None]:
        """Returns a function that sends ended spans and raises when spans were lost since this call, in strict mode only.

        A loss is reported to one flush, but may be of any test that runs at that time.
        """
        before = self._losses

        def finish() -> None:
            try:
                if not self._flush(self._timeout_ms):
                    self._reporter.notice(
                        f"spans were not sent within {self._timeout_ms} ms; the test is answered before. "
                        "Check the server, or raise flush_timeout_ms."
                    )
            except Exception as error:
                with self._lock:
                    self._losses += 1
                    self._latest = error
            if self._latest is not None and self._losses > before:
                raise self._latest

        return finish


def _flush_of(touchstone: Flushable | None, reporter: Reporter) -> Callable[[int], bool]:
    if touchstone is None:
        return lambda timeout_ms: _flush_global(timeout_ms, reporter)
    flush = getattr(touchstone, "flush", None) or getattr(touchstone, "force_flush", None)
    if flush is None:
        raise TypeError("`touchstone` must be what register() returned, a span processor, or a tracer provider")
    return flush


def _flush_global(timeout_ms: int, reporter: Reporter) -> bool:
    """Flushes the global tracer provider. It may have processors of others too: only spans lost by this package count."""
    flush = getattr(trace.get_tracer_provider(), "force_flush", None)
    if flush is None:
        reporter.notice("no tracer provider is set, so there are no spans of the test; call register().")
        return True
    try:
        return flush(timeout_ms) is not False
    except SpanLossError:
        raise
    except Exception:
        log.warning("touchstone: a span processor failed to flush")
        return True
