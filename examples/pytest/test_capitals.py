"""Tests of an app: the function is called once for each test of the task, and fails by the verdicts."""

import pytest
from opentelemetry import trace
from touchstone_otel import WebhookTest

tracer = trace.get_tracer("capitals")


def answer(question: str) -> str:
    """Stands for your app. An instrumentation of your model's client writes such a span."""
    with tracer.start_as_current_span("answer") as span:
        text = "Paris" if "France" in question else "Lima"
        span.set_attributes({"input.value": question, "output.value": text})
    return text


@pytest.mark.touchstone(tasks=["Capitals"], repeat=2)
def test_capitals(touchstone_test: WebhookTest) -> None:
    answer(touchstone_test.prompt)
