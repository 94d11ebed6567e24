"""Runs the steps of generators and awaitables in a context of their own, whatever runs between the steps."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Generator, Iterable
from contextvars import Context
from typing import Any, TypeVar, cast

T = TypeVar("T")


def generator_of(items: Iterable[T]) -> Generator[T, Any, Any]:
    """Returns a generator as it is, any other iterable as a generator."""
    return cast("Generator[T, Any, Any]", items) if isinstance(items, Generator) else (item for item in items)


def async_generator_of(items: AsyncIterable[T]) -> AsyncGenerator[T, Any]:
    """Returns an asynchronous generator as it is, any other asynchronous iterable as one."""
    return cast("AsyncGenerator[T, Any]", items) if isinstance(items, AsyncGenerator) else (item async for item in items)


def steps_in(context: Context, steps: Generator[T, Any, Any]) -> Generator[T, Any, Any]:
    """Runs each step of a generator in the context, also in another thread than the one before."""
    call, argument = steps.send, None
    while True:
        try:
            item = context.run(call, argument)
        except StopIteration as end:
            return end.value
        try:
            argument = yield item
            call = steps.send
        except GeneratorExit:
            context.run(steps.close)
            raise
        except BaseException as error:
            call, argument = steps.throw, error


async def async_steps_in(context: Context, steps: AsyncGenerator[T, Any]) -> AsyncGenerator[T, Any]:
    """Runs each step of an asynchronous generator in the context."""
    step: Awaitable[T] = steps.asend(None)
    while True:
        try:
            item = await _AwaitIn(context, step)
        except StopAsyncIteration:
            return
        try:
            step = steps.asend((yield item))
        except GeneratorExit:
            await _AwaitIn(context, steps.aclose())
            raise
        except BaseException as error:
            step = steps.athrow(error)


class _AwaitIn(Awaitable[T]):
    """Awaits something whose code runs in the context. Tasks that it starts inherit the context."""

    def __init__(self, context: Context, awaited: Awaitable[T]) -> None:
        self._context = context
        self._awaited = awaited

    def __await__(self) -> Generator[Any, Any, T]:
        return (yield from steps_in(self._context, self._context.run(self._awaited.__await__)))
