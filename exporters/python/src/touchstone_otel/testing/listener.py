from __future__ import annotations

import json
import queue
import threading
from dataclasses import dataclass
from http.client import HTTPResponse
from types import TracebackType
from typing import Any

from .api import Api, ApiError

_MAX_WAITING = 1_000
_MAX_LINE = 32 * 1024 * 1024


@dataclass(frozen=True)
class StreamedDelivery:
    """A request for the webhook of the application."""

    id: str
    headers: dict[str, str]
    body: str


class Listener:
    """Receives the deliveries of an application while it is open."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._deliveries: queue.Queue[StreamedDelivery | None] = queue.Queue(_MAX_WAITING)
        self._response: HTTPResponse | None = None

    def __enter__(self) -> Listener:
        self._response = self._api.listen()
        threading.Thread(target=self._read, args=(self._response,), name="touchstone listener", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._response is not None:
            # A thread that reads would make close() wait for the next heartbeat.
            sock: Any = getattr(getattr(self._response.fp, "raw", None), "_sock", None)
            if sock is not None:
                sock.shutdown(2)

    def next(self, timeout: float) -> StreamedDelivery:
        """Returns the next delivery. Raises an `ApiError` when there is none in time, or the stream ended."""
        try:
            delivery = self._deliveries.get(timeout=timeout)
        except queue.Empty:
            raise ApiError("the server sent no test in time") from None
        if delivery is None:
            raise ApiError("the server ended the stream of tests")
        return delivery

    def answer(self, delivery: StreamedDelivery, status: int, body: str) -> None:
        """Reports the response of the app."""
        self._api.call(f"/v0/webhook/listen/{delivery.id}", {"status": status, "headers": {}, "body": body})

    def reject(self, delivery: StreamedDelivery) -> None:
        """Reports that the app was not called, so that the server tries again."""
        error = {"kind": "refused", "message": "pytest runs other tests"}
        self._api.call(f"/v0/webhook/listen/{delivery.id}", {"error": error})

    def _read(self, response: HTTPResponse) -> None:
        try:
            event = ""
            while line := response.readline(_MAX_LINE).decode():
                name, _, value = line.rstrip("\n").partition(": ")
                if name == "event":
                    event = value
                elif name == "data" and event == "delivery":
                    fields = json.loads(value)
                    self._deliveries.put(StreamedDelivery(fields["id"], fields["headers"], fields["body"]))
        except (OSError, ValueError, AttributeError):
            pass  # The end of the stream, however it ends.
        self._deliveries.put(None)
