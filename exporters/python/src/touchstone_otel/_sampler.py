from __future__ import annotations

from collections.abc import Sequence

from opentelemetry.context import Context
from opentelemetry.sdk.trace.sampling import Decision, Sampler, SamplingResult
from opentelemetry.trace import Link, SpanKind, TraceState, get_current_span
from opentelemetry.util.types import Attributes

from ._test_context import current_test_id


def record_tests(sampler: Sampler) -> Sampler:
    """Returns a sampler that always records spans of tests and leaves all others to `sampler`."""
    return _RecordTests(sampler)


class _RecordTests(Sampler):
    records_tests = True
    def __init__(self, inner: Sampler) -> None:
        self._inner = inner

    def should_sample(
        self,
        parent_context: Context | None,
        trace_id: int,
        name: str,
        kind: SpanKind | None = None,
        attributes: Attributes = None,
        links: Sequence[Link] | None = None,
        trace_state: TraceState | None = None,
    ) -> SamplingResult:
        if current_test_id(parent_context) is None:
            return self._inner.should_sample(parent_context, trace_id, name, kind, attributes, links, trace_state)
        inherited = get_current_span(parent_context).get_span_context().trace_state
        return SamplingResult(Decision.RECORD_AND_SAMPLE, attributes, inherited)

    def get_description(self) -> str:
        return f"RecordTests{{{self._inner.get_description()}}}"
