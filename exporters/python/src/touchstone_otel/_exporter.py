from __future__ import annotations

import gzip
import threading
from collections.abc import Sequence
from dataclasses import dataclass

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
from ._settings import APPLICATION_ID, ExporterSettings, exporter_settings, is_debug
from ._shorten import shorten_request
from ._size import parts_of

_GZIP_LEVEL = 6
MAX_REQUEST_BYTES = 4 * 2**20
"""Size of a request before compression, about. A larger span is sent alone."""

_SHORTENED_BYTES = (2**20, 2**17)
"""Sizes to which a span is shortened that the server finds too large, one after the other."""


@dataclass(frozen=True)
class ExporterStats:
    """Numbers of spans passed to an exporter, by outcome: their sum is the number of all spans."""

    exported: int
    rejected: int
    failed: int


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
        self._lock = threading.Lock()
        self._stats = ExporterStats(0, 0, 0)
        self._is_shut_down = False

    @override
    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        token = attach(set_value(_SUPPRESS_INSTRUMENTATION_KEY, True))
        try:
            return self._export(spans)
        finally:
            detach(token)

    @override
    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return True

    @override
    def shutdown(self) -> None:
        """Ends retries. Spans passed later are lost, and counted."""
        self._is_shut_down = True
        if self._sender:
            self._sender.close()

    def stats(self) -> ExporterStats:
        return self._stats

    def _export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        is_complete = True
        parts = parts_of(spans, MAX_REQUEST_BYTES)
        for at, part in enumerate(parts):
            try:
                is_complete &= self._send(part)
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

    def _send(self, spans: Sequence[ReadableSpan]) -> bool:
        """Sends spans in one request, or in halves where the server finds it too large.

        Returns False when some of them were lost. Raises a `DeliveryError` when all of them were, without counting them.
        """
        try:
            request = self._encode(spans)
        except Exception as error:
            if len(spans) > 1:
                return self._send_halves(spans)
            self._lose(1, f"it cannot be encoded ({error})", "Check the name and the status text of the span.")
            return False
        try:
            return self._deliver(request, len(spans))
        except DeliveryError as error:
            if not error.is_too_large:
                raise
            return self._send_halves(spans) if len(spans) > 1 else self._send_shortened(request, spans[0].name, error)

    def _send_halves(self, spans: Sequence[ReadableSpan]) -> bool:
        middle = (len(spans) + 1) // 2
        try:
            is_complete = self._send(spans[:middle])
        except DeliveryError as error:
            if error.is_silence:
                # The other half would only wait as long for no response.
                raise
            self._lose(middle, error.reason, error.remedy)
            is_complete = False
        try:
            return self._send(spans[middle:]) and is_complete
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
                continue
            self.reporter.notice(
                f'the server found the span "{name[:64]}" too large; its longest texts were truncated. '
                "Shorten its texts, or raise TOUCHSTONE_MAX_BODY_BYTES of the server."
            )
            return is_complete
        raise too_large

    def _encode(self, spans: Sequence[ReadableSpan]) -> ExportTraceServiceRequest:
        request: ExportTraceServiceRequest = encode_spans(spans)
        if self._is_content_hidden:
            hide_content(request)
        if self._redact:
            redact_request(request, self._redact)
        return request

    def _deliver(self, request: ExportTraceServiceRequest, spans: int) -> bool:
        """Sends a request. Returns False when the server rejected some of its spans."""
        if self._sender is None:
            raise DeliveryError("the configured url is no http address", "Set TOUCHSTONE_URL to the address of the server.")
        if self._is_shut_down:
            raise DeliveryError("the exporter is shut down", "Call shutdown() after the last span.")
        body = request.SerializeToString()
        headers = {"content-type": "application/x-protobuf"}
        if self._gzip:
            body, headers["content-encoding"] = gzip.compress(body, _GZIP_LEVEL), "gzip"
        rejected, message = _rejection(self._sender.post(body, headers, self.reporter.step))
        rejected = min(rejected, spans)
        self._count(exported=spans - rejected, rejected=rejected)
        self.reporter.step(f"sent a batch: {spans - rejected} stored, {rejected} rejected")
        if rejected:
            self.reporter.loss(rejected, f"the server rejected {rejected} of {spans} ({message})", "Check these spans.")
        return rejected == 0

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
