"""What a developer sees on standard error without having configured any logging."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from conftest import Application

APP = """
from opentelemetry import trace
from touchstone_otel import register, with_test
touchstone = register({options})
for n in range(3):
    with with_test("{test_id}"):
        trace.get_tracer("app").start_span("answer").end()
    touchstone.flush()
"""
UUID = "7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60"


def stderr_of(env: dict[str, str], options: str = "", test_id: str = UUID) -> str:
    script = APP.format(options=options, test_id=test_id)
    app = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, timeout=240)
    assert app.returncode == 0, app.stderr
    return app.stderr


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (
            {"TOUCHSTONE_API_KEY": "sk_abcdefghijkl_wrong"},
            "1 span was lost: HTTP 401 from http://127.0.0.1:PORT (The API key is not valid). "
            "Check TOUCHSTONE_API_KEY and TOUCHSTONE_APPLICATION_ID: the key must be valid for the application.",
        ),
        ({"TOUCHSTONE_API_KEY": ""}, "1 span was lost: HTTP 401, TOUCHSTONE_API_KEY not set. Set TOUCHSTONE_API_KEY."),
        (
            {"TOUCHSTONE_URL": "http://127.0.0.1:1", "OTEL_EXPORTER_OTLP_TIMEOUT": "0.1"},
            "1 span was lost: no response from http://127.0.0.1:1 ([Errno 111] Connection refused). "
            "Start the server, or set TOUCHSTONE_URL.",
        ),
        (
            {"TOUCHSTONE_URL": "127.0.0.1:4318"},
            "1 span was lost: the configured url is no http address. Set TOUCHSTONE_URL to the address of the server.",
        ),
    ],
)
def test_the_first_loss_is_one_line_with_reason_and_remedy_and_the_last_one_the_total(application: Application, change: dict[str, str], line: str):
    stderr = stderr_of({**application.environment, **change})
    total = "touchstone: 3 spans were lost since the start of the process.\n"
    assert re.sub(application.url.rsplit(":", 1)[1], "PORT", stderr) == f"touchstone: {line}\n{total}"


def test_a_test_id_that_is_no_uuid_is_reported_once(application: Application):
    stderr = stderr_of(application.environment, test_id="test-1")
    assert stderr == (
        "touchstone: the test id 'test-1' is no UUID, so its spans belong to no test. "
        "Pass the testId of the webhook to with_test().\n"
    )


def test_losses_are_silent_on_request(application: Application):
    wrong = {**application.environment, "TOUCHSTONE_API_KEY": "sk_abcdefghijkl_wrong"}
    assert stderr_of(wrong, "report_loss=False") == ""


def test_debug_writes_each_step_without_the_key(application: Application):
    lines = stderr_of({**application.environment, "TOUCHSTONE_DEBUG": "1"}).splitlines()
    assert lines[0] == f"touchstone: sends spans to {application.url} for {application.id}"
    assert lines[1:] == ["touchstone: sent a batch: 1 stored, 0 rejected"] * 3
    assert application.key not in "".join(lines)
