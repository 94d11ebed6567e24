from __future__ import annotations

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from ._redact import redact_request

_MIN_TEXT = 64


def shorten_request(request: ExportTraceServiceRequest, max_bytes: int) -> ExportTraceServiceRequest | None:
    """Returns a copy of a request whose texts are truncated so that it has at most `max_bytes`.

    Returns None when the texts are not what makes it large. Each truncated text says how much is missing.
    """
    limit = max_bytes
    while limit >= _MIN_TEXT:
        shortened = ExportTraceServiceRequest()
        shortened.CopyFrom(request)
        redact_request(shortened, lambda text, _key, limit=limit: _truncated(text, limit))
        if shortened.ByteSize() <= max_bytes:
            return shortened
        limit //= 4
    return None


def _truncated(text: str, limit: int) -> str:
    if len(text.encode()) <= limit:
        return text
    # A character has at most four bytes.
    kept = text[: limit // 4]
    return f"{kept}… [{len(text) - len(kept)} characters left out: the server accepts no span this large]"
