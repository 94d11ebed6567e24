"""Tests of generators and streams: the id holds to the last item and reaches nothing outside."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextvars import copy_context

import pytest

from touchstone_otel import current_test_id, iterate_in_test, with_test

A = "7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60"
B = "3f0d7b0e-5c43-4a0b-9a53-6c1c8f3f5a10"


def ids(count: int = 3) -> Iterator[str | None]:
    for _ in range(count):
        yield current_test_id()


async def async_ids(count: int = 3) -> AsyncIterator[str | None]:
    for _ in range(count):
        await asyncio.sleep(0)
        yield await asyncio.create_task(task_id())


async def task_id() -> str | None:
    return current_test_id()


def test_a_generator_is_in_the_test_and_the_code_between_its_items_is_not():
    seen: list[str | None] = []
    for item in iterate_in_test(A, ids()):
        seen += [item, current_test_id()]
    assert seen == [A, None] * 3


def test_interleaved_generators_keep_their_own_tests():
    pairs = list(zip(iterate_in_test(A, ids()), with_test(B)(ids)(), strict=True))
    assert pairs == [(A, B)] * 3
    assert current_test_id() is None


def test_a_generator_may_be_continued_by_another_thread():
    items = iterate_in_test(A, ids())
    seen: list[str | None] = []
    for _ in range(3):
        thread = threading.Thread(target=lambda: seen.append(next(items)))
        thread.start()
        thread.join()
    assert seen == [A] * 3


def test_an_asynchronous_generator_is_in_the_test_with_its_tasks():
    async def run() -> list[str | None]:
        seen: list[str | None] = []
        async for item in iterate_in_test(A, async_ids()):
            seen += [item, current_test_id()]
        return seen

    assert asyncio.run(run()) == [A, None] * 3


def test_interleaved_asynchronous_generators_keep_their_own_tests():
    async def collect(test_id: str) -> list[str | None]:
        return [item async for item in with_test(test_id)(async_ids)()]

    async def run() -> list[list[str | None]]:
        return list(await asyncio.gather(collect(A), collect(B)))

    assert asyncio.run(run()) == [[A] * 3, [B] * 3]


def test_a_decorated_generator_receives_what_is_sent_and_thrown_and_returns_its_value():
    @with_test(A)
    def echo() -> Iterator[str]:
        received = yield "ready"  # pyright: ignore[reportAssignmentType, reportUnknownVariableType]
        try:
            yield f"{received} {current_test_id()}"
        except ValueError as error:
            yield f"{error} {current_test_id()}"
        return "done"  # noqa: B901  # pyright: ignore[reportReturnType]

    steps = echo()
    assert next(steps) == "ready"
    assert steps.send("a") == f"a {A}"  # type: ignore[attr-defined]
    assert steps.throw(ValueError("b")) == f"b {A}"  # type: ignore[attr-defined]
    with pytest.raises(StopIteration) as end:
        next(steps)
    assert end.value.value == "done"


def test_a_generator_that_is_closed_early_cleans_up_in_the_test():
    cleaned: list[str | None] = []

    def steps() -> Iterator[int]:
        try:
            yield 1
            yield 2
        finally:
            cleaned.append(current_test_id())

    items = iterate_in_test(A, steps())
    assert next(items) == 1
    items.close()  # type: ignore[attr-defined]
    assert cleaned == [A]


def test_an_asynchronous_generator_that_is_closed_early_cleans_up_in_the_test():
    cleaned: list[str | None] = []

    async def steps() -> AsyncIterator[int]:
        try:
            yield 1
            yield 2
        finally:
            cleaned.append(current_test_id())

    async def run() -> None:
        items = iterate_in_test(A, steps())
        assert await anext(items) == 1
        await items.aclose()  # type: ignore[attr-defined]

    asyncio.run(run())
    assert cleaned == [A]


def test_errors_of_an_asynchronous_generator_reach_the_caller():
    async def steps() -> AsyncIterator[int]:
        yield 1
        raise ValueError("broken")

    async def run() -> None:
        async for _ in iterate_in_test(A, steps()):
            pass

    with pytest.raises(ValueError, match="broken"):
        asyncio.run(run())


def test_a_list_is_iterated_too():
    assert list(iterate_in_test(A, [1, 2, 3])) == [1, 2, 3]


def test_a_test_inside_a_generator_ends_in_whichever_context_the_generator_ends():
    def steps() -> Iterator[str | None]:
        with with_test(A):
            yield current_test_id()

    items = steps()

    def begin() -> None:
        assert next(items) == A
        # A copy of the context, in which the token of the test means nothing.
        copy_context().run(end)

    def end() -> None:
        assert next(items, "end") == "end"
        assert current_test_id() is None

    copy_context().run(begin)
