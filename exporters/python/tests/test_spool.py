"""Spans that outlive their process, in a folder."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from conftest import Application
from receiver import Answer, Receiver

SPANS = 3
NOBODY = "http://127.0.0.1:1"
APPLICATION = "b5e8d0a2-53f8-4c0e-9a4b-3f4a4e0e2d11"

SETUP = """
import dataclasses, json, os, sys, time
from opentelemetry import trace
from touchstone_otel import register
touchstone = register({options})

def say():
    print(json.dumps(dataclasses.asdict(touchstone.stats())), flush=True)

def work(name, spans=3):
    for n in range(spans):
        trace.get_tracer("app").start_span(f"{{name}}-{{n}}", attributes={{"text": "my key is 1234"}}).end()
    touchstone.flush()
    # A slow machine may need longer than a flush waits.
    while touchstone.stats().waiting + touchstone.stats().in_flight:
        time.sleep(0.01)
    say()
"""
SENDS = """
def settled():
    spool = touchstone.stats().spool
    return spool.sent + spool.failed

while settled() < {spans}:
    time.sleep(0.01)
say()
"""


def start(url: str, folder: Path, program: str, options: str = "", **env: str) -> subprocess.Popen[str]:
    own = {
        "TOUCHSTONE_API_KEY": "sk_key_secret",
        "TOUCHSTONE_APPLICATION_ID": APPLICATION,
        "TOUCHSTONE_URL": url,
        "TOUCHSTONE_SPOOL_DIR": str(folder),
        # In seconds.
        "OTEL_EXPORTER_OTLP_TIMEOUT": "1" if url == NOBODY else "100",
    }
    return subprocess.Popen(
        [sys.executable, "-c", SETUP.format(options=options) + program],
        env={**Application("", "", "").environment, **own, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def stats_of(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout
    return json.loads(process.stdout.readline())


def leave_spans(folder: Path, name: str, **env: str) -> dict[str, Any]:
    """Runs a program against no server until its spans are in the spool, and ends it by SIGKILL."""
    process = start(NOBODY, folder, f"work({name!r}); time.sleep(240)", **env)
    stats = stats_of(process)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=240)
    return stats


def send_rest(receiver: Receiver, folder: Path, spans: int = SPANS, **env: str) -> tuple[dict[str, Any], str]:
    process = start(receiver.url, folder, SENDS.format(spans=spans), **env)
    stats = stats_of(process)
    _, stderr = process.communicate(timeout=240)
    assert process.returncode == 0
    return stats, stderr


def files(folder: Path, ending: str = ".batch") -> list[Path]:
    return sorted(folder.rglob(f"*{ending}"))


def names(receiver: Receiver) -> list[str]:
    return sorted(span.name for span in receiver.spans)


def names_from(programs: Sequence[str]) -> list[str]:
    return [f"{name}-{n}" for name in programs for n in range(SPANS)]


def test_spans_of_a_killed_program_are_stored_once_by_the_next_start(own_application: Application, tmp_path: Path):
    env = {"TOUCHSTONE_API_KEY": own_application.key, "TOUCHSTONE_APPLICATION_ID": own_application.id}
    stats = leave_spans(tmp_path, "killed", **env)
    assert (stats["ended"], stats["failed"], stats["spool"]["waiting"]) == (SPANS, 0, SPANS)

    next_start = start(own_application.url, tmp_path, SENDS.format(spans=SPANS), **env)
    stats = stats_of(next_start)
    _, stderr = next_start.communicate(timeout=240)
    assert (stats["exported"], stats["spool"]) == (0, {"waiting": 0, "sent": SPANS, "dropped": 0, "failed": 0})
    assert stderr == (
        f"touchstone: the spool {tmp_path / own_application.id}: 0 spans wait for the next start, {SPANS} were sent, "
        "0 were lost because it was full, 0 of earlier processes were lost.\n"
    )
    ledger = own_application.call("/v0/ingest/ledger")["data"]
    assert [sum(row[field] for row in ledger) for field in ("stored", "duplicate")] == [SPANS, 0]
    assert files(tmp_path, "") == [tmp_path / own_application.id]


def test_a_batch_whose_response_was_never_seen_is_sent_again(receiver: Receiver, tmp_path: Path):
    receiver.behave = lambda n: Answer(delay=240 if n == 0 else 0)
    process = start(receiver.url, tmp_path, "work('killed')", "redact=lambda text, key: text.replace('1234', '****')")
    while not (files(tmp_path) and receiver.requests):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=240)
    receiver.requests.clear()
    receiver.behave = lambda _: Answer()
    send_rest(receiver, tmp_path)
    assert names(receiver)[-SPANS:] == names_from(["killed"])
    assert "1234" not in str(receiver.spans)


def test_a_program_sends_what_it_has_kept_when_the_server_is_back(receiver: Receiver, tmp_path: Path):
    receiver.behave = lambda _: Answer(503)
    waits = "while touchstone.stats().spool.waiting: time.sleep(0.01)\nsay()"
    process = start(receiver.url, tmp_path, f"work('kept')\n{waits}", "timeout_millis=300")
    assert stats_of(process)["spool"]["waiting"] == SPANS
    receiver.behave = lambda _: Answer()
    stats = stats_of(process)
    _, stderr = process.communicate(timeout=240)
    assert (stats["exported"], stats["failed"], stats["spool"]["sent"]) == (SPANS, 0, SPANS)
    assert "HTTP 503" in stderr.splitlines()[0]
    assert files(tmp_path) == []


def test_what_several_programs_have_left_is_taken_over_once(receiver: Receiver, tmp_path: Path):
    programs = ["a", "b", "c"]
    for name in programs:
        leave_spans(tmp_path, name)
    takers = [start(receiver.url, tmp_path, "time.sleep(240)") for _ in range(2)]
    deadline = time.monotonic() + 240
    while (files(tmp_path) or len(receiver.spans) < len(programs) * SPANS) and time.monotonic() < deadline:
        time.sleep(0.01)
    for process in takers:
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=240)
    assert names(receiver) == names_from(programs)
    assert files(tmp_path) == []


def test_the_files_of_a_living_process_stay(receiver: Receiver, tmp_path: Path):
    living = start(NOBODY, tmp_path, "work('living'); time.sleep(240)")
    stats_of(living)
    other = start(receiver.url, tmp_path, "work('other')")
    other.communicate(timeout=240)
    left = files(tmp_path)
    living.kill()
    living.communicate(timeout=240)
    assert len(left) == 1
    assert names(receiver) == names_from(["other"])


def test_a_damaged_file_is_set_aside_and_reported(receiver: Receiver, tmp_path: Path):
    leave_spans(tmp_path, "damaged")
    damaged = files(tmp_path)[0]
    damaged.write_bytes(damaged.read_bytes()[:-1])
    leave_spans(tmp_path / "other", "intact")
    (intact,) = files(tmp_path / "other")
    intact.rename(damaged.parent / intact.name)
    stats, stderr = send_rest(receiver, tmp_path, 2 * SPANS)
    assert stats["spool"] == {"waiting": 0, "sent": SPANS, "dropped": 0, "failed": SPANS}
    assert "in the spool is damaged. It was renamed" in stderr
    assert len(files(tmp_path, ".damaged")) == 1


def test_a_full_spool_keeps_what_it_has_and_loses_and_counts_the_rest(tmp_path: Path):
    process = start(NOBODY, tmp_path, "work('first'); work('late', 1)", TOUCHSTONE_MAX_SPOOL_BYTES="4096")
    stats_of(process)
    stats = stats_of(process)
    _, stderr = process.communicate(timeout=240)
    assert (stats["ended"], stats["failed"], stats["spool"]["waiting"], stats["spool"]["dropped"]) == (4, 1, 3, 1)
    assert ", and the spool is full. Start the server, or set TOUCHSTONE_URL. Raise max_spool_bytes" in stderr
    assert f"{SPANS} spans wait for the next start, 0 were sent, 1 were lost because it was full" in stderr


def test_a_folder_that_cannot_be_written_is_reported_once_and_spans_are_sent_without_it(receiver: Receiver, tmp_path: Path):
    (tmp_path / "file").write_text("")
    process = start(receiver.url, tmp_path / "file", "work('a'); work('b')")
    _, stderr = process.communicate(timeout=240)
    assert process.returncode == 0
    assert stderr.count("\n") == 1
    assert stderr.startswith("touchstone: the spool ") and "cannot be used" in stderr
    assert names(receiver) == names_from(["a", "b"])


def test_a_batch_that_the_server_finds_too_large_later_is_divided(receiver: Receiver, tmp_path: Path):
    leave_spans(tmp_path, "large")
    receiver.judge = lambda spans, _: Answer(413 if len(spans) > 1 else 200)
    stats, _ = send_rest(receiver, tmp_path)
    assert stats["spool"] == {"waiting": 0, "sent": SPANS, "dropped": 0, "failed": 0}
    stored = [request.spans[0] for request in receiver.requests if len(request.spans) == 1]
    assert sorted(span.name for span in stored) == names_from(["large"])
    assert [attribute.key for attribute in stored[0].attributes] == ["text"]
    assert files(tmp_path) == []


def test_a_forked_child_keeps_files_of_its_own_beside_those_of_its_parent(receiver: Receiver, tmp_path: Path):
    forks = """
