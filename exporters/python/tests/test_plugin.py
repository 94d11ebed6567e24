"""The pytest plugin, in a pytest of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from conftest import Application

SUITE = """
import pytest
from opentelemetry import trace
from touchstone_otel import current_test_id

def answer(question, text):
    with trace.get_tracer("app").start_as_current_span("answer") as span:
        span.set_attributes({"input.value": question, "output.value": text})

@pytest.fixture
def text():
    return "Paris"

@pytest.mark.touchstone(tasks=["Capitals"], repeat=2)
def test_right(touchstone_test, text):
    assert current_test_id() == touchstone_test.test_id
    answer(touchstone_test.prompt, text)

@pytest.mark.touchstone(tasks=["Capitals"])
async def test_wrong(touchstone_test):
    answer(touchstone_test.prompt, "Lima")

@pytest.mark.touchstone(tasks=["Capitals"], fail_under=0)
def test_tolerated(touchstone_test):
    answer(touchstone_test.prompt, "Lima")

@pytest.mark.touchstone(tasks=["Capitals"])
def test_broken(touchstone_test):
    raise ZeroDivisionError("the app is broken")

@pytest.mark.touchstone(tasks=["Rivers"])
def test_unknown(touchstone_test):
    pass

def test_ordinary():
    pass
"""


def test_functions_run_as_the_app_of_tests_and_fail_by_their_verdicts(own_application: Application, tmp_path: Path):
    own_application.call("/v0/webhook", {"url": "https://nowhere.invalid/"})
    fields = {"title": "Capitals", "type": "STATIC", "inputExamples": ["Of France?"]}
    task = own_application.call("/v0/tasks", fields)["task"]
    config = {"assertions": [{"type": "contains", "value": "Paris"}]}
    definition = own_application.call("/v0/definitions", {"name": "Right", "type": "ASSERT", "globalConfig": config})["data"]
    own_application.call("/v0/definitions/link", {"evalIds": [definition["id"]], "taskIds": [task["id"]]})
    (tmp_path / "test_app.py").write_text(SUITE)
    options = ["-q", "-p", "no:cacheprovider", "-W", "error", "--tb=short", "-p", "no:anyio"]
    command = [sys.executable, "-m", "pytest", *options, str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, env=own_application.environment, capture_output=True, text=True, timeout=600)
    printed = done.stdout + done.stderr
    assert "3 failed, 3 passed" in printed, printed
    for name in ("test_right", "test_tolerated", "test_ordinary"):
        assert f"FAILED test_app.py::{name}" not in printed, printed
    assert "The pass rate is 0 %, below 100 % (1 tests)" in printed
    assert "Of France? (test " in printed and "): Right: " in printed
    assert "ZeroDivisionError: the app is broken" in printed
    assert "0 tasks have the title 'Rivers': use the id of one" in printed
