"""Tests of values and code of apps that raise, block or cannot be encoded: the app notices nothing, and every span is counted."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from receiver import Receiver

from touchstone_otel import TouchstoneSpanProcessor, observe, update_observation, with_test

_TEST_ID = "3f0d7b0e-5c43-4a0b-9a53-6c1c8f3f5a10"


def processor_for(url: str, **options: Any) -> tuple[TouchstoneSpanProcessor, trace.Tracer]:
    processor = TouchstoneSpanProcessor(url=url, api_key="k", application_id="a", state_dir=False, **options)
    provider = TracerProvider()
    provider.add_span_processor(processor)
    return processor, provider.get_tracer("app")


class Unprintable(Exception):
    def __str__(self) -> str:
        raise ValueError("no text")


class NoClass:
    @property
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        raise RuntimeError("no class")


class NoAttributes:
    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


class NoLength(str):
    def __len__(self) -> int:
        raise RuntimeError("no length")


class NoText:
    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __str__(self) -> str:
        raise RuntimeError("no text")


def test_an_error_whose_text_raises_is_raised_on():
    error = Unprintable()

    @observe
    def sync() -> None:
        raise error

    @observe
    async def coroutine() -> None:
        raise error

    @observe
    def generator() -> Iterator[int]:
        yield 1
        raise error

    @observe
    async def stream() -> AsyncIterator[int]:
        yield 1
        raise error

    async def read() -> None:
        async for _ in stream():
            pass

    for call in (sync, lambda: asyncio.run(coroutine()), lambda: list(generator()), lambda: asyncio.run(read())):
        with pytest.raises(Unprintable) as caught:
            call()
        assert caught.value is error


@pytest.mark.parametrize("make", [NoClass, NoAttributes, NoLength, NoText])
def test_an_object_that_raises_when_it_is_looked_at_is_passed_and_returned(make: Any):
    value = make()

    def same(given: object) -> object:
        update_observation(name=value, input=value, output=value, tags=value, session=value)
        return given

    assert observe(name=value, kind=value, session=value, metadata=value)(same)(value) is value


def test_an_endless_iterator_as_tags_does_not_block_the_app():
    endless: Any = iter(int, 1)
    assert observe(tags=endless)(lambda: 5)() == 5


def test_halves_of_characters_are_replaced(receiver: Receiver, caplog: pytest.LogCaptureFixture):
    processor, tracer = processor_for(receiver.url)
    with tracer.start_as_current_span("name \ud800", attributes={"key \ud800": "text \ud800", "list": ["\udc00", "b"]}) as span:
        span.add_event("event \ud800", {"key": "text \ud800"})
        span.set_status(trace.Status(trace.StatusCode.ERROR, "status \ud800"))
    tracer.start_span("answer").end()
    assert processor.force_flush()
    broken, whole = receiver.spans
    assert (broken.name, whole.name) == ("name ?", "answer")
    assert {one.key for one in broken.attributes} == {"key ?", "list"}
    assert broken.attributes[0].value.string_value == "text ?"
    assert (broken.events[0].name, broken.status.message) == ("event ?", "status ?")
    assert caplog.records == []
    processor.shutdown()


def test_roots_of_tests_that_find_the_queue_full_of_such_are_dropped_at_once():
    processor, tracer = processor_for("http://127.0.0.1:1", report_loss=False)
    reads = 0

    class Counted(dict[str, str]):
        def __contains__(self, key: object) -> bool:
            nonlocal reads
            reads += 1
            return super().__contains__(key)

    with with_test(_TEST_ID):
        span: Any = tracer.start_span("root")
    span.end()
    readable = span._readable_span()
    readable._attributes = Counted(readable.attributes)
    for _ in range(18_000):
        processor.on_end(readable)
    assert processor.stats().dropped > 1_000
    assert reads < 200_000


def test_a_response_that_arrives_in_drops_ends_at_the_time_limit():
    class Drops(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.send_header("content-length", "100000")
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b"x")
                    time.sleep(0.1)
            except OSError:
                pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Drops)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    processor, tracer = processor_for(f"http://127.0.0.1:{server.server_port}", timeout_millis=500)
    tracer.start_span("answer").end()
    assert processor.force_flush()
    assert processor.stats().failed == 1
    processor.shutdown()
    server.shutdown()
    server.server_close()


_SIGNALS = """
import signal, time
from opentelemetry import trace
from touchstone_otel import register
touchstone = register(url="http://127.0.0.1:1", max_queue_size=5, timeout_millis=200)
tracer = trace.get_tracer("app")
def on_signal(number, frame):
    tracer.start_span("signal").end()
    signal.setitimer(signal.ITIMER_REAL, 0.001)
signal.signal(signal.SIGALRM, on_signal)
signal.setitimer(signal.ITIMER_REAL, 0.001)
end = time.monotonic() + 2
while time.monotonic() < end:
    touchstone.stats()
    tracer.start_span("main").end()
signal.setitimer(signal.ITIMER_REAL, 0)
touchstone.shutdown()
stats = touchstone.stats()
print(stats.ended == stats.dropped + stats.failed)
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no timers that send signals")
def test_a_signal_handler_may_end_spans_at_any_moment():
    run = subprocess.run([sys.executable, "-c", _SIGNALS], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stdout) == (0, "True\n"), run.stderr[-2_000:]


_STREAM = """
import resource
from touchstone_otel import observe
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
trace.set_tracer_provider(TracerProvider())
@observe
def answer():
    for n in range(4_000):
        yield ITEM
assert sum(1 for _ in answer()) == 4_000
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 200_000)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the unit of the memory differs")
@pytest.mark.parametrize("item", ["bytes(256 * 1024)", "{'delta': {'content': str(n) * 64 * 1024}}"])
def test_an_observed_stream_of_a_gigabyte_is_not_kept(item: str):
    program = _STREAM.replace("ITEM", item)
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stdout) == (0, "True\n"), run.stderr[-2_000:]


def test_spans_that_end_during_the_shutdown_are_reported_as_such(receiver: Receiver, capfd: pytest.CaptureFixture[str]):
    processor, tracer = processor_for(receiver.url, delay_millis=1_000_000)
    flush = processor._flush

    def flush_and_end_another(timeout_millis: int) -> bool:
        is_complete = flush(timeout_millis)
        tracer.start_span("late").end()
        return is_complete

    processor._flush = flush_and_end_another
    processor.shutdown()
    assert "1 span was lost: they ended during the shutdown. Call shutdown() after the last span." in capfd.readouterr().err
