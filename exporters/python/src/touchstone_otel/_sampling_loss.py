"""Reports tests whose spans a sampler has left out: no processor hears of them."""

from __future__ import annotations

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.sdk.trace.sampling import Decision, Sampler

from ._log import Reporter

_HIGHEST_TRACE_ID = 2**128 - 1
"""The trace that a sampler of a ratio leaves out first."""


class SpansOfTest:
    """Counts the spans that are recorded in one test."""

    def __init__(self) -> None:
        self.recorded = 0


def report_left_out(spans: SpansOfTest, inside: Context, reporter: Reporter) -> None:
    """Writes a line if a test has no span and the sampler leaves out tests. Never raises."""
    if spans.recorded:
        return
    try:
        sampler = getattr(trace.get_tracer_provider(), "sampler", None)
        if not isinstance(sampler, Sampler) or getattr(sampler, "records_tests", False):
            return
        if sampler.should_sample(inside, _HIGHEST_TRACE_ID, "test").decision is not Decision.RECORD_AND_SAMPLE:
            reporter.notice(
                f"a test has no span: the sampler of the app ({sampler.get_description()[:80]}) leaves out spans of tests. "
                "Wrap it: TracerProvider(sampler=record_tests(sampler))."
            )
    except Exception:
        pass  # A sampler of the app may expect more of its arguments.
