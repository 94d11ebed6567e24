"""Spans from an app to a real server."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import Application
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import Tracer

from touchstone_otel import TouchstoneSpanProcessor, bind, current_test_id, with_test

APP = """
from opentelemetry import trace
from touchstone_otel import register, with_test

touchstone = register(service_name="capitals")
assert touchstone.is_registered
with with_test("{test_id}"):
    with trace.get_tracer("app").start_as_current_span("answer") as span:
        span.set_attributes({{"input.value": "Of France?", "output.value": "Paris"}})
"""


def run(script: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, timeout=240)


def test_an_app_without_opentelemetry_needs_one_line_and_flushes_at_its_end(application: Application, test_id: str):
    app = run(APP.format(test_id=test_id), application.environment)
    assert (app.returncode, app.stderr) == (0, "")
    trace = application.trace_of(test_id)
    expected = {"rootName": "answer", "input": "Of France?", "output": "Paris", "services": ["capitals"]}
    assert {key: trace[key] for key in expected} == expected


def test_register_adds_itself_to_a_provider_that_is_set(application: Application, test_id: str):
    script = f"""
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from touchstone_otel import register, with_test
provider = TracerProvider()
trace.set_tracer_provider(provider)
touchstone = register(strict=True)
assert touchstone.is_registered and trace.get_tracer_provider() is provider
with with_test("{test_id}"):
    trace.get_tracer("app").start_span("answer").end()
touchstone.shutdown()
assert touchstone.stats().exported == 1
trace.get_tracer("app").start_span("of the app alone").end()
"""
    app = run(script, application.environment)
    assert (app.returncode, app.stdout) == (0, ""), app.stderr
    assert application.trace_of(test_id)["rootName"] == "answer"


def test_a_second_register_takes_over_so_that_each_span_is_sent_once(application: Application, test_id: str):
    script = f"""
from opentelemetry import trace
from touchstone_otel import register, with_test
first = register()
second = register(redact=lambda text, key: text.replace("secret", "hidden"))
assert first.is_registered and second.is_registered
with with_test("{test_id}"):
    trace.get_tracer("app").start_span("secret").end()
second.flush()
assert (first.stats().ended, second.stats().exported) == (0, 1)
"""
    app = run(script, application.environment)
    assert (app.returncode, app.stderr) == (0, "")
    trace = application.trace_of(test_id)
    assert (trace["rootName"], trace["spanCount"]) == ("hidden", 1)


def test_register_says_that_a_provider_accepts_no_processor(application: Application):
    script = """
from opentelemetry import trace
from touchstone_otel import register
trace.set_tracer_provider(trace.NoOpTracerProvider())
touchstone = register(strict=True)
assert not touchstone.is_registered
try:
    touchstone.flush()
except RuntimeError as error:
    print(error)
"""
    app = run(script, application.environment)
    assert app.stdout.startswith("register() changed nothing: the tracer provider that is set accepts no span processor")
    assert app.stderr.startswith("touchstone: register() changed nothing: the tracer provider that is set accepts no span")


@pytest.mark.parametrize(
    ("sampler", "line"),
    [
        ("ALWAYS_OFF", "the sampler of the app (AlwaysOffSampler) leaves out spans of tests. Wrap it: "),
        ("TraceIdRatioBased(0)", "the sampler of the app (TraceIdRatioBased{0}) leaves out spans of tests. Wrap it: "),
        ("record_tests(ALWAYS_OFF)", None),
        ("ALWAYS_ON", None),
    ],
)
def test_a_test_that_a_sampler_left_out_is_reported(
    application: Application, test_id: str, sampler: str, line: str | None
):
    script = f"""
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF, ALWAYS_ON, TraceIdRatioBased
from touchstone_otel import record_tests, register, with_test
trace.set_tracer_provider(TracerProvider(sampler={sampler}))
register()
for _ in range(3):
    with with_test("{test_id}"):
        trace.get_tracer("app").start_span("answer").end()
"""
    app = run(script, application.environment)
    if line is None:
        assert app.stderr == ""
    else:
        assert app.stderr.count("\n") == 1 and line in app.stderr, app.stderr


def test_a_span_that_ends_while_the_interpreter_exits_is_sent(application: Application, test_id: str):
    script = f"""
import atexit
from opentelemetry import trace
from touchstone_otel import register, with_test
register()
@atexit.register
def end():
    with with_test("{test_id}"):
        trace.get_tracer("app").start_span("answer").end()
"""
    app = run(script, application.environment)
    assert app.stderr == ""
    assert application.trace_of(test_id)["rootName"] == "answer"


@pytest.fixture
def tracer(application: Application):
    provider = TracerProvider(shutdown_on_exit=False)
    processor = TouchstoneSpanProcessor(strict=True, **application.options)
    provider.add_span_processor(processor)
    yield provider.get_tracer("test")
    provider.shutdown()


def test_spans_of_tests_that_run_at_once_belong_to_their_own_test(application: Application, tracer: Tracer):
    async def answer(test_id: str) -> str | None:
        async with with_test(test_id):
            with tracer.start_as_current_span("outer"):
                await asyncio.sleep(0.01)
                await asyncio.to_thread(lambda: tracer.start_span("in a thread").end())
                return current_test_id()

    async def all_at_once(ids: list[str]) -> list[str | None]:
        return await asyncio.gather(*(answer(one) for one in ids))

    ids = [str(uuid.uuid4()) for _ in range(5)]
    assert asyncio.run(all_at_once(ids)) == ids
    assert current_test_id() is None
    tracer.span_processor.force_flush()  # pyright: ignore[reportAttributeAccessIssue,reportUnknownMemberType]
    assert [application.trace_of(one)["spanCount"] for one in ids] == [2] * 5


def test_with_test_decorates_functions_and_coroutine_functions(test_id: str):
    @with_test(test_id)
    def sync(a: int, *, b: int) -> tuple[int, str | None]:
        """Adds."""
        return a + b, current_test_id()

    @with_test(test_id)
    async def later(a: int) -> tuple[int, str | None]:
        await asyncio.sleep(0)
        return a, current_test_id()

    assert sync(1, b=2) == (3, test_id)
    assert asyncio.run(later(4)) == (4, test_id)
    assert (sync.__doc__, later.__name__, current_test_id()) == ("Adds.", "later", None)

def test_bind_ties_work_in_another_thread_to_the_test(test_id: str):
    with ThreadPoolExecutor(1) as pool:
        with with_test(test_id):
            bound = bind(current_test_id)
            assert pool.submit(current_test_id).result() is None
        assert pool.submit(bound).result() == test_id


def test_an_error_leaves_the_test(test_id: str):
    with pytest.raises(ZeroDivisionError), with_test(test_id):
        raise ZeroDivisionError
    assert current_test_id() is None


def test_without_a_test_id_the_app_runs_and_is_told():
    with pytest.warns(UserWarning, match="without a test id"), with_test(""):
        assert current_test_id() is None