work("parent")
child = os.fork()
if child == 0:
    work("child")
    os._exit(0)
os.waitpid(child, 0)
say()
time.sleep(240)
"""
    process = start(NOBODY, tmp_path, forks)
    assert [stats_of(process)["spool"]["waiting"] for _ in range(3)] == [SPANS] * 3
    assert len(files(tmp_path)) == 2
    # The parent may have taken over those of the child, which has ended.
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=240)
    send_rest(receiver, tmp_path, spans=2 * SPANS)
    assert names(receiver) == names_from(["child", "parent"])


def test_spans_of_another_application_stay(receiver: Receiver, tmp_path: Path):
    leave_spans(tmp_path, "other", TOUCHSTONE_APPLICATION_ID="00000000-0000-4000-8000-000000000000")
    leave_spans(tmp_path, "own")
    send_rest(receiver, tmp_path)
    assert names(receiver) == names_from(["own"])
    assert len(files(tmp_path)) == 1


FILL = """
def fill():
    folder = os.environ["TOUCHSTONE_SPOOL_DIR"]
    while (status := os.statvfs(folder)).f_bavail:
        with open(folder + "/filler", "ab") as file:
            file.write(bytes(status.f_bavail * status.f_frsize))

def free():
    os.unlink(os.environ["TOUCHSTONE_SPOOL_DIR"] + "/filler")
