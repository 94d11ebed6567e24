from __future__ import annotations

import atexit
import logging
import sys
import threading
import time
import weakref
from collections.abc import Callable

log = logging.getLogger("touchstone_otel")
# Without a handler, Python writes warnings of every batch to standard error; `Reporter` writes at most one a minute.
log.addHandler(logging.NullHandler())

_INTERVAL_SECONDS = 60.0


class Reporter:
    """Writes losses of one sender to standard error: the first of each kind at once, then at most one line a minute."""

    def __init__(self, *, report_loss: bool, debug: bool) -> None:
        self._reports_loss = report_loss
        self._is_debug = debug
        self._lock = threading.RLock()
        self._lost_spans = 0
        self._unreported_spans = 0
        self._last: dict[str, float] = {}
        self._at_end: Callable[[], None] | None = None
        self._after_total: Callable[[], None] | None = None
        _reporters.add(self)

    def loss(self, spans: int, reason: str, remedy: str) -> None:
        """Reports spans that were lost, why, and what to do about it."""
        log.warning("touchstone: %s: %s. %s", were_lost(spans), reason, remedy)
        with self._lock:
            self._lost_spans += spans
            self._unreported_spans += spans
            if not self._is_due("loss"):
                return
            count, self._unreported_spans = self._unreported_spans, 0
        write(f"{were_lost(count)}: {reason}. {remedy}")

    def notice(self, text: str) -> None:
        """Reports that spans are not sent or belong to no test although the app wants it."""
        with self._lock:
            if not self._is_due("notice"):
                return
        log.warning("touchstone: %s", text)
        write(text)

    def step(self, text: str) -> None:
        """Writes one step if the debug option is on."""
        log.debug("touchstone: %s", text)
        if self._is_debug:
            write(text)

    def last(self, text: str) -> None:
        """Writes a line that is written once only."""
        log.warning("touchstone: %s", text)
        if self._reports_loss:
            write(text)

    def at_end(self, report: Callable[[], None]) -> None:
        """Calls a function at the end of the process, before the total is written."""
        self._at_end = report

    def after_total(self, close: Callable[[], None]) -> None:
        """Calls a function at the end of the process, after the total is written."""
        self._after_total = close

    def write_total(self) -> None:
        """Writes the last line: without it, the losses since the latest one would be in no line."""
        if self._at_end is not None:
            self._at_end()
        with self._lock:
            count, self._unreported_spans = self._unreported_spans, 0
        if count and self._reports_loss:
            write(f"{were_lost(self._lost_spans)} since the start of the process.")
        if self._after_total is not None:
            self._after_total()

    def _is_due(self, kind: str) -> bool:
        now = time.monotonic()
        last = self._last.get(kind)
        if not self._reports_loss or (last is not None and now - last < _INTERVAL_SECONDS):
            return False
        self._last[kind] = now
        return True


_reporters: weakref.WeakSet[Reporter] = weakref.WeakSet()


@atexit.register
def _write_totals() -> None:
    # Registered before any tracer provider registers its last flush, so it is called after all of them.
    for reporter in list(_reporters):
        reporter.write_total()


def were_lost(spans: int) -> str:
    return "1 span was lost" if spans == 1 else f"{spans} spans were lost"


def write(text: str) -> None:
    """Writes a line to standard error, which may be closed or missing."""
    try:
        print(f"touchstone: {' '.join(text.split())}", file=sys.stderr, flush=True)
    except (AttributeError, OSError, ValueError):
        pass
