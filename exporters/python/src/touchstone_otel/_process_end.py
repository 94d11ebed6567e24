"""Sends the last spans where the end of a process can be noticed."""

from __future__ import annotations

import multiprocessing.util
import os
import signal
import threading
import weakref
from collections.abc import Callable
from types import FrameType
from typing import Protocol

_PRIORITY = 10


class Sender(Protocol):
    """A span processor whose last spans are sent."""

    def flush_at_end(self) -> None: ...


def flush_at_end_of_children(sender: Sender) -> None:
    """Makes child processes of `multiprocessing` flush before they end; `atexit` is not called in them."""
    _finalize(sender)
    # A child forgets what was registered before its target ran, and then calls this.
    multiprocessing.util.register_after_fork(sender, _finalize)


def _finalize(sender: Sender) -> None:
    flush = weakref.WeakMethod(sender.flush_at_end)
    multiprocessing.util.Finalize(sender, _call, args=(flush,), exitpriority=_PRIORITY)


def _call(method: weakref.WeakMethod[Callable[[], None]]) -> None:
    call = method()
    if call is not None:
        call()


def flush_on_sigterm(sender: Sender) -> None:
    """Makes SIGTERM end the process only after a flush, unless the app handles it. Works in the main thread only.

    SIGINT needs nothing: it raises KeyboardInterrupt, and the process ends as usual.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        return
    flush = weakref.WeakMethod(sender.flush_at_end)

    def flush_and_end(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        # The handler may have interrupted code that holds the lock of the queue.
        thread = threading.Thread(target=_call, args=(flush,), daemon=True)
        thread.start()
        threading.Thread(target=_end_after, args=(thread, number), daemon=True).start()

    signal.signal(signal.SIGTERM, flush_and_end)


def _end_after(thread: threading.Thread, number: int) -> None:
    thread.join()
    os.kill(os.getpid(), number)
