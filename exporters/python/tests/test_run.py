"""`touchstone-run`: a program without a line of code for tracing, with its arguments, exit code and signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from receiver import Receiver

APP = """
import sys
from opentelemetry import trace

trace.get_tracer("app").start_span("work").end()
print("args", sys.argv[1:], __name__)
sys.exit(3)
"""
SERVER = """
from opentelemetry import trace

async def app(scope, receive, send):
    if scope["type"] == "http":
        trace.get_tracer("app").start_span("request").end()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})
"""
RUN = [sys.executable, "-m", "touchstone_otel._run"]


@pytest.fixture
def environment(receiver: Receiver, tmp_path: Path) -> dict[str, str]:
    options = receiver.options
    return {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOME": str(tmp_path),
        "TOUCHSTONE_URL": options["url"],
        "TOUCHSTONE_API_KEY": options["api_key"],
        "TOUCHSTONE_APPLICATION_ID": options["application_id"],
        "OTEL_EXPORTER_OTLP_TIMEOUT": "100",
    }


def run(command: list[str], environment: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*RUN, *command], cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.parametrize("command", [["python", "app.py"], ["app.py"], ["-m", "app"], ["python", "-m", "app"]])
def test_a_program_sends_its_spans_and_keeps_arguments_and_exit_code(
    receiver: Receiver, environment: dict[str, str], tmp_path: Path, command: list[str]
):
    (tmp_path / "app.py").write_text(APP)
    done = run([*command, "-x", "a b"], environment, tmp_path)
    assert (done.stdout, done.returncode) == ("args ['-x', 'a b'] __main__\n", 3), done.stderr
    assert [span.name for span in receiver.spans] == ["work"]


def test_the_sitecustomize_of_the_app_is_loaded_too(receiver: Receiver, environment: dict[str, str], tmp_path: Path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text("print('own')")
    (tmp_path / "app.py").write_text(APP)
    environment["PYTHONPATH"] = os.pathsep.join([environment["PYTHONPATH"], str(tmp_path / "site")])
    assert run(["app.py"], environment, tmp_path).stdout.splitlines()[0] == "own"
    assert len(receiver.spans) == 1


def test_installed_instrumentations_are_turned_on(receiver: Receiver, environment: dict[str, str], tmp_path: Path):
    package = tmp_path / "lib"
    info = package / "stand_in-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stand-in\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[opentelemetry_instrumentor]\nbroken = nowhere:Missing\nstand_in = stand_in:Instrumentor\n"
    )
    (package / "stand_in.py").write_text(
        "class Instrumentor:\n    is_instrumented_by_opentelemetry = False\n"
        "    def instrument(self):\n        print('instrumented')\n"
    )
    (tmp_path / "app.py").write_text(APP)
    environment["PYTHONPATH"] = os.pathsep.join([environment["PYTHONPATH"], str(package)])
    assert run(["app.py"], environment, tmp_path).stdout.splitlines()[0] == "instrumented"
    environment["OTEL_PYTHON_DISABLED_INSTRUMENTATIONS"] = "stand_in"
    assert "instrumented" not in run(["app.py"], environment, tmp_path).stdout


def test_a_signal_reaches_the_program(environment: dict[str, str], tmp_path: Path):
    (tmp_path / "app.py").write_text("import time\nprint('ready', flush=True)\ntime.sleep(600)\n")
    child = subprocess.Popen([*RUN, "app.py"], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "ready\n"
    child.send_signal(signal.SIGTERM)
    assert child.wait(60) == -signal.SIGTERM
    child.stdout.close()


@pytest.mark.parametrize(("command", "code", "text"), [([], 2, "Usage: "), (["--help"], 0, "Usage: "), (["no-such-x"], 127, "no command")])
def test_what_it_says(environment: dict[str, str], tmp_path: Path, command: list[str], code: int, text: str):
    done = run(command, environment, tmp_path)
    assert done.returncode == code and text in done.stdout + done.stderr


def test_workers_of_a_server_send_their_spans(receiver: Receiver, environment: dict[str, str], tmp_path: Path):
    (tmp_path / "app.py").write_text(SERVER)
    address = tmp_path / "socket"
    command = [*RUN, "uvicorn", "--workers", "2", "--lifespan", "off", "--uds", str(address), "app:app"]
    child = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True)
    try:
        deadline = time.monotonic() + 120
        # The socket is there before a worker accepts.
        patience = ["--retry", "60", "--retry-all-errors", "--retry-delay", "1"]
        while not address.exists() and child.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        for _ in range(4):
            subprocess.run(
                ["curl", "-s", *patience, "--unix-socket", str(address), "http://app/"], check=True, env=environment
            )
        while len(receiver.spans) < 4 and time.monotonic() < deadline:
            time.sleep(0.05)
    finally:
        child.terminate()
        _, said = child.communicate(timeout=60)
    assert [span.name for span in receiver.spans] == ["request"] * 4, said
