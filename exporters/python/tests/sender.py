"""The sender's side of a webhook, written from its description and without code of the package."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
import uuid
from dataclasses import dataclass, field
from typing import Any


def new_secret() -> str:
    return f"whsec_{base64.b64encode(secrets.token_bytes(32)).decode()}"


def mac(secret: str, text: bytes) -> bytes:
    return hmac.new(base64.b64decode(secret[len("whsec_") :]), text, hashlib.sha256).digest()


def service_headers(secret: str, body: bytes, at: float | None = None) -> dict[str, str]:
    millis = str(int((time.time() if at is None else at) * 1_000))
    return {
        "x-service-timestamp": millis,
        "x-service-signature": mac(secret, f"{millis}.".encode() + body).hex(),
    }


def standard_headers(secret: str, body: bytes, *, id: str, at: float | None = None) -> dict[str, str]:
    seconds = str(int(time.time() if at is None else at))
    signature = base64.b64encode(mac(secret, f"{id}.{seconds}.".encode() + body)).decode()
    return {"webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": f"v1,{signature}"}


@dataclass
class Delivery:
    body: bytes
    headers: dict[str, str]
    test_id: str = field(default="")


def new_delivery(secret: str, fields: dict[str, Any] | None = None, headers: dict[str, str] | None = None) -> Delivery:
    """A delivery as the server sends it."""
    test_id = str(uuid.uuid4())
    body = json.dumps({"prompt": "Where is my parcel? ✓", "testId": test_id, **(fields or {})}).encode()
    signatures = {**service_headers(secret, body), **standard_headers(secret, body, id=test_id)}
    return Delivery(body, {"content-type": "application/json", **signatures, **(headers or {})}, test_id)
