from __future__ import annotations

import gzip
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from google.protobuf.message import DecodeError
from opentelemetry.context import (
    _SUPPRESS_INSTRUMENTATION_KEY,  # pyright: ignore[reportPrivateUsage]
    attach,
    detach,
    set_value,
)
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from typing_extensions import Unpack, override

from ._captured_content import hide_content, is_content_captured
from ._delivery import DeliveryError, HttpSender, origin_of
from ._log import Reporter
from ._options import ExporterOptions, reject_unknown
from ._redact import redact_request
from ._settings import APPLICATION_ID, ExporterSettings, exporter_settings, is_debug, spool_settings
from ._shorten import shorten_request
from ._size import parts_of
from ._spool import Sent, Spool, SpoolStats
from ._spool_folder import Batch, SpoolFile, SpoolFolder
from ._well_formed import well_formed

_GZIP_LEVEL = 6
MAX_REQUEST_BYTES = 4 * 2**20
"""Size of a request before compression, about. A larger span is sent alone."""

_SHORTENED_BYTES = (2**20, 2**17)
"""Sizes to which a span is shortened that the server finds too large, one after the other."""

_MAX_DIVISIONS = 32
"""Requests that are made of one in which the server accepts nothing because of some of its spans."""


@dataclass
class _Divisions:
    left: int = _MAX_DIVISIONS


@dataclass(frozen=True)
class ExporterStats:
    """Numbers of spans passed to an exporter, by outcome: their sum is the number of all spans."""

    exported: int
    rejected: int
    failed: int
    spool: SpoolStats = field(default_factory=SpoolStats)
    """Numbers of the spool. Their `waiting` belongs to the sum."""


