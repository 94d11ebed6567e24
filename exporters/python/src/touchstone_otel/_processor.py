from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Callable

from opentelemetry.context import Context
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor
from typing_extensions import Unpack, override

from ._exporter import MAX_REQUEST_BYTES, TouchstoneSpanExporter
from ._feedback import end_feedback, feedback_stats, set_feedback_destination
from ._filters import SpanFilter, all_spans
from ._log import log
from ._options import ExporterOptions, ProcessorOptions, reject_unknown
from ._process_end import flush_at_end_of_children, flush_on_sigterm
from ._settings import is_flushed_on_signals, queue_settings, unsent_note_settings
from ._span_queue import SpanQueue
from ._stats import SpanLossError, Stats
from ._test_context import TEST_ID_ATTRIBUTE, current_test_id, is_uuid, note_recorded
from ._test_spans import note_processor, note_span
from ._unsent_note import UnsentNote

_FLUSH_MILLIS = 30_000


class TestIdSpanProcessor(SpanProcessor):
    """Adds the id of the test to spans that start in the test; for apps that export by other means."""

    __test__ = False

    def __init__(self) -> None:
        note_processor()

    @override
    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        test_id = current_test_id(parent_context)
        if test_id is not None:
            span.set_attribute(TEST_ID_ATTRIBUTE, test_id)
            note_span()
            note_recorded(parent_context)


