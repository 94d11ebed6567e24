"""Judgements of users, which the server keeps as human annotations."""

from __future__ import annotations

import atexit
import json
import os
import queue
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from opentelemetry import trace
from opentelemetry.context import (
    _SUPPRESS_INSTRUMENTATION_KEY,  # pyright: ignore[reportPrivateUsage]
    attach,
    set_value,
)

from ._content_text import TEXT, content_text
from ._delivery import DeliveryError, HttpSender
from ._log import Reporter
from ._options import ExporterOptions
from ._settings import exporter_settings

_PATH = "/v0/human-annotations"
_TRACES_PATHS = ("/v0/otel/v1/traces", "/v0/otel/traces", "/v1/traces")
_MAX_WAITING = 100
_TIMEOUT_MILLIS = 10_000
_WAITS_SECONDS = (1, 2, 4, 8, 16, 32)
"""Waits before the retries: a trace may be in progress when its judgement arrives."""
_END_SECONDS = 10
_MAX_COMMENT = 1_900
_NEGATIVE = "Negative feedback of a user."
"""Beginning of the reason of a negative judgement, for which the server requires 20 characters."""


@dataclass(frozen=True)
class FeedbackStats:
    """Numbers of judgements of this process, by outcome."""

    sent: int
    """Judgements that the server has stored."""
    failed: int
    """Judgements that were rejected, never acknowledged, or had no trace."""
    waiting: int
    """Judgements that are being sent."""


def feedback(
    is_good: bool,
    *,
    comment: str | None = None,
    corrected_output: object = None,
    user: str | None = None,
    trace_id: str | None = None,
) -> None:
    """Stores the judgement of a user, such as a thumb, as a human annotation of the trace. Never raises, and returns at once.

    The trace is the current one, or the one whose id `current_trace_id()` returned. Naming a `user` requires a key with the scope `write`.
    """
    if trace_id is None:
        context = trace.get_current_span().get_span_context()
        trace_id = trace.format_trace_id(context.trace_id) if context.is_valid else None
    if trace_id is None:
        remedy = "Pass current_trace_id() of the answer."
        _sender.lose("feedback() was called outside of a span and without a trace_id", remedy)
        return
    text = (comment or "").strip()[:_MAX_COMMENT]
    fields: dict[str, object] = {
        "traceId": trace_id.replace("-", ""),
        "verdict": bool(is_good),
        "source": "TRACE_PAGE",
        "critique": (text if is_good else f"{_NEGATIVE} {text}".strip()) or None,
    }
    if user is not None:
        fields["annotatorId"] = user
    body = json.dumps(fields)
    if corrected_output is not None:
        output, kind = content_text(corrected_output)
        body = f'{body[:-1]}, "correctedOutput": {json.dumps(output) if kind == TEXT else output}}}'
    _sender.add(body.encode("utf-8", "replace"))


def set_feedback_destination(options: Mapping[str, object]) -> None:
    """Sets the server to which judgements are sent: that of the latest processor."""
    names = ExporterOptions.__optional_keys__
    _sender.options = {name: value for name, value in options.items() if name in names}


def feedback_stats() -> FeedbackStats:
    """Returns the numbers of this process so far."""
    return _sender.stats()


def end_feedback() -> None:
    """Tries once more what waits, and waits until all of it is stored or lost."""
    _sender.end()


class _FeedbackSender:
    def __init__(self) -> None:
        self.options: dict[str, object] = {}
        self.begin_again()

    def begin_again(self) -> None:
        """After a fork, the parent sends what waits."""
        self._bodies: queue.Queue[bytes] = queue.Queue(_MAX_WAITING)
        self._lock = threading.RLock()
        self._ending = threading.Event()
        self._idle = threading.Condition(self._lock)
        self._thread: threading.Thread | None = None
        self._sent = self._failed = self._waiting = 0

    def add(self, body: bytes) -> None:
        with self._lock:
            is_full = self._waiting >= _MAX_WAITING
            if not is_full:
                self._waiting += 1
                self._bodies.put_nowait(body)
                if self._thread is None:
                    self._thread = threading.Thread(target=self._work, name="touchstone feedback", daemon=True)
                    self._thread.start()
        if is_full:
            self.lose(f"{_MAX_WAITING} judgements wait for the server", "Check the server, or send less at once.")

    def lose(self, reason: str, remedy: str) -> None:
        with self._lock:
            self._failed += 1
        Reporter(report_loss=self.options.get("report_loss") is not False, debug=False).notice(
            f"feedback was lost: {reason}. {remedy}"
        )

    def stats(self) -> FeedbackStats:
        with self._lock:
            return FeedbackStats(self._sent, self._failed, self._waiting)

    def end(self) -> None:
        """Tries once more what waits, and waits until all of it is stored or lost."""
        self._ending.set()
        with self._idle:
            self._idle.wait_for(lambda: self._waiting == 0, _END_SECONDS)
            self._ending.clear()

    def _work(self) -> None:
        attach(set_value(_SUPPRESS_INSTRUMENTATION_KEY, True))
        while True:
            body = self._bodies.get()
            try:
                self._send(body)
                is_sent = True
            except DeliveryError as error:
                is_sent = False
                self.lose(error.reason, "Check TOUCHSTONE_URL, and that the key has the scope annotate.")
            except Exception as error:
                is_sent = False
                self.lose(f"it could not be sent ({error})", "Report this as a bug of touchstone-otel.")
            with self._idle:
                self._waiting -= 1
                self._sent += is_sent
                self._idle.notify_all()

    def _send(self, body: bytes) -> None:
        settings = exporter_settings(self.options)  # pyright: ignore[reportArgumentType]
        if settings.url is None:
            raise DeliveryError("the configured url is no http address", "")
        sender = HttpSender(_address_of(settings.url), settings.headers, _TIMEOUT_MILLIS)
        for wait in (*_WAITS_SECONDS, None):
            try:
                sender.post(body, {"content-type": "application/json"}, lambda _: None)
                return
            except DeliveryError as error:
                is_over = wait is None or self._ending.is_set()
                if is_over or not (error.is_silence or error.status in (404, 429, 502, 503, 504)):
                    raise
                self._ending.wait(wait)


def _address_of(traces_url: str) -> str:
    parts = urlsplit(traces_url)
    path = parts.path
    for suffix in _TRACES_PATHS:
        if path.endswith(suffix):
            path = path[: -len(suffix)]
            break
    return urlunsplit((parts.scheme, parts.netloc, path + _PATH, "", ""))


_sender = _FeedbackSender()
atexit.register(_sender.end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_sender.begin_again)
