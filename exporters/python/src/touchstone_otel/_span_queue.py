from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence

from opentelemetry.sdk.trace import ReadableSpan

from ._settings import QueueSettings
from ._size import size_of
from ._test_context import is_test_root


class SpanQueue:
    """Gathers spans into batches and sends them in a thread: full ones at once, others after a delay."""

    def __init__(
        self, send: Callable[[Sequence[ReadableSpan]], object], settings: QueueSettings, max_batch_bytes: int
    ) -> None:
        self.changed: Callable[[], None] = lambda: None
        """Called, within the lock of the queue, when the number of spans that wait or are being sent has changed."""
        self._send = send
        self._settings = settings
        self._max_batch_bytes = max_batch_bytes
        self._changed = threading.Condition()
        self._waiting: deque[tuple[ReadableSpan, int]] = deque()
        self._waiting_bytes = 0
        self._removable = self._removable_bytes = 0
        """Number and bytes of the spans that wait and are no roots of tests."""
        self._in_flight_bytes = 0
        self._oldest_at = 0.0
        self._accepted = 0
        self._settled = 0
        self._flush_up_to = 0
        self._in_flight = 0
        self._is_closed = False
        self._thread: threading.Thread | None = None

    def add(self, span: ReadableSpan) -> int:
        """Adds a span without waiting for the server. Returns the number of spans that were dropped for want of space.

        That is this one, or others where the root of a test needs their place.
        """
        size = size_of(span)
        with self._changed:
            if self._is_closed:
                return 1
            removed = 0 if self._fits(size) or not is_test_root(span) else self._make_room(size)
            if not self._fits(size):
                return 1
            if not self._waiting:
                self._oldest_at = time.monotonic()
            was_full = self._is_batch_full()
            self._waiting.append((span, size))
            self._waiting_bytes += size
            if not is_test_root(span):
                self._removable += 1
                self._removable_bytes += size
            self._accepted += 1
            self.changed()
            if self._thread is None:
                self._start_thread()
            if len(self._waiting) == 1 or (self._is_batch_full() and not was_full):
                self._changed.notify_all()
            return removed

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
            self._waiting_bytes = self._removable = self._removable_bytes = 0
            self._settled += left
            self.changed()
            self._changed.notify_all()
            return left

    def counts(self) -> tuple[int, int]:
        """Returns the numbers of spans that wait, and that are being sent."""
        with self._changed:
            return len(self._waiting), self._in_flight

    def note_change(self) -> None:
        """Calls `changed` for a change outside of the queue."""
        with self._changed:
            self.changed()

    def unsettled(self) -> int:
        """Returns the number of spans that wait or are being sent, without the lock of the queue."""
        return len(self._waiting) + self._in_flight

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
        if is_flushed or self._is_batch_full():
            return 0
        return self._oldest_at + self._settings.delay_millis / 1_000 - time.monotonic()

    def _fits(self, size: int) -> bool:
        is_short = len(self._waiting) < self._settings.max_queue_size
        return is_short and self._waiting_bytes + self._in_flight_bytes + size <= self._settings.max_queue_bytes

    def _is_batch_full(self) -> bool:
        return len(self._waiting) >= self._settings.max_batch_size or self._waiting_bytes >= self._max_batch_bytes

    def _make_room(self, size: int) -> int:
        """Removes the latest spans that are no roots of tests until a span fits. Returns their number.

        Where all of them would not be enough, none is removed.
        """
        excess = self._waiting_bytes + self._in_flight_bytes + size - self._settings.max_queue_bytes
        needed = len(self._waiting) + 1 - self._settings.max_queue_size
        if excess > self._removable_bytes or needed > self._removable:
            return 0
        removed: set[int] = set()
        for at in range(len(self._waiting) - 1, -1, -1):
            if excess <= 0 and needed <= 0:
                break
            waiting, waiting_bytes = self._waiting[at]
            if not is_test_root(waiting):
                removed.add(at)
                excess -= waiting_bytes
                needed -= 1
        removed_bytes = sum(self._waiting[at][1] for at in removed)
        self._waiting_bytes -= removed_bytes
        self._removable -= len(removed)
        self._removable_bytes -= removed_bytes
        self._waiting = deque(one for at, one in enumerate(self._waiting) if at not in removed)
        self._settled += len(removed)
        return len(removed)

    def _take_batch(self) -> tuple[list[ReadableSpan], int]:
        """Takes spans up to the size of a batch, by number and by bytes, and at least one. Returns their bytes too."""
        batch: list[ReadableSpan] = []
        size = 0
        while self._waiting and len(batch) < self._settings.max_batch_size:
            if batch and size + self._waiting[0][1] > self._max_batch_bytes:
                break
            span, own = self._waiting.popleft()
            batch.append(span)
            size += own
            if not is_test_root(span):
                self._removable -= 1
                self._removable_bytes -= own
        self._waiting_bytes -= size
        return batch, size

    def _send_batch(self) -> None:
        with self._changed:
            batch, size = self._take_batch()
            self._oldest_at = time.monotonic()
            self._in_flight += len(batch)
            self._in_flight_bytes += size
        try:
            self._send(batch)
        finally:
            with self._changed:
                self._in_flight -= len(batch)
                self._in_flight_bytes -= size
                self._settled += len(batch)
                self.changed()
                self._changed.notify_all()
