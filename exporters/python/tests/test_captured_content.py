"""Content that is turned off never leaves the process; structure does."""

from __future__ import annotations

from typing import Any

import pytest
from opentelemetry.sdk.trace import TracerProvider
from receiver import Receiver, text_of

from touchstone_otel import TouchstoneSpanProcessor


@pytest.mark.parametrize(("options", "value"), [({"capture_content": False}, None), ({}, "0"), ({}, "off")])
def test_content_is_hidden_and_the_rest_remains(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], value: str | None
):
    if value is not None:
        monkeypatch.setenv("TOUCHSTONE_CAPTURE_CONTENT", value)
    processor = TouchstoneSpanProcessor(**receiver.options, **options, redact=lambda text, key: text.upper())
    provider = TracerProvider()
    provider.add_span_processor(processor)
    span = provider.get_tracer("app").start_span("chat")
    span.set_attributes(
        {
            "input.value": "secret",
            "gen_ai.prompt.name": "greeting",
            "gen_ai.prompt.0.content": "secret",
            "gen_ai.prompt.0.role": "user",
            "embedding.embeddings.0.embedding.vector": [1.0, 2.0],
            "gen_ai.usage.input_tokens": 7,
        }
    )
    span.add_event("gen_ai.choice", {"index": 0, "finish_reason": "stop", "message": "secret"})
    span.add_event("cache", {"hit": "yes"})
    span.end()
    provider.force_flush()
    (sent,) = receiver.spans
    assert "secret" not in str(sent) and "SECRET" not in str(sent)
    keys = ["input.value", "gen_ai.prompt.name", "gen_ai.prompt.0.content", "gen_ai.prompt.0.role"]
    assert [text_of(sent, key) for key in keys] == ["__REDACTED__", "GREETING", "__REDACTED__", "USER"]
    assert text_of(sent, "embedding.embeddings.0.embedding.vector") == "__REDACTED__"
    assert "7" in str(sent) and '"STOP"' in str(sent) and '"YES"' in str(sent)
    provider.shutdown()


def test_an_option_overrides_the_variable(receiver: Receiver, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TOUCHSTONE_CAPTURE_CONTENT", "0")
    options: dict[str, Any] = {**receiver.options, "capture_content": True}
    provider = TracerProvider()
    provider.add_span_processor(TouchstoneSpanProcessor(**options))
    span = provider.get_tracer("app").start_span("chat")
    span.set_attribute("input.value", "text")
    span.end()
    provider.shutdown()
    assert text_of(receiver.spans[0], "input.value") == "text"
