from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from .error import WebhookError

_JSON = re.compile(r"application/(?:[\w.-]+\+)?json\s*(?:;|$)", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class WebhookRequest:
    """A request as it arrived. The names of the headers are in lower case."""

    headers: Mapping[str, str]
    body: bytes

    def required(self, name: str) -> str:
        """Returns the value of a header. Raises a `WebhookError` with 401 when it is missing."""
        value = self.headers.get(name)
        if value is None:
            raise WebhookError(401, f"The header {name} is missing")
        return value


def check_head(method: str, headers: Mapping[str, str], max_body_bytes: int) -> None:
    """Raises a `WebhookError` when a request is no delivery, before its body is read."""
    if method != "POST":
        raise WebhookError(405, "Only POST is allowed on this path")
    if _JSON.match(headers.get("content-type", "")) is None:
        raise WebhookError(415, "The content type must be application/json")
    length = headers.get("content-length", "")
    if length.isascii() and length.isdigit() and int(length[:20]) > max_body_bytes:
        raise too_large(max_body_bytes)


def too_large(max_body_bytes: int) -> WebhookError:
    return WebhookError(413, f"The body is larger than {max_body_bytes} bytes")
