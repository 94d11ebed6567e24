from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .error import WebhookError
from .request import WebhookRequest

_SECRET = re.compile(r"whsec_([A-Za-z0-9+/]+={0,2})", re.ASCII)
_MIN_KEY_BYTES = 16
_MISSING = "The header webhook-signature is missing, and x-service-signature too"


@dataclass(frozen=True)
class Trust:
    """Keys of the secrets, and the largest difference between the time of a delivery and now."""

    keys: Sequence[bytes]
    tolerance_ms: int


@dataclass(frozen=True)
class _Claim:
    """Signatures that a delivery claims were computed over `prefix` and its body, and when."""

    id: str | None
    """Id of the delivery, if the signature covers it."""
    timestamp_ms: int
    prefix: str
    signatures: Sequence[str]
    write: Callable[[bytes], str]
    """Returns the text of a signature for its bytes."""


def key_of(secret: str) -> bytes:
    """Returns the key within a `whsec_…` text. Raises a `ValueError` when there is none, without showing the text."""
    match = _SECRET.fullmatch(secret.strip())
    try:
        key = base64.b64decode(match.group(1)) if match else b""
    except binascii.Error:
        key = b""
    if len(key) < _MIN_KEY_BYTES:
        raise ValueError(f"A webhook secret is `whsec_` and the base64 of at least {_MIN_KEY_BYTES} bytes")
    return key


def check_signature(request: WebhookRequest, trust: Trust) -> str | None:
    """Verifies one of the two signatures of a delivery, that of Standard Webhooks first.

    Returns the id of the delivery if it is signed. Raises a `WebhookError` with 401.
    """
    rejection: WebhookError | None = None
    for claim_of in (_standard_claim, _service_claim):
        try:
            claim = claim_of(request)
            if claim is None:
                continue
            _check(claim, request.body, trust)
            return claim.id
        except WebhookError as error:
            rejection = rejection or error
    raise rejection or WebhookError(401, _MISSING)


def whole_number(text: str) -> int:
    """Returns the number in a header with a time. Raises a `WebhookError` with 401 when it is none."""
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise _out_of_time()
    return int(text)


def _standard_claim(request: WebhookRequest) -> _Claim | None:
    """https://www.standardwebhooks.com; None when there is no such signature."""
    signatures = request.headers.get("webhook-signature")
    if signatures is None:
        return None
    delivery_id, seconds = request.required("webhook-id"), request.required("webhook-timestamp")
    return _Claim(
        delivery_id,
        whole_number(seconds) * 1_000,
        f"{delivery_id}.{seconds}.",
        signatures.split(" "),
        lambda mac: f"v1,{base64.b64encode(mac).decode()}",
    )


def _service_claim(request: WebhookRequest) -> _Claim | None:
    """Touchstone's own headers; None when there is no such signature."""
    signature = request.headers.get("x-service-signature")
    if signature is None:
        return None
    timestamp = request.required("x-service-timestamp")
    return _Claim(None, whole_number(timestamp), f"{timestamp}.", [signature], bytes.hex)


def _check(claim: _Claim, body: bytes, trust: Trust) -> None:
    if abs(time.time() * 1_000 - claim.timestamp_ms) > trust.tolerance_ms:
        raise _out_of_time()
    if not any(_is_signed(claim, body, key) for key in trust.keys):
        raise WebhookError(401, "The signature does not match the body")


def _is_signed(claim: _Claim, body: bytes, key: bytes) -> bool:
    mac = hmac.new(key, claim.prefix.encode("utf-8", "surrogateescape") + body, hashlib.sha256).digest()
    expected = claim.write(mac).encode()
    given = [signature.encode("utf-8", "surrogateescape") for signature in claim.signatures]
    return any(hmac.compare_digest(signature, expected) for signature in given)


def _out_of_time() -> WebhookError:
    return WebhookError(401, "The timestamp is too far from the current time")
