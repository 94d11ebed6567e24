"""A pytest plugin that runs a function as the app of tests.

    @pytest.mark.touchstone(tasks=["Capitals"])
    def test_capitals(touchstone_test):
        answer(touchstone_test.prompt)
"""

from __future__ import annotations

import asyncio
import inspect
import time
from dataclasses import dataclass
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.context import attach, detach

from .._register import register
from .._test_context import is_uuid, with_test
from ..webhook.payload import WebhookTest, read_test
from ..webhook.trace_context import context_of
from .api import Api, ApiError
from .listener import Listener, StreamedDelivery

_POLL_SECONDS = 0.1
_MAX_TASKS = 100


@dataclass(frozen=True)
class _Plan:
    """Arguments of the marker."""

    tasks: list[str]
    """Titles or ids of tasks."""
    repeat: int = 1
    fail_under: float = 100
    """Smallest pass rate in percent."""
    timeout: float = 600
    """Seconds for all tests and their verdicts."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "touchstone(tasks, repeat=1, fail_under=100, timeout=600): "
        "runs the function for each test of these Touchstone tasks, and fails by their verdicts",
    )


@pytest.fixture
def touchstone_test(request: pytest.FixtureRequest) -> WebhookTest | None:
    """The test to run: the plugin calls the function once for each."""
    if request.node.get_closest_marker("touchstone") is None:
        raise pytest.UsageError("The fixture touchstone_test needs the marker: @pytest.mark.touchstone(tasks=[…])")
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    marker = pyfuncitem.get_closest_marker("touchstone")
    if marker is None:
        return None
    if isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        register(service_name="pytest")
    try:
        failure = _Session(Api(), _Plan(*marker.args, **marker.kwargs), pyfuncitem).run()
    except ApiError as error:
        failure = str(error)
    if failure is not None:
        pytest.fail(failure, pytrace=False)
    return True


class _Session:
    """Runs the tests of one function."""

    def __init__(self, api: Api, plan: _Plan, item: pytest.Function) -> None:
        self._api = api
        self._plan = plan
        self._item = item
        self._deadline = time.monotonic() + plan.timeout
        self._error: Exception | None = None

    def run(self) -> str | None:
        """Returns a report when the pass rate is too low. Raises what the function raised first."""
        with Listener(self._api) as listener:
            waiting = set(self._trigger())
            test_ids = sorted(waiting)
            while waiting:
                delivery = listener.next(self._left())
                test = read_test(delivery.body.encode())
                if test.test_id not in waiting:
                    listener.reject(delivery)
                    continue
                waiting.remove(test.test_id)
                self._answer(listener, delivery, test)
        if self._error is not None:
            raise self._error
        return self._judge([self._end_of(test_id) for test_id in test_ids])

    def _trigger(self) -> list[str]:
        task_ids = [self._task_id(name) for name in self._plan.tasks]
        body = {"taskIds": task_ids, "repeat": self._plan.repeat}
        runs = self._api.call("/v0/tasks/trigger", body, {"prefer": "return=representation"})["data"]
        return [test_id for run in runs for test_id in run["testIds"]]

    def _task_id(self, name: str) -> str:
        if is_uuid(name):
            return name
        tasks = self._api.call(f"/v0/tasks?limit={_MAX_TASKS}")
        ids = [task["id"] for task in tasks.get("data", []) if task["title"] == name]
        if len(ids) != 1:
            raise ApiError(f"{len(ids)} tasks have the title {name!r}: use the id of one")
        return ids[0]

    def _answer(self, listener: Listener, delivery: StreamedDelivery, test: WebhookTest) -> None:
        try:
            self._call(test, delivery.headers)
        except Exception as error:
            self._error = self._error or error
            listener.answer(delivery, 500, str(error) or type(error).__name__)
        else:
            listener.answer(delivery, 200, "")

    def _call(self, test: WebhookTest, headers: dict[str, str]) -> None:
        function = self._item.obj
        self._item.funcargs["touchstone_test"] = test
        arguments = {name: self._item.funcargs[name] for name in inspect.signature(function).parameters}
        token = attach(context_of(headers))
        try:
            with with_test(test.test_id):
                result: Any = function(**arguments)
                if inspect.iscoroutine(result):
                    asyncio.run(result)
        finally:
            detach(token)
            flush = getattr(trace.get_tracer_provider(), "force_flush", None)
            if flush is not None:
                flush()

    def _end_of(self, test_id: str) -> Any:
        """Waits until a test has ended, and returns it."""
        while True:
            test = self._api.call(f"/v0/tests/{test_id}")["test"]
            if test["status"] in ("COMPLETED", "FAILED"):
                return test
            if self._left() <= 0:
                raise ApiError(f"test {test_id} has not ended within {self._plan.timeout:g} s; its phase is {test['phase']}")
            time.sleep(_POLL_SECONDS)

    def _judge(self, tests: list[Any]) -> str | None:
        rate = sum(_rate_of(test) for test in tests) / len(tests)
        if rate >= self._plan.fail_under:
            return None
        lines = [line for test in tests for line in _failures_of(test)]
        return "\n".join([f"The pass rate is {rate:.4g} %, below {self._plan.fail_under:g} % ({len(tests)} tests)", *lines])

    def _left(self) -> float:
        return max(self._deadline - time.monotonic(), 0)


def _rate_of(test: Any) -> float:
    """Percentage of verdicts that passed. A test without any verdict proves nothing, so it counts as failed."""
    return 0 if test["status"] == "FAILED" else test["result"]["passRate"] or 0


def _failures_of(test: Any) -> list[str]:
    prompt = " ".join(str(test["prompt"]).split())[:80]
    if test["status"] == "FAILED":
        failure = test["failure"]
        return [f"{prompt} (test {test['id']}): {failure['message'] if failure else 'failed'}"]
    if test["result"]["passRate"] is None:
        return [f"{prompt} (test {test['id']}): no verdict; link a definition to the task"]
    return [
        f"{prompt} (test {test['id']}): {one['definition']['name']}: {one['reason']}"
        for one in test["evals"]
        if one["passed"] is False
    ]
