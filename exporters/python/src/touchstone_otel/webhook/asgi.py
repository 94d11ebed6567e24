from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from .error import WebhookError
from .handler import Answer, WebhookHandler
from .request import WebhookRequest, check_head, too_large

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class AsgiWebhook:
    """An ASGI app with one endpoint."""

    def __init__(self, handler: WebhookHandler) -> None:
        self._handler = handler

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            answer = await self._answer(scope, receive)
            if answer is not None:
                await _send(answer, send)
        elif scope["type"] == "lifespan":
            await _live(receive, send)

    async def _answer(self, scope: Scope, receive: Receive) -> Answer | None:
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        try:
            check_head(scope["method"], headers, self._handler.max_body_bytes)
            body = await _read(receive, self._handler.max_body_bytes)
        except WebhookError as error:
            return self._handler.rejected(error)
        if body is None:
            return None
        gone = asyncio.Event()
        watch = asyncio.ensure_future(_watch(receive, gone))
        try:
            return await self._handler.answer_async(WebhookRequest(headers, body), gone)
        finally:
            watch.cancel()


def to_asgi(handler: WebhookHandler) -> AsgiWebhook:
    """Makes an endpoint for FastAPI, Starlette and other ASGI servers."""
    return AsgiWebhook(handler)


async def _read(receive: Receive, max_bytes: int) -> bytes | None:
    """Returns the complete body, None when the sender disconnects. Raises a `WebhookError` when it is too long."""
    parts: list[bytes] = []
    length = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        part: bytes = message.get("body", b"")
        length += len(part)
        if length > max_bytes:
            raise too_large(max_bytes)
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


async def _watch(receive: Receive, gone: asyncio.Event) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    gone.set()


async def _send(answer: Answer, send: Send) -> None:
    body = json_of(answer)
    headers = [(name.encode(), value.encode()) for name, value in headers_of(answer, body).items()]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _live(receive: Receive, send: Send) -> None:
    """Takes part in the start and the stop of a server that runs the endpoint alone."""
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


def json_of(answer: Answer) -> bytes:
    return json.dumps({"ok": True} if answer.message is None else {"message": answer.message}).encode()


def headers_of(answer: Answer, body: bytes) -> Mapping[str, str]:
    headers = {"content-type": "application/json", "content-length": str(len(body))}
    return {**headers, "allow": "POST"} if answer.status == 405 else headers
