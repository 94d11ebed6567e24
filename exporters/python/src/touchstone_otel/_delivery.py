from __future__ import annotations

import email.message
import email.utils
import http.client
import ipaddress
import json
import os
import random
import ssl
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import IO, Any, cast
from urllib.parse import urljoin, urlsplit

from google.protobuf.message import DecodeError
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTracePartialSuccess

from ._log import log

_RETRYABLE = frozenset({429, 502, 503, 504})
_FIRST_PAUSE_SECONDS = 0.25
_MAX_PAUSE_SECONDS = 2.0
_MAX_RESPONSE_BYTES = 65_536
_MAX_REASON = 300
_MAX_REDIRECTS = 3
_INVALID_ARGUMENT = 3
"""Code of gRPC, which OTLP over HTTP uses too."""


@dataclass(frozen=True)
class Response:
    """An HTTP response."""

    status: int
    retry_after: float | None
    body: bytes
    is_web_page: bool = False
    location: str | None = None
    message: str = ""
    """The server's own sentence about a failure, without the full stop."""
    code: int | None = None
    """Code of the failure, as gRPC has it. A port for gRPC and other services send none."""

    @property
    def is_of_invalid_span(self) -> bool:
        """True if the server names a value that it does not accept, so that it may accept the spans without it."""
        return self.status == 400 and self.code == _INVALID_ARGUMENT


class DeliveryError(Exception):
    """A request that got no response with status 200, and what to do about it."""

    def __init__(
        self,
        reason: str,
        remedy: str,
        *,
        is_silence: bool = False,
        is_too_large: bool = False,
        is_of_invalid_span: bool = False,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.remedy = remedy
        self.status: int | None = None
        """Status of the response; None if none came."""
        self.is_silence = is_silence
        """True if no response came, so that the next request would only wait as long."""
        self.is_too_large = is_too_large
        """True if the server may accept a smaller request."""
        self.may_accept_parts = is_too_large or is_of_invalid_span
        """True if the server may accept some of the spans in requests of their own."""
        self.settle: Callable[[], None] = lambda: None
        """Called when smaller requests are done."""


class HttpSender:
    """Posts bodies to one address, retrying within a time limit what may succeed later."""

    def __init__(self, url: str, headers: Mapping[str, str], timeout_millis: int) -> None:
        self._url = url
        self._headers = headers
        self._timeout_millis = timeout_millis
        tls = [urllib.request.HTTPSHandler(context=_tls_context())] if url.startswith("https:") else []
        # Proxies of the environment apply, but not to this machine itself.
        proxies = [urllib.request.ProxyHandler({})] if _is_loopback(url) else []
        self._opener = urllib.request.build_opener(_NoRedirects, *tls, *proxies)
        self._closing = threading.Event()

    def post(self, body: bytes, headers: Mapping[str, str], step: Callable[[str], None]) -> bytes:
        """Returns the body of a response with status 200. Raises a `DeliveryError` when there is none in time.

        If the time ends during a retry, the error is that of the attempt before it: it says more than that time is up.
        """
        deadline = time.monotonic() + self._timeout_millis / 1_000
        pause = _FIRST_PAUSE_SECONDS
        before: DeliveryError | None = None
        while True:
            try:
                failure = self._try(body, headers, deadline)
            except TimeoutError:
                raise before or self._too_slow() from None
            if isinstance(failure, bytes):
                return failure
            error, wait = failure
            before = error
            wait = pause * random.uniform(0.8, 1.2) if wait is None else wait
            if wait < 0 or time.monotonic() + wait >= deadline or self._closing.wait(wait):
                raise error
            step(f"retries a batch: {error.reason}")
            pause = min(pause * 2, _MAX_PAUSE_SECONDS)

    def close(self) -> None:
        """Ends pauses between retries."""
        self._closing.set()

    def _try(self, body: bytes, headers: Mapping[str, str], deadline: float) -> bytes | tuple[DeliveryError, float | None]:
        """Returns the body of the response, or what went wrong and the pause until the next try, -1 for none.

        Raises a `TimeoutError` when the time is up.
        """
        try:
            response = self._request_following(body, headers, deadline)
        except TimeoutError:
            raise
        except (OSError, http.client.HTTPException, ValueError) as error:
            cause = getattr(error, "reason", error)
            if isinstance(cause, TimeoutError):
                raise cause from error
            return self._no_response(cause)
        is_success = 200 <= response.status < 300
        if is_success and response.is_web_page:
            reason = "a web page came back, so another service answers at that address"
            return DeliveryError(reason, "Set TOUCHSTONE_URL to the address of the server."), -1
        if is_success:
            return response.body
        pause = response.retry_after if response.status in _RETRYABLE else -1
        error = self._rejection(response)
        error.status = response.status
        return error, pause

    def _request_following(self, body: bytes, headers: Mapping[str, str], deadline: float) -> Response:
        """Follows redirects that keep method and body, within the origin: the key is for this one only."""
        url = self._url
        for _ in range(_MAX_REDIRECTS):
            response = self._request(url, body, headers, deadline)
            target = urljoin(url, response.location or "")
            if response.status not in (307, 308) or not response.location or origin_of(target) != origin_of(url):
                return response
            url = target
        return self._request(url, body, headers, deadline)

    def _no_response(self, cause: object) -> tuple[DeliveryError, float | None]:
        reason = f"no response from {origin_of(self._url)} ({cause})"
        if isinstance(cause, ssl.SSLCertVerificationError):
            remedy = "The certificate is not trusted: set OTEL_EXPORTER_OTLP_CERTIFICATE to the file of its authority."
            return DeliveryError(reason, remedy, is_silence=True), -1
        if isinstance(cause, (ssl.SSLError, http.client.BadStatusLine)):
            remedy = "Another protocol is spoken there. Set TOUCHSTONE_URL to the port for HTTP (default 4318)."
            return DeliveryError(reason, remedy, is_silence=True), -1
        return DeliveryError(reason, "Start the server, or set TOUCHSTONE_URL.", is_silence=True), None

    def _request(self, url: str, body: bytes, headers: Mapping[str, str], deadline: float) -> Response:
        request = urllib.request.Request(url, body, {**self._headers, **headers}, method="POST")
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        try:
            with self._opener.open(request, timeout=left) as reply:
                is_web_page = reply.headers.get_content_type() == "text/html"
                return Response(reply.status, None, _read(reply, deadline), is_web_page)
        except urllib.error.HTTPError as error:
            with error:
                code, message = _failure_of(error.headers.get_content_type(), _read(error, deadline))
                retry_after = _seconds(error.headers.get("retry-after", ""))
                location = error.headers.get("location")
                return Response(error.code, retry_after, b"", location=location, message=message, code=code)

    def _too_slow(self) -> DeliveryError:
        return DeliveryError(
            f"{origin_of(self._url)} did not respond within {self._timeout_millis} ms",
            "Check the server and the network, or raise timeout_millis.",
            is_silence=True,
        )

    def _rejection(self, response: Response) -> DeliveryError:
        status = response.status
        said = f" ({response.message})" if response.message else ""
        reason = f"HTTP {status} from {origin_of(self._url)}{said}"
        if status in (401, 403):
            missing = [
                variable
                for name, variable in (("x-api-key", "TOUCHSTONE_API_KEY"), ("x-application-id", "TOUCHSTONE_APPLICATION_ID"))
                if not self._headers.get(name)
            ]
            if missing:
                return DeliveryError(f"HTTP {status}, {' and '.join(missing)} not set", f"Set {' and '.join(missing)}.")
            return DeliveryError(
                reason,
                "Check TOUCHSTONE_API_KEY and TOUCHSTONE_APPLICATION_ID: the key must be valid for the application.",
            )
        if response.is_of_invalid_span:
            return DeliveryError(reason, "Check its name, its times and its attributes.", is_of_invalid_span=True)
        if 300 <= status < 400 and response.location:
            target = urljoin(self._url, response.location)[:_MAX_REASON]
            return DeliveryError(reason, f"Set TOUCHSTONE_URL to the address that it names: {target}.")
        if status == 413:
            remedy = "Shorten the texts of this span, or raise TOUCHSTONE_MAX_BODY_BYTES of the server."
            return DeliveryError(reason, remedy, is_too_large=True)
        if status in (429, 503):
            return DeliveryError(reason, "The server is busy: send less at once, or raise timeout_millis.")
        return DeliveryError(reason, "Check TOUCHSTONE_URL." if status < 500 else "Check the log of the server.")


def origin_of(url: str) -> str:
    """Scheme, host and port of an address, without credentials that it may contain."""
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{parts.scheme}://{host}" + (f":{parts.port}" if parts.port else "")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the key is for the configured address only."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: email.message.Message,
        newurl: str,
    ) -> None:
        return None


