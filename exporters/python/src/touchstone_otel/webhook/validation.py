from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit

from opentelemetry.context import (
    _SUPPRESS_INSTRUMENTATION_KEY,  # pyright: ignore[reportPrivateUsage]
    attach,
    detach,
    set_value,
)

from .._delivery import DeliveryError, HttpSender
from .._options import ExporterOptions
from .._settings import API_KEY, APPLICATION_ID, exporter_settings
from .error import WebhookError
from .payload import parse_object
from .request import WebhookRequest
from .signature import whole_number

_TIMEOUT_MILLIS = 5_000
_TRACES_PATH = re.compile(r"(?:/v0/otel)?(?:/v1)?/traces$")

Verify = Callable[[WebhookRequest], "str | None"]


def server_check(options: ExporterOptions) -> Verify:
    """Returns a check by the server, which knows the secret. Raises a `ValueError` when a setting is missing."""
    settings = exporter_settings(options)
    if settings.url is None:
        raise ValueError("validate='api' needs a url that is an http address")
    for name, setting in (
        (API_KEY, "api_key or TOUCHSTONE_API_KEY"),
        (APPLICATION_ID, "application_id or TOUCHSTONE_APPLICATION_ID"),
    ):
        if not settings.headers.get(name):
            raise ValueError(f"validate='api' needs {setting}")
    credentials = {name: settings.headers[name] for name in (API_KEY, APPLICATION_ID)}
    parts = urlsplit(settings.url)
    path = _TRACES_PATH.sub("", parts.path) + "/v0/validate-webhook"
    sender = HttpSender(urlunsplit((*parts[:2], path, "", "")), credentials, _TIMEOUT_MILLIS)

    def check(request: WebhookRequest) -> str | None:
        """Raises a `WebhookError`: 401, or 503 if the server does not respond."""
        signature = request.required("x-service-signature")
        timestamp = whole_number(request.required("x-service-timestamp"))
        text, _ = parse_object(request.body)
        # The body is passed on as the text that arrived: parsed and written again, it may be another one.
        question = f'{{"signature":{json.dumps(signature)},"timestamp":{timestamp},"body":{text}}}'
        if not _ask(sender, question):
            raise WebhookError(401, "The signature does not match the body, or is too old")
        return None

    return check


def _ask(sender: HttpSender, question: str) -> bool:
    token = attach(set_value(_SUPPRESS_INSTRUMENTATION_KEY, True))
    try:
        response = sender.post(question.encode(), {"content-type": "application/json"}, lambda _: None)
    except DeliveryError as error:
        raise WebhookError(503, "The signature could not be checked: the Touchstone server did not respond") from error
    finally:
        detach(token)
    valid = _valid_of(response)
    if not isinstance(valid, bool):
        raise WebhookError(503, "The signature could not be checked: the Touchstone server sent an unexpected response")
    return valid


def _valid_of(response: bytes) -> object:
    try:
        answer: object = json.loads(response)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", answer).get("valid") if isinstance(answer, dict) else None
