from __future__ import annotations

import os

from opentelemetry import trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanLimits, TracerProvider
from typing_extensions import Unpack

from ._options import ProcessorOptions, RegisterOptions, reject_unknown
from ._processor import TouchstoneSpanProcessor
from ._sampler import record_tests
from ._stats import Stats

_ATTRIBUTE_LIMITS = ("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "OTEL_ATTRIBUTE_COUNT_LIMIT")
_CLOSED = (
    "the tracer provider that is set accepts no span processor. Set up OpenTelemetry's own provider before it, or export through it."
)

_latest: tuple[object, TouchstoneSpanProcessor] | None = None
"""The provider to which `register()` has added a processor, and this processor. Some providers cannot be keys of a dictionary."""


class Touchstone:
    """What `register()` set up."""

    def __init__(
        self, processor: TouchstoneSpanProcessor, provider: TracerProvider | None, reason: str | None, strict: bool
    ) -> None:
        self._processor = processor
        self._provider = provider
        """The provider that ends with this object; None if it is that of the app."""
        self._is_registered = reason is None
        self._reason = reason
        self._is_strict = strict

    @property
    def is_registered(self) -> bool:
        """False when OpenTelemetry is turned off, or a provider is set that accepts no processor: then nothing was changed."""
        return self._is_registered

    def flush(self, timeout_millis: int = 30_000) -> bool:
        """Returns True when every ended span is stored or lost, False when time is up.

        In strict mode, raises a `SpanLossError` when spans were lost, and a `RuntimeError` when nothing was registered.
        """
        if self._is_registered:
            return self._processor.force_flush(timeout_millis)
        if self._is_strict:
            raise RuntimeError(f"register() changed nothing: {self._reason}")
        return True

    def shutdown(self) -> None:
        """Flushes for the last time; the end of the process does so too."""
        if self._provider is not None:
            self._provider.shutdown()
        self._processor.shutdown()

    def stats(self) -> Stats:
        """Returns the numbers of spans so far, by outcome."""
        return self._processor.stats()


def register(**options: Unpack[RegisterOptions]) -> Touchstone:
    """Sets up OpenTelemetry for an app that has none. An existing tracer provider stays, and gets a span processor.

    Called again, the options of the latest call apply.
    """
    reject_unknown("register", options, RegisterOptions)
    names = ProcessorOptions.__optional_keys__
    processor = TouchstoneSpanProcessor(
        **{name: value for name, value in options.items() if name in names}  # pyright: ignore[reportArgumentType]
    )
    strict = options.get("strict", False)
    if os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return Touchstone(processor, None, "OTEL_SDK_DISABLED is set", strict)
    current = trace.get_tracer_provider()
    if not isinstance(current, trace.ProxyTracerProvider):
        reason = _attach(processor, current)
        if reason is not None:
            processor.reporter.notice(f"register() changed nothing: {reason}")
        return Touchstone(processor, None, reason, strict)
    provider = _provider_of(options)
    provider.add_span_processor(processor)
    _remember(provider, processor)
    trace.set_tracer_provider(provider)
    return Touchstone(processor, provider, None, strict)


def _attach(processor: TouchstoneSpanProcessor, provider: object) -> str | None:
    """Adds a processor to the provider of the app. Returns why that is not possible."""
    add = getattr(provider, "add_span_processor", None)
    if not callable(add):
        return _CLOSED
    try:
        add(processor)
    except Exception as error:
        return f"the tracer provider that is set accepts no span processor ({error!r})."
    if _latest is not None and _latest[0] is provider:
        # Each span is sent once, with the options of the latest call.
        _latest[1].retire()
    _remember(provider, processor)
    processor.reporter.step(f"sends the spans of a provider that was set before: {type(provider).__name__}")
    return None


def _remember(provider: object, processor: TouchstoneSpanProcessor) -> None:
    global _latest
    _latest = provider, processor


def _provider_of(options: RegisterOptions) -> TracerProvider:
    service_name = options.get("service_name")
    limits = [os.environ.get(name, "").strip() for name in _ATTRIBUTE_LIMITS]
    provider = TracerProvider(
        resource=Resource.create({} if service_name is None else {"service.name": service_name}),
        sampler=options.get("sampler"),
        # Instrumentations of language models write a message into several attributes, so the usual 128 are too few.
        span_limits=SpanLimits() if any(limits) else SpanLimits(max_span_attributes=1_024),
    )
    # Without the option, the provider has read the variables of OpenTelemetry.
    provider.sampler = record_tests(provider.sampler)
    return provider

