from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import Future

from .payload import WebhookTest

_REMEMBERED = 10_000


class Run:
    """A test that runs, and the number of requests that wait for it."""

    def __init__(self, test: WebhookTest) -> None:
        self.outcome: Future[None] = Future()
        # From now on, a request that is cancelled cannot cancel it for the others.
        self.outcome.set_running_or_notify_cancel()
        self.waiting = 0
        self._test = test

    def abandon(self) -> None:
        self._test.abandoned.set()


class Deliveries:
    """Runs each delivery once, however often it arrives; one that failed may be repeated."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[str, Run] = {}
        self._succeeded: OrderedDict[str, None] = OrderedDict()

    def join(self, delivery_id: str, test: WebhookTest) -> tuple[Run | None, bool]:
        """Returns the run of a delivery, None if it has succeeded before, and whether the caller is to run it."""
        with self._lock:
            if delivery_id in self._succeeded:
                return None, False
            run = self._running.get(delivery_id)
            is_first = run is None
            if run is None:
                run = self._running[delivery_id] = Run(test)
            run.waiting += 1
            return run, is_first

    def leave(self, run: Run) -> None:
        """Takes note that a request does not wait any longer."""
        with self._lock:
            run.waiting -= 1
            if run.waiting == 0:
                run.abandon()

    def end(self, delivery_id: str, error: BaseException | None) -> None:
        """Passes the result of a run to all requests that wait for it."""
        with self._lock:
            run = self._running.pop(delivery_id)
            if error is None:
                self._succeeded[delivery_id] = None
                if len(self._succeeded) > _REMEMBERED:
                    self._succeeded.popitem(last=False)
        if error is None:
            run.outcome.set_result(None)
        else:
            run.outcome.set_exception(error)
