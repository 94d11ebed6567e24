from __future__ import annotations

import functools
import inspect
import re
import warnings
from collections.abc import Callable, Coroutine
from contextvars import Token
from types import TracebackType
from typing import Any, ParamSpec, TypeVar, cast

from opentelemetry import baggage as w3c_baggage
from opentelemetry import trace
from opentelemetry.context import Context, attach, detach, get_current, get_value, set_value

from ._log import Reporter
from ._test_spans import started

P = ParamSpec("P")
R = TypeVar("R")

TEST_ID_ATTRIBUTE = "service.test.id"
"""The attribute that links a span to the test it belongs to."""

_KEY = "touchstone test id"
_UUID = re.compile(r"[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}", re.IGNORECASE | re.ASCII)

_reporter = Reporter(report_loss=True, debug=False)


class with_test:
    """Makes all spans started inside belong to a test; a context manager and a decorator, sync and async.

    The test follows `await`, tasks and `asyncio.to_thread()`. It does not follow work into other threads: see `bind()`.
    With `baggage=True`, the id is also sent to the services that are called with trace context, those of others included.
    """

    def __init__(self, test_id: str | None, *, baggage: bool = False) -> None:
        self._test_id = test_id
        self._baggage = baggage
        self._tokens: list[Token[Context]] = []

    def __enter__(self) -> None:
        self._tokens.append(attach(self._context()))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        detach(self._tokens.pop())

    async def __aenter__(self) -> None:
        self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.__exit__(kind, error, traceback)

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise TypeError("with_test() cannot decorate a generator: use `with with_test(…):` around the loop over it")
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
        in_test = set_value(_KEY, test_id)
        return w3c_baggage.set_baggage(TEST_ID_ATTRIBUTE, test_id, in_test) if self._baggage else in_test


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


def is_uuid(text: str) -> bool:
    return _UUID.fullmatch(text) is not None