def _read(reply: IO[bytes], deadline: float) -> bytes:
    """Reads a response, which may arrive in drops, until the deadline; more than the limit counts as empty."""
    read, expected = cast("Any", reply).read1, cast("int | None", getattr(reply, "length", None))
    parts: list[bytes] = []
    size = 0
    while (expected is None or size < expected) and (part := read(8_192)):
        size += len(part)
        if size > _MAX_RESPONSE_BYTES:
            return b""
        if time.monotonic() > deadline:
            raise TimeoutError
        parts.append(part)
    if expected is not None and size < expected:
        raise http.client.IncompleteRead(b"".join(parts), expected - size)
    return b"".join(parts)


def _seconds(text: str) -> float | None:
    """Seconds of a Retry-After header: a number, or a date (RFC 9110, 10.2.3)."""
    if text.isascii() and text.isdigit() and len(text) < 6:
        return float(text)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return None


def _failure_of(content_type: str, body: bytes) -> tuple[int | None, str]:
    """Code and sentence of the server, in the encoding of the request, in JSON or as plain text."""
    code: object = None
    try:
        if content_type == "application/x-protobuf":
            # google.rpc.Status has its code and its message in the same fields.
            status = ExportTracePartialSuccess.FromString(body)
            code, text = status.rejected_spans, status.error_message
        elif content_type == "application/json":
            said = json.loads(body)
            code, text = said.get("code"), str(said.get("message", ""))
        else:
            text = body.decode() if content_type == "text/plain" else ""
    except (AttributeError, DecodeError, UnicodeDecodeError, ValueError):
        return None, ""
    return code if isinstance(code, int) else None, text.strip()[:_MAX_REASON].removesuffix(".")


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _tls_context() -> ssl.SSLContext:
    """Trusts and shows the certificates that OTLP's variables name."""
    ca, certificate, key = (
        os.environ.get(f"OTEL_EXPORTER_OTLP_TRACES_{name}") or os.environ.get(f"OTEL_EXPORTER_OTLP_{name}")
        for name in ("CERTIFICATE", "CLIENT_CERTIFICATE", "CLIENT_KEY")
    )
    try:
        context = ssl.create_default_context(cafile=ca)
        if certificate:
            context.load_cert_chain(certificate, key)
        return context
    except OSError as error:
        log.error("touchstone: a certificate of OTEL_EXPORTER_OTLP_… cannot be read, so it is ignored: %s", error)
        return ssl.create_default_context()
