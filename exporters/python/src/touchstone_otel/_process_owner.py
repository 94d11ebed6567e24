"""Identity of processes: files of a process that has ended are found by it."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path
from typing import Any


def own_process() -> dict[str, int | str]:
    """Returns the identity of this process, as the JavaScript package writes it."""
    return {"pid": os.getpid(), "host": _host(), "start": _start_of(os.getpid()) or ""}


def has_ended(owner: Any) -> bool | None:
    """Reports whether a process is one of this machine and has ended. Returns None for one of another machine.

    Raises `KeyError`, `TypeError` or `ValueError` if this is no identity.
    """
    return _start_of(int(owner["pid"])) != owner["start"] if owner["host"] == _host() else None


def _host() -> str:
    """Machine and namespace in which the number of a process means something."""
    try:
        return f"{socket.gethostname()} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return socket.gethostname()


def _start_of(pid: int) -> str | None:
    """Returns when a process began; an empty text where that is unknown, None if it has ended."""
    if sys.platform == "linux":
        try:
            # The name of the program, in parentheses, may contain anything.
            fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            return None
        return None if fields[0] in ("Z", "X") else fields[19]
    if sys.platform == "win32":
        # A signal would end the process there.
        return ""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except OSError:
        pass
    return ""
