"""An OTLP receiver that answers as configured and keeps what it was sent."""

from __future__ import annotations

import gzip
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTracePartialSuccess,
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.trace.v1.trace_pb2 import Span


@dataclass(frozen=True)
class Received:
    path: str
    headers: dict[str, str]
    spans: list[Span]


@dataclass(frozen=True)
class Answer:
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""
    delay: float = 0


def partial(rejected: int, message: str) -> Answer:
    success = ExportTracePartialSuccess(rejected_spans=rejected, error_message=message)
    return Answer(body=ExportTraceServiceResponse(partial_success=success).SerializeToString())


class Receiver:
    def __init__(self) -> None:
        self.requests: list[Received] = []
        self.behave: Callable[[int], Answer] = lambda _: Answer()
        self.judge: Callable[[list[Span], int], Answer] | None = None
        """Answers by the spans and the size of the request before compression."""
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                outer.receive(self)

            def do_GET(self) -> None:
                outer.receive(self)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    @property
    def spans(self) -> list[Span]:
        return [span for request in self.requests for span in request.spans]

    @property
    def options(self) -> dict[str, str]:
        return {"url": self.url, "api_key": "sk_key_secret", "application_id": "b5e8d0a2-53f8-4c0e-9a4b-3f4a4e0e2d11"}

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def receive(self, request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers.get("content-length") or 0))
        if request.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        parsed = ExportTraceServiceRequest.FromString(body)
        spans = [span for one in parsed.resource_spans for scope in one.scope_spans for span in scope.spans]
        headers = {name.lower(): value for name, value in request.headers.items()}
        answer = self.judge(spans, len(body)) if self.judge else self.behave(len(self.requests))
        self.requests.append(Received(request.path, headers, spans))
        time.sleep(answer.delay)
        try:
            request.send_response(answer.status)
            for name, value in {"content-length": str(len(answer.body)), **answer.headers}.items():
                request.send_header(name, value)
            request.end_headers()
            request.wfile.write(answer.body)
        except OSError:
            pass


def text_of(span: Span, key: str) -> str | None:
    """The text of an attribute, None when the span has no such attribute."""
    return next((one.value.string_value for one in span.attributes if one.key == key), None)
