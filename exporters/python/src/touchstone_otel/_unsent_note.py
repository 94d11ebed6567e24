"""The number of unsent spans, which outlives the process."""

from __future__ import annotations

import json
import os
import re
import secrets
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from ._process_owner import has_ended, own_process

_NAME = re.compile(r"^[0-9a-f]{16}\.unsent$")
_DIGITS = 10
"""Width of the number at the start of the file, so that each overwrites the one before."""
_STALE_SECONDS = 600.0
"""Time after which a process of another machine counts as ended: a number above 0 changes within seconds."""
_MAX_NOTES = 1_000
_RETRY_SECONDS = 10.0
"""Time until a folder that could not be written is opened once more."""


@dataclass(frozen=True)
class UnsentBefore:
    """Spans of processes that ended without a flush."""

    spans: int
    processes: int
    pid: int
    """Number of the latest of these processes."""
    at: float
    """Time at which it wrote its number, in seconds."""

    def sentence(self) -> str:
        """Returns the line that reports them."""
        at = datetime.fromtimestamp(self.at, timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        if self.processes == 1:
            return f"an earlier process ({self.pid}) ended at about {at}, before {self.spans} of its spans were confirmed"
        return (
            f"{self.processes} earlier processes, the last one ({self.pid}) at about {at}, ended before {self.spans} "
            "of their spans were confirmed"
        )


class UnsentNote:
    """Keeps the number of spans that the server has not confirmed in a small file.

    An end that no code can notice (SIGKILL, `os._exit`) leaves the file behind, and the next start reports it. The JavaScript
    package writes the same form. Never raises.
    """

    def __init__(self, folder: str | None, application: str, count: Callable[[], int]) -> None:
        self._is_shared = folder is None
        """True among temporary files, where each user has a folder of their own."""
        self._folder = (Path(folder) if folder else Path(tempfile.gettempdir()) / f"touchstone-{_user()}") / application
        self._count = count
        self._file = self._folder / f"{secrets.token_hex(8)}.unsent"
        self._descriptor: int | None = None
        self._written = 0
        self._pid = os.getpid()
        self._is_closed = False
        self._paused_until = float("-inf")

    def update(self) -> None:
        """Writes the current number. The caller holds the lock that guards it."""
        count = self._count()
        if count == self._written or self._is_closed or time.monotonic() < self._paused_until:
            return
        try:
            if self._descriptor is None:
                self._descriptor = self._open()
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            os.write(self._descriptor, str(count).rjust(_DIGITS).encode())
            self._written = count
        except OSError:
            # Without a folder that can be written, nothing is noted.
            self._paused_until = time.monotonic() + _RETRY_SECONDS

    def close(self) -> None:
        """Deletes the number: the process ends in a way that can be noticed. In a forked child, it is that of the parent."""
        self._is_closed = True
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is None:
            return
        try:
            os.close(descriptor)
            if self._pid == os.getpid():
                self._file.unlink(missing_ok=True)
        except OSError:
            pass

    def take_before(self) -> UnsentBefore | None:
        """Deletes what ended processes have left, and returns their spans. Of several processes, one gets each."""
        found: list[tuple[float, int, int]] = []
        try:
            if not self._is_own_folder():
                return None
            for name in [name for name in os.listdir(self._folder) if _NAME.match(name)][:_MAX_NOTES]:
                note = _take_note(self._folder / name)
                if note is not None:
                    found.append(note)
        except OSError:
            # The folder does not exist, or may not be read.
            pass
        if not found:
            return None
        at, pid, _ = max(found)
        return UnsentBefore(sum(spans for _, _, spans in found), len(found), pid, at)

    def _open(self) -> int:
        if self._is_shared:
            self._folder.parent.mkdir(mode=0o700, exist_ok=True)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not self._is_own_folder():
            raise PermissionError("the folder belongs to another user")
        descriptor = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(descriptor, f"{'0'.rjust(_DIGITS)}\n{json.dumps(own_process())}\n".encode())
        except OSError:
            # A file without its owner would stay.
            os.close(descriptor)
            self._file.unlink(missing_ok=True)
            raise
        return descriptor

    def _is_own_folder(self) -> bool:
        """Reports whether the folder can be trusted: in a place that all users may write, another one may have created it."""
        if not self._is_shared or not hasattr(os, "getuid"):
            return True
        parent = self._folder.parent
        return parent.is_dir() and not parent.is_symlink() and parent.lstat().st_uid == os.getuid()


def _take_note(file: Path) -> tuple[float, int, int] | None:
    """Returns the time, the process and the spans of a note if its process has ended, and deletes it."""
    try:
        at = file.stat().st_mtime
        count, owner, *_ = file.read_text().split("\n")
        identity = json.loads(owner)
        is_over = has_ended(identity)
        if is_over is None:
            is_over = time.time() - at > _STALE_SECONDS
        if not is_over:
            return None
        file.unlink()
        return (at, int(identity["pid"]), int(count)) if int(count) > 0 else None
    except (OSError, KeyError, TypeError, ValueError):
        # Another process has taken it, or it is being written.
        return None


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else "user"
