"""What becomes of the last spans, however a process ends."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
from conftest import Application
from receiver import Receiver

SETUP = """
import multiprocessing, os, signal, sys, time
from concurrent.futures import ProcessPoolExecutor
from opentelemetry import trace
from touchstone_otel import register
touchstone = register({options})

def work(n=0):
    trace.get_tracer("app").start_span("answer").end()
    return n
"""


def start(receiver: Receiver, program: str, options: str = "") -> subprocess.Popen[str]:
    names = {"url": "TOUCHSTONE_URL", "api_key": "TOUCHSTONE_API_KEY", "application_id": "TOUCHSTONE_APPLICATION_ID"}
    env = {names[name]: value for name, value in receiver.options.items()}
    # Nothing is sent before the end, and a busy machine may need longer than 5 s.
    env |= {"OTEL_BSP_SCHEDULE_DELAY": "1000000", "OTEL_EXPORTER_OTLP_TIMEOUT": "100"}
    script = SETUP.format(options=options) + program
    return subprocess.Popen(
        [sys.executable, "-c", script],
        env={**Application("", "", "").environment, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize(
    ("how", "program", "spans"),
    [
        ("natural", "work()", 1),
        ("sys.exit", "work(); sys.exit(0)", 1),
        ("fork", "p = multiprocessing.get_context('fork').Process(target=work); p.start(); p.join()", 1),
        ("pool", "with multiprocessing.get_context('fork').Pool(2) as pool: pool.map(work, range(20)); pool.close(); pool.join()", 20),
        (
            "executor",
            "with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context('fork')) as pool: list(pool.map(work, range(20)))",
            20,
        ),
    ],
)
def test_the_last_spans_are_sent(receiver: Receiver, how: str, program: str, spans: int):
    process = start(receiver, program)
    _, stderr = process.communicate(timeout=240)
    assert (process.returncode, stderr) == (0, "")
    assert len(receiver.spans) == spans


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_the_last_spans_of_new_processes_are_sent(receiver: Receiver, tmp_path: object, method: str):
    script = f"""{SETUP.format(options="")}
if __name__ == "__main__":
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("{method}")) as pool:
        list(pool.map(work, range(20)))
"""
    file = f"{tmp_path}/app.py"
    with open(file, "w") as app:
        app.write(script)
    process = start(receiver, f"os.execv(sys.executable, [sys.executable, {file!r}])")
    _, stderr = process.communicate(timeout=240)
    assert (process.returncode, stderr) == (0, "")
    assert len(receiver.spans) == 20


WAITS = "work(); print('worked', flush=True); time.sleep(240)"


def ended_by_sigterm(process: subprocess.Popen[str]) -> int:
    assert process.stdout
    assert process.stdout.readline() == "worked\n"
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=240)
    return process.returncode


def test_sigterm_ends_a_process_as_without_this_package(receiver: Receiver):
    assert ended_by_sigterm(start(receiver, WAITS)) == -signal.SIGTERM
    assert receiver.spans == []


def test_sigterm_ends_a_process_with_flush_on_signals_only_after_its_spans_are_stored(receiver: Receiver):
    assert ended_by_sigterm(start(receiver, WAITS, "flush_on_signals=True")) == -signal.SIGTERM
    assert len(receiver.spans) == 1


def test_sigterm_is_left_to_an_app_that_handles_it(receiver: Receiver):
    handles = "signal.signal(signal.SIGTERM, lambda *_: sys.exit(7)); "
    assert ended_by_sigterm(start(receiver, handles + WAITS, "flush_on_signals=True")) == 7
    assert len(receiver.spans) == 1


def test_the_total_of_losses_is_written_after_the_last_flush(receiver: Receiver):
    receiver.close()
    # One batch fails before the end, the other one at the end.
    program = "work(); touchstone.flush(); work()"
    process = start(receiver, program, "timeout_millis=300")
    _, stderr = process.communicate(timeout=240)
    first, last = stderr.splitlines()
    assert first.startswith("touchstone: 1 span was lost: ")
    assert last == "touchstone: 2 spans were lost since the start of the process."
