from __future__ import annotations

from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any

from .asgi import headers_of, json_of
from .error import WebhookError
from .handler import Answer, WebhookHandler
from .request import WebhookRequest, check_head, too_large

WsgiApp = Callable[[dict[str, Any], Callable[..., object]], Iterable[bytes]]


def to_wsgi(handler: WebhookHandler) -> WsgiApp:
    """Makes an endpoint for Flask, Django and other WSGI servers."""

    def app(environ: dict[str, Any], start_response: Callable[..., object]) -> Iterable[bytes]:
        answer = _answer(handler, environ)
        body = json_of(answer)
        start_response(_status_line(answer.status), list(headers_of(answer, body).items()))
        return [body]

    return app


def _answer(handler: WebhookHandler, environ: dict[str, Any]) -> Answer:
    headers = {name[5:].replace("_", "-").lower(): str(value) for name, value in environ.items() if name.startswith("HTTP_")}
    for name, variable in (("content-type", "CONTENT_TYPE"), ("content-length", "CONTENT_LENGTH")):
        headers[name] = str(environ.get(variable) or "")
    try:
        check_head(str(environ["REQUEST_METHOD"]), headers, handler.max_body_bytes)
        body = _read(environ, headers["content-length"], handler.max_body_bytes)
    except WebhookError as error:
        return handler.rejected(error)
    return handler.answer(WebhookRequest(headers, body))


def _read(environ: dict[str, Any], length: str, max_bytes: int) -> bytes:
    """Returns the complete body. Without a length, only servers that end the input themselves can be read."""
    stream = environ["wsgi.input"]
    if length.isascii() and length.isdigit():
        size = int(length)
    elif environ.get("wsgi.input_terminated"):
        size = max_bytes + 1
    else:
        return b""
    parts: list[bytes] = []
    left = size
    while left > 0 and (part := stream.read(left)):
        parts.append(part)
        left -= len(part)
    body = b"".join(parts)
    if len(body) > max_bytes:
        raise too_large(max_bytes)
    if length and len(body) < size:
        raise WebhookError(400, "The body could not be read")
    return body


def _status_line(status: int) -> str:
    return f"{status} {HTTPStatus(status).phrase}"
