from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from opentelemetry.context import attach, detach
from typing_extensions import Unpack

from .. import _test_spans as test_spans
from .._log import Reporter, log
from .._options import ExporterOptions, reject_unknown
from .._settings import is_debug
from .._test_context import with_test
from .deliveries import Deliveries, Run
from .error import WebhookError, not_handled
from .flush import Flushable, SpanFlush
from .payload import WebhookTest, read_test
from .request import WebhookRequest
from .signature import Trust, check_signature, key_of
from .trace_context import context_of
from .validation import Verify, server_check

_MAX_REASON = 500
_MAX_NUMBER = 2**31 - 1

OnError = Callable[[BaseException, "WebhookTest | None"], None]


@dataclass(frozen=True)
class Answer:
    """A response to a delivery."""

    status: int
    message: str | None
    """None when the test succeeded."""


class WebhookHandler:
    """The app's side of tests by webhook; `to_asgi()` and `to_wsgi()` make an endpoint of it.

    It runs the app once for each delivery that Touchstone signed, inside the test and the trace of the delivery, and
    answers 200 when its spans are stored, 500 when the app raised. `run` may be a function or a coroutine function.
    """

    def __init__(
        self,
        *,
        run: Callable[[WebhookTest], object],
        secret: str | Sequence[str] | None = None,
        validate: Literal["api"] | None = None,
        touchstone: Flushable | None = None,
        flush_timeout_ms: int = 10_000,
        tolerance_ms: int = 300_000,
        max_body_bytes: int = 1_048_576,
        on_error: OnError | None = None,
        **api: Unpack[ExporterOptions],
    ) -> None:
        """Raises a `TypeError` or `ValueError` for settings that contradict each other or cannot be."""
        reject_unknown("WebhookHandler", api, ExporterOptions)
        for name, number in (
            ("flush_timeout_ms", flush_timeout_ms),
            ("tolerance_ms", tolerance_ms),
            ("max_body_bytes", max_body_bytes),
        ):
            if not 0 < number <= _MAX_NUMBER:
                raise ValueError(f"{name} must be a number above 0 and below 2^31; got {number}")
        self.max_body_bytes = max_body_bytes
        self.checks_remotely = validate == "api"
        self._run = run
        self._is_async = inspect.iscoroutinefunction(run) or inspect.iscoroutinefunction(getattr(run, "__call__", None))
        self._verify = _verifier_of(secret, validate, tolerance_ms, api)
        self._reporter = Reporter(report_loss=api.get("report_loss", True), debug=is_debug(api))
        self._flush = SpanFlush(touchstone, flush_timeout_ms, self._reporter)
        self._on_error = on_error or self._log_error
        self._deliveries = Deliveries()

    def answer(self, request: WebhookRequest) -> Answer:
        """Runs the app for a delivery in this thread and returns the response."""
        try:
            delivery_id, test = self._accept(request)
            run, is_first = self._deliveries.join(delivery_id, test)
            if run is not None:
                if is_first:
                    self._run_and_end(delivery_id, test, request)
                run.outcome.result()
            return Answer(200, None)
        except Exception as error:
            return self._failed(error)

    async def answer_async(self, request: WebhookRequest, gone: asyncio.Event) -> Answer:
        """Runs the app for a delivery and returns the response. `gone` is set when the sender disconnects."""
        try:
            accept = asyncio.to_thread(self._accept, request) if self.checks_remotely else None
            delivery_id, test = self._accept(request) if accept is None else await accept
            run, is_first = self._deliveries.join(delivery_id, test)
            if run is not None:
                if is_first:
                    _keep(asyncio.create_task(self._run_and_end_async(delivery_id, test, request)))
                await self._wait(run, gone)
            return Answer(200, None)
        except Exception as error:
            return self._failed(error)

    def rejected(self, error: WebhookError) -> Answer:
        """Returns the response to a request that is no delivery."""
        self._reporter.step(f"answers a delivery with {error.status}: {error.message}")
        return Answer(error.status, error.message)

    def _accept(self, request: WebhookRequest) -> tuple[str, WebhookTest]:
        signed_id = self._verify(request)
        test = read_test(request.body)
        return signed_id or test.test_id, test

    async def _wait(self, run: Run, gone: asyncio.Event) -> None:
        outcome = asyncio.ensure_future(asyncio.wrap_future(run.outcome))
        leaves = asyncio.ensure_future(gone.wait())
        try:
            await asyncio.wait([outcome, leaves], return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaves.cancel()
            if not outcome.done():
                self._deliveries.leave(run)
        await outcome

    def _run_and_end(self, delivery_id: str, test: WebhookTest, request: WebhookRequest) -> None:
        error: BaseException | None = None
        finish = self._flush.start()
        spans = test_spans.started()
        try:
            with _inside(test, request):
                if self._is_async:
                    asyncio.run(self._run(test))  # pyright: ignore[reportArgumentType]
                else:
                    self._run(test)
        except BaseException as raised:
            error = raised
        self._check_spans(test, spans, error)
        self._end(delivery_id, test, error or _error_of(finish))

    async def _run_and_end_async(self, delivery_id: str, test: WebhookTest, request: WebhookRequest) -> None:
        error: BaseException | None = None
        finish = self._flush.start()
        spans = test_spans.started()
        try:
            with _inside(test, request):
                result: Any = self._run(test) if self._is_async else asyncio.to_thread(self._run, test)
                await result
        except BaseException as raised:
            error = raised
        self._check_spans(test, spans, error)
        flushed = await asyncio.to_thread(_error_of, finish)
        self._end(delivery_id, test, error or flushed)

    def _check_spans(self, test: WebhookTest, spans: int | None, error: BaseException | None) -> None:
        if error is None and spans is not None and test_spans.started() == spans:
            self._reporter.notice(
                f"the app started no span in test {test.test_id}. Instrument the app after register(), or start spans with "
                "opentelemetry.trace."
            )

    def _end(self, delivery_id: str, test: WebhookTest, error: BaseException | None) -> None:
        self._reporter.step(f"test {test.test_id}: {'succeeded' if error is None else _message_of(error)}")
        if error is not None:
            self._report(error, test)
        failure = None if error is None else WebhookError(500, _message_of(error))
        self._deliveries.end(delivery_id, failure)
        if error is not None and not isinstance(error, Exception):
            raise error

    def _failed(self, error: Exception) -> Answer:
        if not isinstance(error, WebhookError):
            self._report(error, None)
            error = not_handled()
        elif error.status == 503:
            self._report(error, None)
        if error.status == 401:
            remedy = "Check that the secret is the latest one of the webhook, and the clock of this machine."
            self._reporter.notice(f"rejected a delivery: {error.message}. {remedy}")
        return self.rejected(error)

    def _log_error(self, error: BaseException, test: WebhookTest | None) -> None:
        what = "a delivery" if test is None else f"test {test.test_id}"
        log.error("touchstone: %s failed: %s", what, _message_of(error), exc_info=error)
        self._reporter.notice(f"{what} failed: {_message_of(error)}")

    def _report(self, error: BaseException, test: WebhookTest | None) -> None:
        try:
            self._on_error(error, test)
        except Exception:
            log.exception("touchstone: on_error raised")


@contextmanager
def _inside(test: WebhookTest, request: WebhookRequest):
    token = attach(context_of(request.headers))
    try:
        with with_test(test.test_id):
            yield
    finally:
        detach(token)


def _verifier_of(
    secret: str | Sequence[str] | None, validate: str | None, tolerance_ms: int, api: ExporterOptions
) -> Verify:
    secrets = [secret] if isinstance(secret, str) else list(secret or ())
    if bool(secrets) == (validate == "api"):
        raise TypeError("WebhookHandler() takes either a `secret` or `validate='api'`")
    if not secrets:
        return server_check(api)
    trust = Trust([key_of(one) for one in secrets], tolerance_ms)
    return lambda request: check_signature(request, trust)


def _error_of(finish: Callable[[], None]) -> Exception | None:
    try:
        finish()
    except Exception as error:
        return error
    return None


def _message_of(error: BaseException) -> str:
    return (str(error) or type(error).__name__)[:_MAX_REASON]


_running: set[asyncio.Task[None]] = set()


def _keep(task: asyncio.Task[None]) -> None:
    """Holds a task until it ends: the event loop itself has only weak references."""
    _running.add(task)
    task.add_done_callback(_running.discard)