"""
"""Functions of the program that leave no byte of the disk free, and free it again."""


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk in memory, which only root may mount."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "touchstone-test", str(tmp_path)], check=True)
    yield tmp_path
    subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


def test_a_full_disk_loses_what_it_cannot_keep_and_keeps_again_what_follows(receiver: Receiver, disk: Path):
    program = "fill(); work('lost'); free(); work('kept'); time.sleep(240)"
    process = start(NOBODY, disk, FILL + program, TOUCHSTONE_STATE_DIR=str(disk))
    full, free = stats_of(process), stats_of(process)
    # A file that is being written when the process is killed may stay.
    until = time.monotonic() + 60
    while files(disk, ".tmp") and time.monotonic() < until:
        time.sleep(0.01)
    assert files(disk, ".tmp") == []
    process.send_signal(signal.SIGKILL)
    _, stderr = process.communicate(timeout=240)
    assert (full["ended"], full["failed"], full["spool"]["waiting"], full["spool"]["dropped"]) == (SPANS, SPANS, 0, SPANS)
    assert (free["ended"], free["failed"], free["spool"]["waiting"]) == (2 * SPANS, SPANS, SPANS)
    (loss,) = [line for line in stderr.splitlines() if "lost" in line]
    # On a slow machine the first spans may be sent, and lost, before the others have ended.
    assert re.match(r"touchstone: \d+ spans? (?:was|were) lost: ", loss)
    assert "and the spool cannot be written ([Errno 28] No space left on device" in loss
    assert loss.endswith("Free space on its disk.")
    assert [path for path in files(disk, ".lease") + files(disk, ".unsent") if path.stat().st_size == 0] == []
    stats, _ = send_rest(receiver, disk)
    assert (stats["spool"]["sent"], names(receiver)) == (SPANS, names_from(["kept"]))


def test_a_full_disk_loses_nothing_while_the_server_responds(receiver: Receiver, disk: Path):
    process = start(receiver.url, disk, FILL + "fill(); work('a'); free(); work('b'); fill(); work('c')")
    _, stderr = process.communicate(timeout=240)
    assert process.returncode == 0
    assert names(receiver) == names_from(["a", "b", "c"])
    (line,) = stderr.splitlines()
    assert "cannot be used ([Errno 28] No space left on device" in line
    assert line.endswith("Free space on its disk.")