class TouchstoneSpanProcessor(TestIdSpanProcessor):
    """Adds test ids to spans, gathers ended spans and sends them to a Touchstone server.

    Add it to the tracer provider of an app that has OpenTelemetry already. It never raises into the app, except by
    `force_flush()` in strict mode, and never makes a span wait for the server.
    """

    def __init__(self, **options: Unpack[ProcessorOptions]) -> None:
        super().__init__()
        reject_unknown("TouchstoneSpanProcessor", options, ProcessorOptions)
        self._options = options
        set_feedback_destination(options)
        self._should_export = _guarded(options.get("should_export") or all_spans)
        self._is_strict = options.get("strict", False)
        self._is_retired = False
        self._note: UnsentNote | None = None
        self._set_up()
        threading.Thread(target=self._report_before, name="touchstone-start", daemon=True).start()
        if hasattr(os, "register_at_fork"):
            set_up = weakref.WeakMethod(self._set_up)
            os.register_at_fork(after_in_child=lambda: (method := set_up()) and method())
        flush_at_end_of_children(self)
        if is_flushed_on_signals(options):
            flush_on_sigterm(self)

    def _set_up(self) -> None:
        """Begins from zero. After a fork, the spans of the parent are sent by the parent."""
        names = ExporterOptions.__optional_keys__
        exporter_options = {name: value for name, value in self._options.items() if name in names}
        self._exporter = TouchstoneSpanExporter(**exporter_options)  # pyright: ignore[reportArgumentType]
        self.reporter = self._exporter.reporter
        self._queue = SpanQueue(self._exporter.export, queue_settings(self._options), MAX_REQUEST_BYTES)
        self._set_up_note()
        # Signal handlers and finalizers of the app may end spans in the middle of any code of this thread.
        self._lock = threading.RLock()
        self._ended = self._filtered = self._dropped = self._unsampled = self._reported = 0
        self._is_shut_down = False

    def _set_up_note(self) -> None:
        if self._note is not None:
            self._note.close()
        settings = unsent_note_settings(self._options, self._exporter.headers)
        if settings is None:
            return
        queue, spool = self._queue, self._exporter.spool
        note = UnsentNote(
            settings.folder, settings.application, lambda: queue.unsettled() - (spool.in_flight if spool else 0)
        )
        self._note, queue.changed = note, note.update
        if spool:
            spool.kept = queue.note_change
        self.reporter.after_total(note.close)

    def _report_before(self) -> None:
        before = self._note.take_before() if self._note else None
        if before is not None:
            remedy = "Call shutdown() before the end, or set flush_on_signals or spool_dir."
            self.reporter.last(f"{before.sentence()}. {remedy}")

    def retire(self) -> None:
        """Leaves all spans to another processor of this package. Those that wait are sent."""
        self._is_retired = True

    @override
    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        super().on_start(span, parent_context)
        test_id = current_test_id(parent_context)
        if test_id is not None and not is_uuid(test_id):
            self.reporter.notice(
                f"the test id {test_id[:64]!r} is no UUID, so its spans belong to no test. "
                "Pass the testId of the webhook to with_test()."
            )

    @override
    def on_end(self, span: ReadableSpan) -> None:
        if self._is_retired:
            return
        context = span.get_span_context()
        if context is None or not context.trace_flags.sampled:
            if TEST_ID_ATTRIBUTE in (span.attributes or {}):
                self._add(unsampled=1)
                self.reporter.loss(1, "a sampler left out a span of a test", "Wrap the sampler: record_tests().")
            return
        if not self._should_export(span):
            self._add(ended=1, filtered=1)
        else:
            dropped = self._queue.add(span)
            self._add(ended=1, dropped=dropped)
            if dropped and self._is_shut_down:
                self.reporter.loss(dropped, "it ended after the shutdown", "Call shutdown() after the last span.")
            elif dropped:
                remedy = "Raise max_queue_size or max_queue_bytes, or send fewer spans: should_export."
                self.reporter.loss(dropped, "the queue is full", remedy)

    @override
    def force_flush(self, timeout_millis: int = _FLUSH_MILLIS) -> bool:
        """Returns True when every span that ended before is stored or lost, False when time is up.

        In strict mode, raises a `SpanLossError` when spans were lost since the last flush.
        """
        is_complete = self._flush(timeout_millis)
        self._raise_new_loss()
        return is_complete

    @override
    def shutdown(self) -> None:
        """Flushes for the last time. Spans that end later are dropped and counted."""
        if self._is_shut_down:
            return
        self._is_shut_down = True
        is_complete = self._flush(_FLUSH_MILLIS)
        end_feedback()
        left = self._queue.close()
        self._exporter.shutdown()
        if self._note is not None:
            self._note.close()
        if left:
            self._add(dropped=left)
            if is_complete:
                self.reporter.loss(left, "they ended during the shutdown", "Call shutdown() after the last span.")
            else:
                self.reporter.loss(left, f"they were not sent within {_FLUSH_MILLIS} ms", "Check the server.")
        self._raise_new_loss()

    def flush_at_end(self) -> None:
        """Sends the last spans of a process that ends, and reports those that could not be sent."""
        if self._is_shut_down:
            return
        is_complete = self._flush(_FLUSH_MILLIS)
        if self._note is not None:
            self._note.close()
        if not is_complete:
            self.reporter.loss(sum(self._queue.counts()), "the process ended before they were sent", "Check the server.")

    def _flush(self, timeout_millis: int) -> bool:
        start = time.monotonic()
        is_complete = self._queue.flush(timeout_millis)
        self._exporter.drain_spool(start, start + timeout_millis / 1_000)
        return is_complete

    def stats(self) -> Stats:
        """Returns the numbers of spans so far, by outcome."""
        exporter = self._exporter.stats()
        waiting, in_flight = self._queue.counts()
        with self._lock:
            return Stats(
                ended=self._ended,
                exported=exporter.exported,
                rejected=exporter.rejected,
                failed=exporter.failed,
                dropped=self._dropped,
                filtered=self._filtered,
                waiting=waiting,
                in_flight=in_flight,
                unsampled_test_spans=self._unsampled,
                feedback=feedback_stats(),
                spool=exporter.spool,
            )

    def _add(self, *, ended: int = 0, filtered: int = 0, dropped: int = 0, unsampled: int = 0) -> None:
        with self._lock:
            self._ended += ended
            self._filtered += filtered
            self._dropped += dropped
            self._unsampled += unsampled

    def _raise_new_loss(self) -> None:
        stats = self.stats()
        with self._lock:
            is_new, self._reported = stats.lost > self._reported, stats.lost
        if self._is_strict and is_new:
            raise SpanLossError(stats)


def _guarded(should_export: SpanFilter) -> Callable[[ReadableSpan], bool]:
    """Makes a filter that fails reject nothing."""

    def guarded(span: ReadableSpan) -> bool:
        try:
            return should_export(span)
        except Exception:
            log.warning("touchstone: should_export raised; the span is sent")
            return True

    return guarded
