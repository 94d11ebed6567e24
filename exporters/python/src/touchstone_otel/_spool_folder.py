"""Files of a spool: a folder of an application, which several processes may share."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._process_owner import has_ended, own_process

_FIRST_LINE = b"touchstone-spool 1"
_FILE_NAME = re.compile(r"^([0-9a-f]{16})-\d+-(\d+)-(\d+)\.(batch|tmp|damaged)$")
"""Owner, number, spans and bytes of a file, in its name: so the size of the folder is known by its list."""
_LEASE_NAME = re.compile(r"^([0-9a-f]{16})\.lease$")
_BLOCK_BYTES = 4_096
_SAY_INTERVAL_SECONDS = 60.0
"""Shortest time between two lines about problems, between which the folder could be written."""
_STALE_SECONDS = 30.0
"""Time without a sign of life after which a process counts as ended."""


@dataclass(frozen=True)
class Batch:
    """The body of a request, as it is sent."""

    body: bytes
    headers: Mapping[str, str]
    spans: int


@dataclass(frozen=True)
class SpoolFile:
    """A file of the spool, which holds a batch."""

    name: str
    spans: int
    is_own: bool
    """True if this process made the batch."""


class SpoolError(Exception):
    """Why a batch cannot be kept, and what to do about it."""

    def __init__(self, reason: str, remedy: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.remedy = remedy


class DamagedFile(Exception):
    """A file whose contents are not what was written. It has been renamed."""


class SpoolFolder:
    """A folder of files, and a lease that shows that this process lives. The JavaScript package has the same form."""

    def __init__(self, folder: str, application: str, max_bytes: int, notice: Callable[[str], None]) -> None:
        self.path = Path(folder) / application
        self._max_bytes = max_bytes
        self._notice = notice
        self._owner = secrets.token_hex(8)
        self._lease = self.path / f"{self._owner}.lease"
        self._number = 0
        self._has_said_problem = False
        self._said_at = float("-inf")
        self._pid = os.getpid()

    @property
    def is_inherited(self) -> bool:
        """True in a forked child: the files are those of the parent."""
        return self._pid != os.getpid()

    def add(self, batch: Batch) -> SpoolFile:
        """Writes a batch. Raises a `SpoolError` if that is not possible."""
        try:
            self._open()
            content = _content_of(batch)
            used = sum(_size_of(name) for name in os.listdir(self.path))
            if used + _on_disk(len(content)) > self._max_bytes:
                raise SpoolError("the spool is full", "Raise max_spool_bytes to keep more.")
            file = self._write(content, batch.spans)
        except OSError as error:
            self._say(error)
            raise SpoolError(f"the spool cannot be written ({error})", _remedy_for(error)) from error
        self._has_said_problem = False
        return file

    def read(self, file: SpoolFile) -> Batch | None:
        """Reads a batch. Returns None if another process has taken it over, and raises `DamagedFile` if it is damaged."""
        path = self.path / file.name
        try:
            batch = _batch_of(path.read_bytes())
            if batch is not None and batch.spans == file.spans:
                return batch
            path.rename(path.with_suffix(".damaged"))
        except FileNotFoundError:
            return None
        except OSError as error:
            self._say(error)
        raise DamagedFile

    def remove(self, file: SpoolFile) -> None:
        """Deletes a file; one that is gone is fine."""
        try:
            (self.path / file.name).unlink(missing_ok=True)
        except OSError as error:
            self._say(error)

    def take_over(self) -> list[SpoolFile]:
        """Shows other processes that this one lives, and makes the files of those that have ended files of this one."""
        taken: list[SpoolFile] = []
        try:
            self._open()
            names = sorted(os.listdir(self.path))
            for owner in {_owner_of(name) for name in names} - {None, self._owner}:
                lease = self.path / f"{owner}.lease"
                if not _is_expired(lease):
                    continue
                for name in names:
                    if _owner_of(name) == owner:
                        taken += self._take_file(name)
                lease.unlink(missing_ok=True)
        except OSError as error:
            self._say(error)
        return taken

    def close(self) -> None:
        """Leaves the files to the next process."""
        try:
            self._lease.unlink(missing_ok=True)
        except OSError:
            pass

    def _open(self) -> None:
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            os.utime(self._lease)
        except FileNotFoundError:
            try:
                _write_new(self._lease, json.dumps(own_process()).encode())
            except OSError:
                # On a full disk it would be empty, and the next start could not see that its process has ended.
                self._lease.unlink(missing_ok=True)
                raise

    def _write(self, content: bytes, spans: int) -> SpoolFile:
        path = self.path / self._name_of(spans, len(content))
        unfinished = path.with_suffix(".tmp")
        try:
            _write_new(unfinished, content)
            unfinished.rename(path)
        except OSError:
            unfinished.unlink(missing_ok=True)
            raise
        return SpoolFile(path.name, spans, is_own=True)

    def _take_file(self, name: str) -> list[SpoolFile]:
        """Renames a file of an ended process. Of several processes that try it, one succeeds."""
        match = _FILE_NAME.match(name)
        if match is None:
            return []
        if match[4] == "tmp":
            (self.path / name).unlink(missing_ok=True)
        if match[4] != "batch":
            return []
        spans = int(match[2])
        own = self._name_of(spans, int(match[3]))
        try:
            (self.path / name).rename(self.path / own)
        except FileNotFoundError:
            return []
        return [SpoolFile(own, spans, is_own=False)]

    def _name_of(self, spans: int, size: int) -> str:
        self._number += 1
        return f"{self._owner}-{self._number}-{spans}-{size}.batch"

    def _say(self, error: OSError) -> None:
        now = time.monotonic()
        if not self._has_said_problem and now - self._said_at >= _SAY_INTERVAL_SECONDS:
            self._has_said_problem = True
            self._said_at = now
            self._notice(f"the spool {self.path} cannot be used ({error}). {_remedy_for(error)}")


def _write_new(path: Path, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _remedy_for(error: OSError) -> str:
    return "Free space on its disk." if error.errno in (errno.ENOSPC, errno.EDQUOT) else "Check spool_dir."


def _content_of(batch: Batch) -> bytes:
    head = {
        "headers": dict(batch.headers),
        "spans": batch.spans,
        "bytes": len(batch.body),
        "sha256": hashlib.sha256(batch.body).hexdigest(),
    }
    return b"\n".join([_FIRST_LINE, json.dumps(head).encode(), batch.body])


def _batch_of(content: bytes) -> Batch | None:
    try:
        first, second, body = content.split(b"\n", 2)
        head: Any = json.loads(second)
        is_intact = (
            first == _FIRST_LINE and head["bytes"] == len(body) and head["sha256"] == hashlib.sha256(body).hexdigest()
        )
        return Batch(body, dict(head["headers"]), int(head["spans"])) if is_intact else None
    except (KeyError, TypeError, ValueError):
        return None


def _owner_of(name: str) -> str | None:
    match = _FILE_NAME.match(name) or _LEASE_NAME.match(name)
    return match[1] if match else None


def _size_of(name: str) -> int:
    match = _FILE_NAME.match(name)
    return _on_disk(int(match[3])) if match else 0


def _on_disk(size: int) -> int:
    return -(-size // _BLOCK_BYTES) * _BLOCK_BYTES


def _is_expired(lease: Path) -> bool:
    """Reports whether the process of a lease has ended, or shows no sign of life. A lease that is missing was deleted by its owner."""
    try:
        if abs(time.time() - lease.stat().st_mtime) > _STALE_SECONDS:
            return True
        return has_ended(json.loads(lease.read_text())) is True
    except FileNotFoundError:
        return True
    except (OSError, KeyError, TypeError, ValueError):
        return False
