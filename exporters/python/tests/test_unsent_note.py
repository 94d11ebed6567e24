"""An end that nothing can notice is reported by the next start."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Application
from receiver import Receiver

SPANS = 3
SETUP = """
import multiprocessing, os, signal, time
from opentelemetry import trace
from touchstone_otel import register
touchstone = register({options})

def work():
    for n in range(3):
        trace.get_tracer("app").start_span("answer").end()
"""
WAITS = "work(); print('worked', flush=True); time.sleep(240)"
NEXT = "time.sleep(0.3)"
LINE = (
    f"touchstone: an earlier process (N) ended at about TIME, before {SPANS} of its spans were confirmed. "
    "Call shutdown() before the end, or set flush_on_signals or spool_dir.\n"
)


def start(receiver: Receiver, folder: Path, program: str, options: str = "", **env: str) -> subprocess.Popen[str]:
    names = {"url": "TOUCHSTONE_URL", "api_key": "TOUCHSTONE_API_KEY", "application_id": "TOUCHSTONE_APPLICATION_ID"}
    own = {names[name]: value for name, value in receiver.options.items()}
    # Nothing is sent before the end, and a busy machine may need longer than 5 s.
    limits = {"OTEL_BSP_SCHEDULE_DELAY": "1000000", "OTEL_EXPORTER_OTLP_TIMEOUT": "100"}
    return subprocess.Popen(
        [sys.executable, "-c", SETUP.format(options=options) + program],
        env={
            **Application("", "", "").environment,
            **own,
            **limits,
            "TOUCHSTONE_STATE_DIR": "",
            "TMPDIR": str(folder),
            **env,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def end(process: subprocess.Popen[str], by: signal.Signals = signal.SIGKILL) -> None:
    assert process.stdout
    assert process.stdout.readline() == "worked\n"
    process.send_signal(by)
    process.communicate(timeout=240)


def said_by(process: subprocess.Popen[str]) -> str:
    _, stderr = process.communicate(timeout=240)
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME", re.sub(r"\(\d+\)", "(N)", stderr))


def notes(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.unsent"))


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM])
def test_the_next_start_reports_once_what_a_killed_process_had_not_sent(
    receiver: Receiver, tmp_path: Path, by: signal.Signals
):
    end(start(receiver, tmp_path, WAITS), by)
    assert said_by(start(receiver, tmp_path, NEXT)) == LINE
    assert said_by(start(receiver, tmp_path, NEXT)) == ""
    assert notes(tmp_path) == []


@pytest.mark.parametrize(
    "program",
    [
        "work(); os._exit(0)",
        "pid = os.fork() or (work(), os._exit(0)); os.waitpid(pid, 0)",
    ],
)
def test_the_next_start_reports_what_an_exit_without_hooks_had_not_sent(
    receiver: Receiver, tmp_path: Path, program: str
):
    said_by(start(receiver, tmp_path, program))
    assert said_by(start(receiver, tmp_path, NEXT)) == LINE


@pytest.mark.parametrize(
    "program",
    [
        "work()",
        "work(); touchstone.shutdown()",
        "work(); touchstone.flush(); os.kill(os.getpid(), signal.SIGKILL)",
        "p = multiprocessing.get_context('fork').Process(target=work); p.start(); p.join()",
        "work(); pid = os.fork() or os._exit(0); os.waitpid(pid, 0)",
    ],
)
def test_other_ends_leave_nothing(receiver: Receiver, tmp_path: Path, program: str):
    said_by(start(receiver, tmp_path, program))
    assert said_by(start(receiver, tmp_path, NEXT)) == ""
    assert notes(tmp_path) == []


def test_several_processes_are_added_up(receiver: Receiver, tmp_path: Path):
    # The second one would report the first one if it began later.
    processes = [start(receiver, tmp_path, WAITS) for _ in range(2)]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "worked\n"
    for process in processes:
        process.kill()
        process.communicate(timeout=240)
    assert said_by(start(receiver, tmp_path, NEXT)).startswith(
        "touchstone: 2 earlier processes, the last one (N) at about TIME, ended before 6 of their spans were confirmed. "
    )


def test_a_process_that_lives_is_not_reported(receiver: Receiver, tmp_path: Path):
    living = start(receiver, tmp_path, WAITS)
    assert living.stdout
    living.stdout.readline()
    assert said_by(start(receiver, tmp_path, NEXT)) == ""
    living.kill()
    living.communicate(timeout=240)


@pytest.mark.parametrize(
    ("options", "env"),
    [("state_dir=False", {}), ("report_loss=False", {}), ("", {"TOUCHSTONE_STATE_DIR": "off"})],
)
def test_nothing_is_noted_if_it_is_not_wanted(receiver: Receiver, tmp_path: Path, options: str, env: dict[str, str]):
    end(start(receiver, tmp_path, WAITS, options, **env))
    assert notes(tmp_path) == []


def test_the_folder_is_the_one_that_is_set_or_the_spool(receiver: Receiver, tmp_path: Path):
    end(start(receiver, tmp_path, WAITS, TOUCHSTONE_STATE_DIR=str(tmp_path / "state")))
    assert [note.parts[-3] for note in notes(tmp_path)] == ["state"]
    assert said_by(start(receiver, tmp_path, NEXT, f"state_dir={str(tmp_path / 'state')!r}")) == LINE

    end(start(receiver, tmp_path, WAITS, TOUCHSTONE_SPOOL_DIR=str(tmp_path / "spool")))
    assert [note.parts[-3] for note in notes(tmp_path)] == ["spool"]


def test_a_folder_of_others_is_not_used(receiver: Receiver, tmp_path: Path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / f"touchstone-{os.getuid()}").symlink_to(tmp_path / "elsewhere")
    end(start(receiver, tmp_path, WAITS))
    assert notes(tmp_path) == []


def test_spans_in_the_spool_are_not_counted(receiver: Receiver, tmp_path: Path):
    env = {"TOUCHSTONE_SPOOL_DIR": str(tmp_path), "TOUCHSTONE_URL": "http://127.0.0.1:1", "OTEL_EXPORTER_OTLP_TIMEOUT": "1"}
    kept = "work(); touchstone.flush(); work(); print('worked', flush=True); time.sleep(240)"
    end(start(receiver, tmp_path, kept, **env))
    assert notes(tmp_path)[0].read_text().split("\n")[0] == str(SPANS).rjust(10)
