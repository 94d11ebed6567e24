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
_ALREADY_SET = (
    "a tracer provider is already set. Add a processor to it, "
    "provider.add_span_processor(TouchstoneSpanProcessor()), and wrap its sampler, record_tests(sampler)."
)


class Touchstone:
    """What `register()` set up."""

    def __init__(self, processor: TouchstoneSpanProcessor, provider: TracerProvider | None, reason: str, strict: bool) -> None:
        self._processor = processor
        self._provider = provider
        self._reason = reason
        self._is_strict = strict

    @property
    def is_registered(self) -> bool:
        """False when the app has a tracer provider already, or OpenTelemetry is turned off: then nothing was changed."""
        return self._provider is not None

    def flush(self, timeout_millis: int = 30_000) -> bool:
        """Returns True when every ended span is stored or lost, False when time is up.

        In strict mode, raises a `SpanLossError` when spans were lost, and a `RuntimeError` when nothing was registered.
        """
        if self._provider is not None:
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
    """Sets up OpenTelemetry for an app that has none. An existing tracer provider stays as it is."""
    reject_unknown("register", options, RegisterOptions)
    names = ProcessorOptions.__optional_keys__
    processor = TouchstoneSpanProcessor(
        **{name: value for name, value in options.items() if name in names}  # pyright: ignore[reportArgumentType]
    )
    strict = options.get("strict", False)
    if os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return Touchstone(processor, None, "OTEL_SDK_DISABLED is set", strict)
    if not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        processor.reporter.notice(f"register() changed nothing: {_ALREADY_SET}")
        return Touchstone(processor, None, _ALREADY_SET, strict)
    provider = _provider_of(options)
    provider.add_span_processor(processor)
    trace.set_tracer_provider(provider)
    return Touchstone(processor, provider, "", strict)


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

