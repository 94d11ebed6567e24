from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence

from opentelemetry.sdk.trace import ReadableSpan

from ._settings import QueueSettings


class SpanQueue:
    """Gathers spans into batches and sends them in a thread: full ones at once, others after a delay."""

    def __init__(self, send: Callable[[Sequence[ReadableSpan]], object], settings: QueueSettings) -> None:
        self._send = send
        self._settings = settings
        self._changed = threading.Condition()
        self._waiting: deque[ReadableSpan] = deque()
        self._oldest_at = 0.0
        self._accepted = 0
        self._settled = 0
        self._flush_up_to = 0
        self._in_flight = 0
        self._is_closed = False
        self._thread: threading.Thread | None = None

    def add(self, span: ReadableSpan) -> bool:
        """Adds a span without waiting for the server. Returns False when the queue is full or closed."""
        with self._changed:
            if self._is_closed or len(self._waiting) >= self._settings.max_queue_size:
                return False
            if not self._waiting:
                self._oldest_at = time.monotonic()
            self._waiting.append(span)
            self._accepted += 1
            if self._thread is None:
                self._start_thread()
            if len(self._waiting) in (1, self._settings.max_batch_size):
                self._changed.notify_all()
            return True

    def flush(self, timeout_millis: int) -> bool:
        """Sends what was added before, and returns True when all of it is stored or lost, False when time is up."""
        with self._changed:
            up_to = self._accepted
            self._flush_up_to = max(self._flush_up_to, up_to)
            self._changed.notify_all()
            if self._thread is not None:
                return self._changed.wait_for(lambda: self._settled >= up_to, timeout_millis / 1_000)
        # No thread can be started while the interpreter exits.
        deadline = time.monotonic() + timeout_millis / 1_000
        while self._settled < up_to and time.monotonic() < deadline:
            self._send_batch()
        return self._settled >= up_to

    def close(self) -> int:
        """Ends the thread and accepts no more spans. Returns the number of spans that were left in the queue."""
        with self._changed:
            self._is_closed = True
            left = len(self._waiting)
            self._waiting.clear()
            self._settled += left
            self._changed.notify_all()
            return left

    def counts(self) -> tuple[int, int]:
        """Returns the numbers of spans that wait, and that are being sent."""
        with self._changed:
            return len(self._waiting), self._in_flight

    def _start_thread(self) -> None:
        thread = threading.Thread(target=self._work, name="touchstone", daemon=True)
        try:
            thread.start()
        except RuntimeError:
            return
        self._thread = thread

    def _work(self) -> None:
        while self._wait_for_batch():
            self._send_batch()

    def _wait_for_batch(self) -> bool:
        """Waits until a batch is due. Returns False when the queue is closed."""
        with self._changed:
            while not self._is_closed:
                pause = self._pause()
                if pause is not None and pause <= 0:
                    return True
                self._changed.wait(pause)
            return False

    def _pause(self) -> float | None:
        """Seconds until the next batch is due, None while nothing waits."""
        if not self._waiting:
            return None
        is_flushed = self._accepted - len(self._waiting) < self._flush_up_to
        if is_flushed or len(self._waiting) >= self._settings.max_batch_size:
            return 0
        return self._oldest_at + self._settings.delay_millis / 1_000 - time.monotonic()

    def _send_batch(self) -> None:
        with self._changed:
            count = min(len(self._waiting), self._settings.max_batch_size)
            batch = [self._waiting.popleft() for _ in range(count)]
            self._oldest_at = time.monotonic()
            self._in_flight += count
        try:
            self._send(batch)
        finally:
            with self._changed:
                self._in_flight -= count
                self._settled += count
                self._changed.notify_all()
