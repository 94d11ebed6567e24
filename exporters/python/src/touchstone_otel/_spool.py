from __future__ import annotations

import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from ._delivery import DeliveryError
from ._log import Reporter
from ._spool_folder import Batch, DamagedFile, SpoolError, SpoolFile, SpoolFolder
from ._spool_halves import halves_of

_TICK_SECONDS = 2.0
_FIRST_PAUSE_SECONDS = 1.0
_MAX_PAUSE_SECONDS = 30.0
_FINAL = frozenset({400, 411, 413, 414, 415, 422, 431})
"""Statuses of a request that no server will ever accept."""


@dataclass(frozen=True)
class SpoolStats:
    """Numbers of spans by what the spool did with them."""

    waiting: int = 0
    """Spans of this process that wait in the spool: a part of `ended`."""
    sent: int = 0
    """Spans that the server stored from the spool, those of earlier processes included."""
    dropped: int = 0
    """Spans that were lost because the spool was full or could not be written: a part of `failed`."""
    failed: int = 0
    """Spans of earlier processes that the server rejected, or whose file is damaged."""


@dataclass(frozen=True)
class Sent:
    """What became of the spans of a batch."""

    stored: int
    rejected: int
    error: DeliveryError | None = None


class Spool:
    """Keeps each batch on the disk until the server has responded to it, and sends later what it did not accept yet."""

    def __init__(
        self,
        folder: SpoolFolder,
        reporter: Reporter,
        deliver: Callable[[Batch], Sent],
        count: Callable[[SpoolFile, Sent], None],
    ) -> None:
        self._folder = folder
        self._reporter = reporter
        self._deliver = deliver
        """Sends a batch. Raises a `DeliveryError` if nothing of it was accepted."""
        self._count = count
        """Counts spans that waited in the spool."""
        self._lock = threading.RLock()
        self._draining = threading.Lock()
        self._stats = SpoolStats()
        self._files: deque[SpoolFile] = deque()
        """Files to send, in their order. The folder has a limit."""
        self.in_flight = 0
        """Spans that are being sent for the first time, and are in the spool."""
        self.kept: Callable[[], None] = lambda: None
        """Called when such spans are in the spool."""
        self._failures = 0
        self._failed_at = self._resumes_at = float("-inf")
        self._closing = threading.Event()
        thread = threading.Thread(target=_work, args=(weakref.ref(self), self._closing), name="touchstone-spool", daemon=True)
        try:
            thread.start()
        except RuntimeError:
            # The interpreter exits.
            pass
        reporter.at_end(self.report_end)

    def stats(self) -> SpoolStats:
        return self._stats

    def post(self, batch: Batch) -> Sent | None:
        """Sends a batch, and keeps it until the server has responded. Returns None if it waits in the spool.

        While the server does not respond, the batch only waits. Raises a `DeliveryError` if the server rejected it for good, or if it
        can neither be sent nor kept.
        """
        try:
            file = self._folder.add(batch)
        except SpoolError as problem:
            return self._post_unkept(batch, problem)
        self.in_flight += batch.spans
        self.kept()
        try:
            return self._post_kept(batch, file)
        finally:
            self.in_flight -= batch.spans

    def _post_kept(self, batch: Batch, file: SpoolFile) -> Sent | None:
        if self._is_paused():
            return self._keep(file)
        try:
            sent = self._deliver(batch)
        except DeliveryError as error:
            if may_be_accepted_later(error):
                self._pause(error)
                return self._keep(file)
            if error.may_accept_parts:
                # Until its halves are stored or kept.
                error.settle = lambda: self._folder.remove(file)
            else:
                self._folder.remove(file)
            raise
        self._failures = 0
        self._folder.remove(file)
        return sent

    def drain(self, *, since: float = float("inf"), until: float = float("inf")) -> None:
        """Sends what waits, until it is stored, the server does not accept it, or time is up.

        Does nothing if a request has failed since a time.
        """
        if self._failed_at >= since:
            return
        with self._draining:
            self._take_over()
            while time.monotonic() < until and (file := self._next()) is not None:
                if not self._send_file(file):
                    # At the end: a batch that fails by itself holds up no others.
                    self._files.append(file)
                    return

    def tick(self) -> None:
        """Takes over the files of processes that have ended, and sends what waits if its time has come."""
        self._take_over()
        if self._files and not self._is_paused():
            self.drain()

    def close(self) -> None:
        """Leaves what waits to the next start."""
        self._closing.set()
        self._folder.close()

    def report_end(self) -> None:
        """Deletes the lease, and writes the last line."""
        if self._folder.is_inherited:
            return
        self._folder.close()
        stats = self._stats
        if stats != SpoolStats():
            self._reporter.last(
                f"the spool {self._folder.path}: {stats.waiting} spans wait for the next start, {stats.sent} were sent, "
                f"{stats.dropped} were lost because it was full, {stats.failed} of earlier processes were lost."
            )

    def _post_unkept(self, batch: Batch, problem: SpoolError) -> Sent:
        try:
            return self._deliver(batch)
        except DeliveryError as error:
            if may_be_accepted_later(error):
                self._add(dropped=batch.spans)
                error.reason += f", and {problem.reason}"
                error.remedy += f" {problem.remedy}"
                error.is_silence = False
            raise

    def _take_over(self) -> None:
        if not self._closing.is_set():
            self._files.extend(self._folder.take_over())

    def _next(self) -> SpoolFile | None:
        try:
            return self._files.popleft()
        except IndexError:
            return None

    def _send_file(self, file: SpoolFile) -> bool:
        """Returns False if the file must be sent later."""
        try:
            batch = self._folder.read(file)
        except DamagedFile:
            remedy = f"It was renamed; delete it in {self._folder.path}."
            error = DeliveryError(f"the file {file.name} in the spool is damaged", remedy)
            self._settle(file, Sent(0, 0, error))
            return True
        if batch is None:
            # The process that has taken it over counts it.
            return True
        try:
            sent = self._deliver(batch)
        except DeliveryError as error:
            if may_be_accepted_later(error):
                self._pause(error)
                return False
            if error.may_accept_parts and self._divide(file, batch):
                self._failures = 0
                return True
            sent = Sent(0, 0, error)
        self._failures = 0
        self._folder.remove(file)
        self._settle(file, sent)
        return True

    def _divide(self, file: SpoolFile, batch: Batch) -> bool:
        """Replaces a file by its halves, of which the server may accept more. Returns False if that is not possible."""
        halves = halves_of(batch)
        if halves is None:
            return False
        files: list[SpoolFile] = []
        try:
            for half in halves:
                files.append(replace(self._folder.add(half), is_own=file.is_own))
        except SpoolError:
            for one in files:
                self._folder.remove(one)
            return False
        self._folder.remove(file)
        self._files.extendleft(reversed(files))
        return True

    def _settle(self, file: SpoolFile, sent: Sent) -> None:
        if file.is_own:
            self._add(sent=sent.stored, waiting=-file.spans)
        else:
            self._add(sent=sent.stored, failed=file.spans - sent.stored)
        self._count(file, sent)

    def _keep(self, file: SpoolFile) -> None:
        self._files.append(file)
        self._add(waiting=file.spans)

    def _is_paused(self) -> bool:
        return self._failures > 0 and time.monotonic() < self._resumes_at

    def _pause(self, error: DeliveryError) -> None:
        self._failed_at = time.monotonic()
        self._resumes_at = self._failed_at + min(_FIRST_PAUSE_SECONDS * 2**self._failures, _MAX_PAUSE_SECONDS)
        self._failures = min(self._failures + 1, 10)
        self._reporter.notice(f"spans wait in the spool {self._folder.path}: {error.reason}. {error.remedy}")

    def _add(self, *, waiting: int = 0, sent: int = 0, dropped: int = 0, failed: int = 0) -> None:
        with self._lock:
            now = self._stats
            self._stats = replace(
                now,
                waiting=now.waiting + waiting,
                sent=now.sent + sent,
                dropped=now.dropped + dropped,
                failed=now.failed + failed,
            )


def may_be_accepted_later(error: DeliveryError) -> bool:
    """Reports whether the same request may be accepted later, also by a server that was started again or with other settings."""
    return error.status not in _FINAL


def _work(spool: weakref.ref[Spool], closing: threading.Event) -> None:
    while True:
        current = spool()
        if current is None:
            return
        current.tick()
        del current
        if closing.wait(_TICK_SECONDS):
            return
