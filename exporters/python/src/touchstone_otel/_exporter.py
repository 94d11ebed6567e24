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

from ._delivery import DeliveryError, HttpSender, origin_of
from ._log import Reporter
from ._options import ExporterOptions, reject_unknown
from ._redact import redact_request
from ._settings import APPLICATION_ID, ExporterSettings, exporter_settings, is_debug

_GZIP_LEVEL = 6


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
        try:
            rejected = self._deliver(*self._encode(spans))
        except DeliveryError as error:
            self._count(failed=len(spans))
            self.reporter.loss(len(spans), error.reason, error.remedy)
            return SpanExportResult.FAILURE
        except Exception as error:
            # An exporter that raises would stop the thread that sends.
            self._count(failed=len(spans))
            self.reporter.loss(len(spans), f"they could not be sent ({error})", "Report this as a bug of touchstone-otel.")
            return SpanExportResult.FAILURE
        return SpanExportResult.FAILURE if rejected else SpanExportResult.SUCCESS

    def _encode(self, spans: Sequence[ReadableSpan]) -> tuple[bytes, int]:
        """Returns the body of a request and the number of spans in it, without spans that cannot be encoded."""
        try:
            return self._serialize(spans), len(spans)
        except Exception:
            bodies = [(span, self._serialize_alone(span)) for span in spans]
        good = [span for span, body in bodies if body is not None]
        return self._serialize(good), len(good)

    def _serialize(self, spans: Sequence[ReadableSpan]) -> bytes:
        request: ExportTraceServiceRequest = encode_spans(spans)
        if self._redact:
            redact_request(request, self._redact)
        return request.SerializeToString()

    def _serialize_alone(self, span: ReadableSpan) -> bytes | None:
        try:
            return self._serialize([span])
        except Exception as error:
            self._count(failed=1)
            self.reporter.loss(1, f"it cannot be encoded ({error})", "Check the name and the status text of the span.")
            return None

    def _deliver(self, body: bytes, spans: int) -> int:
        """Returns the number of spans that the server rejected."""
        if self._sender is None:
            raise DeliveryError("the configured url is no http address", "Set TOUCHSTONE_URL to the address of the server.")
        if self._is_shut_down:
            raise DeliveryError("the exporter is shut down", "Call shutdown() after the last span.")
        if spans == 0:
            return 0
        headers = {"content-type": "application/x-protobuf"}
        if self._gzip:
            body, headers["content-encoding"] = gzip.compress(body, _GZIP_LEVEL), "gzip"
        rejected, message = _rejection(self._sender.post(body, headers, self.reporter.step))
        rejected = min(rejected, spans)
        self._count(exported=spans - rejected, rejected=rejected)
        self.reporter.step(f"sent a batch: {spans - rejected} stored, {rejected} rejected")
        if rejected:
            self.reporter.loss(rejected, f"the server rejected {rejected} of {spans} ({message})", "Check these spans.")
        return rejected

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
