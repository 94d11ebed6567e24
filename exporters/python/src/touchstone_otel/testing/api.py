from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.client import HTTPResponse
from typing import Any

_TIMEOUT_SECONDS = 30
# Three missed heartbeats of the stream.
_SILENCE_SECONDS = 45
_MAX_MESSAGE = 1_000


class ApiError(Exception):
    """A call that the server rejected, or that did not reach it."""


class Api:
    """The calls of a Touchstone server that tests need, by the variables `TOUCHSTONE_*`."""

    def __init__(self, env: Mapping[str, str] = os.environ) -> None:
        self._url = env.get("TOUCHSTONE_URL", "http://127.0.0.1:4318").rstrip("/")
        self._headers = {"content-type": "application/json"}
        for header, variable in (("x-api-key", "TOUCHSTONE_API_KEY"), ("x-application-id", "TOUCHSTONE_APPLICATION_ID")):
            if not env.get(variable):
                raise ApiError(f"{variable} is not set")
            self._headers[header] = env[variable]

    def call(self, path: str, body: object = None, headers: Mapping[str, str] | None = None) -> Any:
        """Sends a GET, or a POST if there is a body, and returns the JSON of the response."""
        data = None if body is None else json.dumps(body).encode()
        with self._open(path, data, {**self._headers, **(headers or {})}, _TIMEOUT_SECONDS) as response:
            return json.loads(response.read() or b"null")

    def listen(self) -> HTTPResponse:
        """Opens the stream of deliveries. From now on, the tests of the application are sent to it."""
        return self._open("/v0/webhook/listen", None, self._headers, _SILENCE_SECONDS)

    def _open(self, path: str, data: bytes | None, headers: dict[str, str], timeout: float) -> HTTPResponse:
        request = urllib.request.Request(self._url + path, data, headers)
        try:
            return urllib.request.urlopen(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            with error:
                raise ApiError(f"{path}: HTTP {error.code}: {_message_in(error.read(_MAX_MESSAGE * 4))}") from None
        except OSError as error:
            raise ApiError(f"no response from {self._url}: {error}") from None


def _message_in(body: bytes) -> str:
    try:
        return str(json.loads(body)["message"])[:_MAX_MESSAGE]
    except (ValueError, KeyError, TypeError):
        return "no message"