class TouchstoneSpanExporter(SpanExporter):
    """Sends spans to a Touchstone server by OTLP/HTTP with protobuf and gzip.

    It blocks its caller for at most the time limit of a batch: use it behind a span processor that exports in a thread.
    It never raises; lost spans are counted and reported.
    """

    def __init__(self, **options: Unpack[ExporterOptions]) -> None:
        reject_unknown("TouchstoneSpanExporter", options, ExporterOptions)
        settings = exporter_settings(options)
        self.reporter = Reporter(report_loss=options.get("report_loss", True), debug=is_debug(options))
        self._redact = options.get("redact")
        self._is_content_hidden = not is_content_captured(options.get("capture_content"))
        self._gzip = settings.gzip
        self._sender = _sender_of(settings, self.reporter)
        self._lock = threading.RLock()
        self._stats = ExporterStats(0, 0, 0)
        self._is_shut_down = False
        self.headers = settings.headers
        self.spool = self._open_spool(options, settings)

    @override
    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        token = attach(set_value(_SUPPRESS_INSTRUMENTATION_KEY, True))
        try:
            return self._export(spans)
        finally:
            detach(token)

    @override
    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        self.drain_spool(float("inf"), time.monotonic() + timeout_millis / 1_000)
        return True

    def drain_spool(self, since: float, until: float) -> None:
        """Sends what waits in the spool, until time is up. Does nothing if a request has failed since a time."""
        if self.spool:
            self.spool.drain(since=since, until=until)

    @override
    def shutdown(self) -> None:
        """Ends retries. Spans passed later are lost, and counted."""
        self._is_shut_down = True
        if self._sender:
            self._sender.close()
        if self.spool:
            self.spool.close()

    def stats(self) -> ExporterStats:
        return replace(self._stats, spool=self.spool.stats()) if self.spool else self._stats

    def _open_spool(self, options: ExporterOptions, settings: ExporterSettings) -> Spool | None:
        found = spool_settings(options, settings.headers)
        if found is None:
            return None
        folder = SpoolFolder(found.folder, found.application, found.max_bytes, self.reporter.last)
        return Spool(folder, self.reporter, self._post, self._count_spooled)

    def _export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        is_complete = True
        parts = parts_of(spans, MAX_REQUEST_BYTES)
        for at, part in enumerate(parts):
            try:
                is_complete &= self._send(part, _Divisions())
            except DeliveryError as error:
                # The other parts would only wait as long for no response.
                lost = sum(map(len, parts[at:])) if error.is_silence else len(part)
                self._lose(lost, error.reason, error.remedy)
                is_complete = False
                if error.is_silence:
                    break
            except Exception as error:
                # An exporter that raises would stop the thread that sends.
                self._lose(len(part), f"they could not be sent ({error})", "Report this as a bug of touchstone-otel.")
                is_complete = False
        return SpanExportResult.SUCCESS if is_complete else SpanExportResult.FAILURE

    def _send(self, spans: Sequence[ReadableSpan], divisions: _Divisions) -> bool:
        """Sends spans in one request, or in halves where the server finds it too large or a span in it invalid.

        Returns False when some of them were lost. Raises a `DeliveryError` when all of them were, without counting them.
        """
        try:
            request = self._encode(spans)
        except Exception as error:
            if len(spans) > 1:
                return self._send_halves(spans, divisions)
            self._lose(1, f"it cannot be encoded ({error})", "Check the name, the kind and the times of the span.")
            return False
        try:
            return self._deliver(request, len(spans))
        except DeliveryError as error:
            if not error.may_accept_parts:
                raise
            try:
                if len(spans) > 1 and (error.is_too_large or divisions.left > 0):
                    divisions.left -= 0 if error.is_too_large else 2
                    return self._send_halves(spans, divisions)
                if error.is_too_large:
                    return self._send_shortened(request, spans[0].name, error)
                raise
            finally:
                error.settle()

    def _send_halves(self, spans: Sequence[ReadableSpan], divisions: _Divisions) -> bool:
        middle = (len(spans) + 1) // 2
        try:
            is_complete = self._send(spans[:middle], divisions)
        except DeliveryError as error:
            if error.is_silence:
                # The other half would only wait as long for no response.
                raise
            self._lose(middle, error.reason, error.remedy)
            is_complete = False
        try:
            return self._send(spans[middle:], divisions) and is_complete
        except DeliveryError as error:
            self._lose(len(spans) - middle, error.reason, error.remedy)
            return False

    def _send_shortened(self, request: ExportTraceServiceRequest, name: str, too_large: DeliveryError) -> bool:
        for max_bytes in _SHORTENED_BYTES:
            shortened = shorten_request(request, max_bytes)
            if shortened is None:
                break
            try:
                is_complete = self._deliver(shortened, 1)
            except DeliveryError as error:
                if not error.is_too_large:
                    raise
                error.settle()
                continue
            self.reporter.notice(
                f'the server found the span "{name[:64]}" too large; its longest texts were truncated. '
                "Shorten its texts, or raise TOUCHSTONE_MAX_BODY_BYTES of the server."
            )
            return is_complete
        raise too_large

    def _encode(self, spans: Sequence[ReadableSpan]) -> ExportTraceServiceRequest:
        request: ExportTraceServiceRequest = encode_spans([well_formed(span) for span in spans])
        if self._is_content_hidden:
            hide_content(request)
        if self._redact:
            redact_request(request, self._redact)
        return request

    def _deliver(self, request: ExportTraceServiceRequest, spans: int) -> bool:
        """Sends a request. Returns False when the server rejected some of its spans."""
        if self._is_shut_down:
            raise DeliveryError("the exporter is shut down", "Call shutdown() after the last span.")
        body = request.SerializeToString()
        headers = {"content-type": "application/x-protobuf"}
        if self._gzip:
            body, headers["content-encoding"] = gzip.compress(body, _GZIP_LEVEL), "gzip"
        batch = Batch(body, headers, spans)
        sent = self.spool.post(batch) if self.spool else self._post(batch)
        if sent is None:
            self.reporter.step(f"keeps {spans} spans in the spool")
            return True
        self._count(exported=sent.stored, rejected=sent.rejected)
        return sent.rejected == 0

    def _post(self, batch: Batch) -> Sent:
        """Sends a batch, and reports which spans of it the server rejected."""
        if self._sender is None:
            raise DeliveryError("the configured url is no http address", "Set TOUCHSTONE_URL to the address of the server.")
        token = attach(set_value(_SUPPRESS_INSTRUMENTATION_KEY, True))
        try:
            rejected, message = _rejection(self._sender.post(batch.body, batch.headers, self.reporter.step))
        finally:
            detach(token)
        rejected = min(rejected, batch.spans)
        stored = batch.spans - rejected
        self.reporter.step(f"sent a batch: {stored} stored, {rejected} rejected")
        if rejected:
            reason = f"the server rejected {rejected} of {batch.spans} ({message})"
            self.reporter.loss(rejected, reason, "Check these spans.")
        return Sent(stored, rejected)

    def _count_spooled(self, file: SpoolFile, sent: Sent) -> None:
        """Counts spans that waited in the spool. Those of earlier processes are only reported: they did not end here."""
        failed = file.spans if sent.error else 0
        if sent.error:
            self.reporter.loss(failed, sent.error.reason, sent.error.remedy)
        if file.is_own:
            self._count(exported=sent.stored, rejected=sent.rejected, failed=failed)

    def _lose(self, spans: int, reason: str, remedy: str) -> None:
        self._count(failed=spans)
        self.reporter.loss(spans, reason, remedy)

    def _count(self, exported: int = 0, rejected: int = 0, failed: int = 0) -> None:
        with self._lock:
            now = self._stats
            self._stats = ExporterStats(now.exported + exported, now.rejected + rejected, now.failed + failed)


def _sender_of(settings: ExporterSettings, reporter: Reporter) -> HttpSender | None:
    if settings.url is None:
        return None
    application = settings.headers.get(APPLICATION_ID, "no application")
    reporter.step(f"sends spans to {origin_of(settings.url)} for {application}")
    return HttpSender(settings.url, settings.headers, settings.timeout_millis)


def _rejection(body: bytes) -> tuple[int, str]:
    """Number of spans that the server rejected, and its reason."""
    try:
        partial = ExportTraceServiceResponse.FromString(body).partial_success
    except DecodeError:
        return 0, ""
    return max(partial.rejected_spans, 0), partial.error_message[:500]
