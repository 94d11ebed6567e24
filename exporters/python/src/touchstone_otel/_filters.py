from __future__ import annotations

from collections.abc import Callable

from opentelemetry.sdk.trace import ReadableSpan

from ._test_context import TEST_ID_ATTRIBUTE

SpanFilter = Callable[[ReadableSpan], bool]
"""Decides whether an ended span is sent."""

_LLM_PREFIXES = ("gen_ai.", "llm.", "openinference.", "traceloop.", "ai.", "langfuse.", "langsmith.", "mlflow.")


def all_spans(span: ReadableSpan) -> bool:
    """Sends every span."""
    return True


def spans_of_tests(span: ReadableSpan) -> bool:
    """Sends the spans that belong to a test."""
    return TEST_ID_ATTRIBUTE in (span.attributes or {})


def llm_spans(span: ReadableSpan) -> bool:
    """Sends spans that an instrumentation of a language model wrote: those with an attribute of its vocabulary."""
    return any(key.startswith(_LLM_PREFIXES) for key in (span.attributes or {}))
