"""Streams of observed functions: each step runs in the span, and the last one ends it."""

from __future__ import annotations

import functools
import io
import weakref
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine, Generator, Iterator
from contextvars import Context, copy_context
from typing import Any, TypeVar, cast

from opentelemetry.context import attach
from opentelemetry.trace import set_span_in_context

from ._observation import Observation
from ._steps import async_steps_in, steps_in

T = TypeVar("T")
Begin = Callable[[], Observation]


class InSpan:
    """Makes the span of an observation the current one, without ending it."""

    def __init__(self, observation: Observation) -> None:
        self._context = set_span_in_context(observation.span)

    def __enter__(self) -> None:
        self._token = attach(self._context)

    def __exit__(self, *_error: object) -> None:
        try:
            self._token.var.reset(self._token)
        except ValueError:
            # A coroutine was closed from another context, where the token means nothing.
            pass


class _Ending:
    """Ends an observation by what is raised inside: as a complete stream by some exceptions, as a failure by others."""

    def __init__(self, observation: Observation, *usual: type[BaseException]) -> None:
        self._observation = observation
        self._usual = usual

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        if isinstance(error, self._usual):
            self._observation.end_stream()
        elif error is not None:
            self._observation.fail(error)


def context_of(begin: Begin) -> tuple[Context, Observation]:
    """Begins an observation in a copy of the current context, in which its span is the current one."""
    context = copy_context()
    observation = context.run(begin)
    context.run(InSpan(observation).__enter__)
    return context, observation


def observed_generator(begin: Begin, steps: Generator[T, Any, Any], context: Context) -> Generator[T, Any, Any]:
    """Yields the items of a generator. The span begins with the first step, below what was current at the call."""
    inside, observation = context.run(context_of, begin)
    inner = steps_in(inside, steps)
    with _Ending(observation, GeneratorExit):
        result = yield from _noted(inner, observation)
    observation.end_stream(result)
    return result


def _noted(steps: Generator[T, Any, Any], observation: Observation) -> Generator[T, Any, Any]:
    call: Callable[[Any], T] = steps.send
    argument: Any = None
    while True:
        try:
            item = call(argument)
        except StopIteration as end:
            return end.value
        observation.item(item)
        try:
            argument = yield item
            call = steps.send
        except GeneratorExit:
            steps.close()
            raise
        except BaseException as error:
            call, argument = steps.throw, error


async def observed_async_generator(
    begin: Begin, steps: AsyncGenerator[T, Any], context: Context
) -> AsyncGenerator[T, Any]:
    """Yields the items of an asynchronous generator."""
    inside, observation = context.run(context_of, begin)
    inner = async_steps_in(inside, steps)
    step: Awaitable[T] = inner.asend(None)
    with _Ending(observation, GeneratorExit):
        while True:
            try:
                item = await step
            except StopAsyncIteration:
                break
            observation.item(item)
            try:
                step = inner.asend((yield item))
            except GeneratorExit:
                await inner.aclose()
                raise
            except BaseException as error:
                step = inner.athrow(error)
    observation.end_stream()


async def observed_coroutine(coroutine: Coroutine[Any, Any, T], observation: Observation) -> T:
    """Awaits a coroutine inside the span."""
    with _Ending(observation), InSpan(observation):
        result = await coroutine
    return observe_result(result, observation)


def observe_result(result: T, observation: Observation) -> T:
    """Lets a result end its observation, and returns it or what stands for it."""
    try:
        return _observe_result(result, observation)
    except Exception:
        # Looking at the object raises, such as a property `__class__` of it.
        observation.succeed(result)
        return result


def _observe_result(result: T, observation: Observation) -> T:
    result_: Any = result
    context, begin = copy_context(), lambda: observation
    if isinstance(result, (Generator, AsyncGenerator)):
        wrap: Any = observed_generator if isinstance(result, Generator) else observed_async_generator
        steps = wrap(begin, result, context)
        # If it is never iterated over.
        weakref.finalize(steps, observation.end_stream)
        return steps
    if isinstance(result, Coroutine):
        return cast("T", observed_coroutine(cast("Coroutine[Any, Any, Any]", result), observation))
    if hasattr(result_, "add_done_callback") and hasattr(result_, "exception"):
        result_.add_done_callback(functools.partial(_settle, observation))
        return result
    if _is_stream(result):
        return cast("T", _ObservedStream(result, observation))
    observation.succeed(result)
    return result


def _settle(observation: Observation, future: Any) -> None:
    try:
        result = future.result()
    except BaseException as error:
        observation.fail(error)
    else:
        observation.succeed(result)


def _is_stream(value: object) -> bool:
    if isinstance(value, io.IOBase):
        return False
    return any(hasattr(type(value), name) for name in ("__next__", "__anext__", "__aiter__"))


class _ObservedStream:
    """Stands for a stream of a library: it has all its members, and notes the items."""

    def __init__(self, stream: Any, observation: Observation) -> None:
        self._touchstone = (stream, observation)

    @property
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        return cast("Any", type(cast("object", self._touchstone[0])))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._touchstone[0], name)

    def __iter__(self) -> Iterator[Any]:
        items = (item for item in self._touchstone[0])
        # The generator holds this object, whose end would be that of the span.
        return observed_generator(lambda: self._touchstone[1], items, copy_context())

    def __next__(self) -> Any:
        stream, observation = self._touchstone
        with _Ending(observation, StopIteration):
            item = next(stream)
        observation.item(item)
        return item

    def __aiter__(self) -> AsyncIterator[Any]:
        items = (item async for item in self._touchstone[0])
        return observed_async_generator(lambda: self._touchstone[1], items, copy_context())

    async def __anext__(self) -> Any:
        stream, observation = self._touchstone
        with _Ending(observation, StopAsyncIteration):
            item = await stream.__anext__()
        observation.item(item)
        return item

    def __enter__(self) -> Any:
        self._touchstone[0].__enter__()
        return self

    def __exit__(self, *error: Any) -> Any:
        stream, observation = self._touchstone
        try:
            return stream.__exit__(*error)
        finally:
            observation.end_stream()

    async def __aenter__(self) -> Any:
        await self._touchstone[0].__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> Any:
        stream, observation = self._touchstone
        try:
            return await stream.__aexit__(*error)
        finally:
            observation.end_stream()

    def __del__(self) -> None:
        # It was not read to its end.
        self._touchstone[1].end_stream()
