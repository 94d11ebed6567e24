"""Tests of `observe()`: what becomes a span, where it ends, and that the app stays as it is."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from touchstone_otel import current_trace_id, observe, update_observation

_exporter = InMemorySpanExporter()


@pytest.fixture(scope="module", autouse=True)
def provider() -> None:
    current = trace.get_tracer_provider()
    if not isinstance(current, TracerProvider):
        current = TracerProvider()
        trace.set_tracer_provider(current)
    current.add_span_processor(SimpleSpanProcessor(_exporter))


@pytest.fixture(autouse=True)
def no_spans() -> None:
    _exporter.clear()


def spans() -> list[ReadableSpan]:
    return list(_exporter.get_finished_spans())


def one() -> dict[str, Any]:
    (span,) = spans()
    return {"name": span.name, **(span.attributes or {})}


def words() -> Iterator[str]:
    yield "a"
    yield "b"


async def async_words() -> AsyncIterator[str]:
    for word in words():
        await asyncio.sleep(0)
        yield word


class Stream:
    """A stream as the clients of models have it."""

    status = 200

    def __init__(self) -> None:
        self._items = words()

    def __iter__(self) -> Iterator[str]:
        return self._items

    def __next__(self) -> str:
        return next(self._items)


class AsyncStream:
    def __init__(self) -> None:
        self._items = async_words()

    def __aiter__(self) -> AsyncIterator[str]:
        return self._items


def test_a_function_stays_synchronous_and_becomes_a_span_with_input_output_and_kind():
    @observe(kind="tool")
    def add(a: int, b: int = 2) -> dict[str, int]:
        """Adds."""
        return {"sum": a + b}

    assert add(1, b=3) == {"sum": 4}
    assert (add.__name__, add.__doc__, list(inspect.signature(add).parameters)) == ("add", "Adds.", ["a", "b"])
    assert one() == {
        "name": "add",
        "openinference.span.kind": "TOOL",
        "tool.name": "add",
        "input.value": '{"a":1,"b":3}',
        "input.mime_type": "application/json",
        "output.value": '{"sum":4}',
        "output.mime_type": "application/json",
    }


def test_texts_are_recorded_as_they_are_and_self_is_left_out():
    class Bot:
        @observe
        def answer(self, question: str) -> str:
            return question + "!"

    assert Bot().answer("Hi") == "Hi!"
    assert one() == {
        "name": "answer",
        "openinference.span.kind": "CHAIN",
        "input.value": "Hi",
        "input.mime_type": "text/plain",
        "output.value": "Hi!",
        "output.mime_type": "text/plain",
    }


def test_session_user_tags_and_metadata_are_values_or_functions_of_the_arguments():
    def chat_of(request: dict[str, str]) -> str:
        return request["chat"]

    @observe(session=chat_of, user="ada", tags=["beta"], metadata={"plan": "large"}, input=False, output=False)
    def answer(request: dict[str, str]) -> str:
        return "secret"

    answer({"chat": "c-1"})
    assert one() == {
        "name": "answer",
        "openinference.span.kind": "CHAIN",
        "session.id": "c-1",
        "user.id": "ada",
        "tag.tags": ("beta",),
        "metadata": '{"plan":"large"}',
    }


def test_options_that_raise_do_not_reach_the_app():
    def broken(*_: object) -> Any:
        raise RuntimeError("bug")

    assert observe(user=broken, input=broken, output=broken)(lambda value: value)(1) == 1
    assert "input.value" not in one() and "output.value" not in one()


def test_errors_are_recorded_and_raised():
    @observe
    def divide(a: int) -> float:
        return a / 0

    @observe
    async def divide_later(a: int) -> float:
        return a / 0

    with pytest.raises(ZeroDivisionError):
        divide(1)
    with pytest.raises(ZeroDivisionError):
        asyncio.run(divide_later(1))
    for span in spans():
        assert span.status.status_code is StatusCode.ERROR
        assert span.status.description == "ZeroDivisionError: division by zero"
        assert [event.name for event in span.events] == ["exception"]


def test_nested_calls_are_below_and_concurrent_ones_stay_apart():
    @observe
    async def inner(n: int) -> int:
        await asyncio.sleep(0)
        return n

    @observe
    async def outer(n: int) -> int:
        await asyncio.sleep(0)
        return sum(await asyncio.gather(inner(n), inner(n)))

    async def run() -> list[int]:
        return await asyncio.gather(*(outer(n) for n in range(50)))

    assert asyncio.run(run()) == [2 * n for n in range(50)]
    outers = [span for span in spans() if span.name == "outer"]
    assert len({span.context.trace_id for span in outers if span.context}) == 50
    for span in outers:
        below = [one for one in spans() if one.parent and span.context and one.parent.span_id == span.context.span_id]
        assert [(one.attributes or {})["input.value"] for one in below] == [(span.attributes or {})["input.value"]] * 2


@pytest.mark.parametrize("make", [words, lambda: words(), Stream], ids=["generator function", "generator", "stream"])
def test_a_stream_ends_its_span_with_its_last_item(make: Callable[[], Iterator[str]]):
    seen: list[str] = []
    for item in observe(name="stream")(make)():
        assert spans() == []
        seen.append(item)
    assert seen == ["a", "b"]
    assert one()["output.value"] == "ab"
    assert [event.name for event in spans()[0].events] == ["First Token Stream Event"]


@pytest.mark.parametrize("make", [async_words, lambda: async_words(), AsyncStream], ids=["generator function", "generator", "stream"])
def test_an_asynchronous_stream_ends_its_span_with_its_last_item(make: Callable[[], Any]):
    async def run() -> list[str]:
        seen: list[str] = []
        async for item in observe(name="stream")(make)():
            assert spans() == []
            seen.append(item)
        return seen

    assert asyncio.run(run()) == ["a", "b"]
    assert one()["output.value"] == "ab"


def test_a_coroutine_that_returns_a_stream_ends_its_span_with_the_last_item():
    @observe
    async def answer() -> AsyncIterator[str]:
        return async_words()

    async def run() -> list[str]:
        items = await answer()
        assert spans() == []
        return [item async for item in items]

    assert asyncio.run(run()) == ["a", "b"]
    assert one()["output.value"] == "ab"


def test_a_stream_keeps_its_class_and_members():
    stream: Any = observe(Stream)()
    assert (isinstance(stream, Stream), stream.status, next(stream)) == (True, 200, "a")
    assert list(stream) == ["b"]
    assert one()["output.value"] == "ab"


def test_a_stream_that_is_left_ends_its_span_there():
    for item in observe(words)():
        assert item == "a"
        break
    assert one()["output.value"] == "a"

    async def run() -> None:
        items: Any = observe(async_words)()
        async for item in items:
            assert item == "a"
            break
        await items.aclose()

    asyncio.run(run())
    assert [(span.attributes or {})["output.value"] for span in spans()] == ["a", "a"]


@pytest.mark.parametrize("make", [lambda: words(), Stream])
def test_a_stream_that_nobody_reads_ends_its_span(make: Callable[[], object]):
    observe(name="unread")(make)()
    assert one()["name"] == "unread"


def test_a_stream_that_raises_ends_its_span_with_the_error():
    @observe
    def breaking() -> Iterator[str]:
        yield "a"
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        list(breaking())
    assert one()["output.value"] == "a"
    assert spans()[0].status.description == "ValueError: broken"


def test_steps_run_in_their_span_and_the_code_between_them_does_not():
    @observe
    def steps() -> Iterator[str | None]:
        yield current_trace_id()
        yield current_trace_id()

    pairs = list(zip(steps(), steps(), strict=True))
    assert current_trace_id() is None
    ids = [{pair[at] for pair in pairs} for at in (0, 1)]
    assert [len(one) for one in ids] == [1, 1] and ids[0] != ids[1] and None not in ids[0]


def test_a_generator_passes_values_errors_and_its_result_through():
    @observe
    def echo() -> Any:
        try:
            yield (yield "ready") + "?"
        except ValueError as error:
            yield str(error)
        return "end"

    steps = echo()
    assert (next(steps), steps.send("a"), steps.throw(ValueError("b"))) == ("ready", "a?", "b")
    with pytest.raises(StopIteration, match="end"):
        next(steps)


def test_a_future_ends_its_span_when_it_is_done():
    with ThreadPoolExecutor() as pool:

        @observe
        def start() -> Future[int]:
            return pool.submit(lambda: 7)

        assert start().result() == 7
    assert one()["output.value"] == "7"


def test_update_observation_adds_to_the_span_and_its_output_stays():
    @observe(kind="llm")
    def call() -> str:
        update_observation(output="own", model="gpt-5", input_tokens=3, output_tokens=1, session="s")
        return "result"

    update_observation(output="outside")
    call()
    assert one() == {
        "name": "call",
        "openinference.span.kind": "LLM",
        "output.value": "own",
        "output.mime_type": "text/plain",
        "llm.model_name": "gpt-5",
        "llm.token_count.prompt": 3,
        "llm.token_count.completion": 1,
        "session.id": "s",
    }


def test_content_that_is_turned_off_is_not_recorded(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TOUCHSTONE_CAPTURE_CONTENT", "0")

    @observe(user="ada")
    def answer(question: str) -> str:
        update_observation(input=question, output=question, output_tokens=4)
        return question

    answer("secret")
    assert one() == {
        "name": "answer",
        "openinference.span.kind": "CHAIN",
        "user.id": "ada",
        "llm.token_count.completion": 4,
    }


@dataclass
class Point:
    x: int


class Plain:
    def __init__(self) -> None:
        self.x = 1
        self._hidden = 2
        self.other = Point(1)
        self.bot = Slots()


class Slots:
    __slots__ = ()


class Raising:
    def __init__(self) -> None:
        self.x = 1

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError("no")


class Model:
    def __init__(self) -> None:
        self.x = 1

    def model_dump(self) -> dict[str, int]:
        return {"x": 1}


class Array:
    shape = (3, 4)


cycle: dict[str, Any] = {}
cycle["self"] = cycle


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (float("nan"), '"nan"'),
        (1.5, "1.5"),
        (True, "true"),
        (10**5_000, '"[large integer]"'),
        (cycle, '{"self":"[circular]"}'),
        ({1: None, (2, 3): [b"abc"]}, '{"1":null,"(2, 3)":["[3 bytes]"]}'),
        (memoryview(b"abc"), '"[3 bytes]"'),
        (Point(1), '{"x":1}'),
        (Plain(), '{"x":1,"other":{"x":1},"bot":"[Slots]"}'),
        (Model(), '{"x":1}'),
        ([Raising()], '["[unreadable]"]'),
        ([Array()], '["[Array (3, 4)]"]'),
        ({1}, "[1]"),
        (ValueError("bad"), '{"name":"ValueError","message":"bad"}'),
        ([lambda: 1, print, int], '["[function]","[builtin_function_or_method]","[type]"]'),
        ([iter([1])], '["[list_iterator]"]'),
        (["\ud800"], '["?"]'),
    ],
    ids=lambda _: "",
)
def test_values_that_json_does_not_have_are_written(value: object, text: str):
    assert observe(name="x", input=lambda _: None)(lambda given: given)(value) is value
    assert one()["output.value"] == text
    json.loads(text)


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("value", [nested(100), list(range(1_000_000)), {"text": "x" * 3_000_000}, ["x" * 200_000] * 100])
def test_what_is_too_large_is_truncated_and_stays_json(value: object):
    observe(name="x", input=False)(lambda: value)()
    text: str = one()["output.value"]
    assert len(text) < 1_200_000
    assert any(note in text for note in ("[too deep]", "[truncated]", "characters left out]"))
    json.loads(text)
