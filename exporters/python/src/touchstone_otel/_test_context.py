from __future__ import annotations

import functools
import inspect
import re
import warnings
from collections.abc import AsyncIterable, AsyncIterator, Callable, Coroutine, Iterable, Iterator
from contextvars import Context as ThreadContext
from contextvars import Token, copy_context
from types import TracebackType
from typing import Any, ParamSpec, TypeVar, cast, overload

from opentelemetry import baggage as w3c_baggage
from opentelemetry import trace
from opentelemetry.context import Context, attach, detach, get_current, get_value, set_value
from opentelemetry.sdk.trace import ReadableSpan

from ._log import Reporter
from ._sampling_loss import SpansOfTest, report_left_out
from ._steps import async_generator_of, async_steps_in, generator_of, steps_in
from ._test_spans import started

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

TEST_ID_ATTRIBUTE = "service.test.id"
"""The attribute that links a span to the test it belongs to."""

_KEY = "touchstone test id"
_SPANS_KEY = "touchstone spans of test"
_UUID = re.compile(r"[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}", re.IGNORECASE | re.ASCII)

_reporter = Reporter(report_loss=True, debug=False)


class with_test:
    """Makes all spans started inside belong to a test; a context manager and a decorator, sync and async.

    The test follows `await`, tasks and `asyncio.to_thread()`. It does not follow work into other threads: see `bind()`.
    Decorates generators too, whose steps then belong to the test and nothing between them. See `iterate_in_test()`.
    With `baggage=True`, the id is also sent to the services that are called with trace context, those of others included.
    """

    def __init__(self, test_id: str | None, *, baggage: bool = False) -> None:
        self._test_id = test_id
        self._baggage = baggage
        self._entered: list[tuple[Token[Context], Context, Context]] = []

    def __enter__(self) -> None:
        before, inside = get_current(), self._context()
        self._entered.append((attach(inside), inside, before))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        token, inside, before = self._entered.pop()
        spans = get_value(_SPANS_KEY, inside)
        if isinstance(spans, SpansOfTest) and started() is not None:
            report_left_out(spans, inside, _reporter)
        try:
            token.var.reset(token)
        except ValueError:
            # A generator was continued from another context, where the token means nothing.
            if get_current() is inside:
                attach(before)

    async def __aenter__(self) -> None:
        self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.__exit__(kind, error, traceback)

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):

            @functools.wraps(function)
            def iterated_in_test(*args: P.args, **kwargs: P.kwargs) -> Any:
                steps: Any = function(*args, **kwargs)
                return cast("Any", iterate_in_test(self._test_id, steps, baggage=self._baggage))

            return cast("Callable[P, R]", iterated_in_test)
        if inspect.iscoroutinefunction(function):
            run = cast("Callable[P, Coroutine[Any, Any, Any]]", function)

            @functools.wraps(function)
            async def in_test_async(*args: P.args, **kwargs: P.kwargs) -> Any:
                with with_test(self._test_id, baggage=self._baggage):
                    return await run(*args, **kwargs)

            return cast("Callable[P, R]", in_test_async)

        @functools.wraps(function)
        def in_test(*args: P.args, **kwargs: P.kwargs) -> R:
            with with_test(self._test_id, baggage=self._baggage):
                return function(*args, **kwargs)

        return in_test

    def _context(self) -> Context:
        # Often from the environment or a payload, and then it may be missing.
        test_id: str | None = self._test_id
        if not test_id:
            warnings.warn("with_test() was called without a test id; its spans belong to no test", stacklevel=3)
            return get_current()
        if started() is None and isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
            _reporter.notice("no tracer provider is set, so there are no spans of the test; call register().")
        in_test = set_value(_SPANS_KEY, SpansOfTest(), set_value(_KEY, test_id))
        return w3c_baggage.set_baggage(TEST_ID_ATTRIBUTE, test_id, in_test) if self._baggage else in_test


@overload
def iterate_in_test(test_id: str | None, items: AsyncIterable[T], *, baggage: bool = False) -> AsyncIterator[T]: ...
@overload
def iterate_in_test(test_id: str | None, items: Iterable[T], *, baggage: bool = False) -> Iterator[T]: ...
def iterate_in_test(
    test_id: str | None, items: Iterable[T] | AsyncIterable[T], *, baggage: bool = False
) -> Iterator[T] | AsyncIterator[T]:
    """Yields the items of a generator, a stream or another iterable, each of which is made in the test.

    The test holds to the last item, in whichever thread the next one is requested, and does not reach code outside. So a response
    that is streamed can be passed to a web framework: `StreamingResponse(iterate_in_test(test_id, answer(prompt)))`.
    """
    context: ThreadContext = copy_context()
    context.run(with_test(test_id, baggage=baggage).__enter__)
    if isinstance(items, AsyncIterable):
        return async_steps_in(context, async_generator_of(items))
    return steps_in(context, generator_of(items))


def bind(function: Callable[P, R]) -> Callable[P, R]:
    """Ties a function to the test and the span that are active now, whichever thread calls it later."""
    context = get_current()

    @functools.wraps(function)
    def bound(*args: P.args, **kwargs: P.kwargs) -> R:
        token = attach(context)
        try:
            return function(*args, **kwargs)
        finally:
            detach(token)

    return bound


def current_test_id(context: Context | None = None) -> str | None:
    """Returns the id of the test that a context belongs to: set by `with_test()`, or received as baggage with a UUID."""
    test_id = get_value(_KEY, context)
    if isinstance(test_id, str):
        return test_id
    # Any client can send baggage: a value that is no test id is ignored.
    received = w3c_baggage.get_baggage(TEST_ID_ATTRIBUTE, context)
    return received if isinstance(received, str) and is_uuid(received) else None


def note_recorded(context: Context | None) -> None:
    """Counts a span that is recorded in the test of its context."""
    spans = get_value(_SPANS_KEY, context)
    if isinstance(spans, SpansOfTest):
        spans.recorded += 1


def is_test_root(span: ReadableSpan) -> bool:
    """Reports whether a span is the first one of a test in this process."""
    is_first = span.parent is None or span.parent.is_remote
    return is_first and TEST_ID_ATTRIBUTE in (span.attributes or {})


def is_uuid(text: str) -> bool:
    return _UUID.fullmatch(text) is not None
