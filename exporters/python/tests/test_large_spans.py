"""Requests by bytes, whatever the sizes of spans and the limit of the server."""

from __future__ import annotations

import random
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTracePartialSuccess
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import Tracer
from receiver import Answer, Receiver, text_of

from touchstone_otel import TouchstoneSpanProcessor

KIB = 2**10
MIB = 2**20
# Longer than a busy machine takes.
TIMEOUT = 60_000

Start = Callable[..., tuple[Tracer, TouchstoneSpanProcessor]]


@pytest.fixture
def start(receiver: Receiver):
    processors: list[TouchstoneSpanProcessor] = []

    def start(**options: Any) -> tuple[Tracer, TouchstoneSpanProcessor]:
        merged: dict[str, Any] = {**receiver.options, "delay_millis": 600_000, "timeout_millis": TIMEOUT, **options}
        processor = TouchstoneSpanProcessor(**merged)
        provider = TracerProvider(shutdown_on_exit=False)
        provider.add_span_processor(processor)
        processors.append(processor)
        return provider.get_tracer("test"), processor

    yield start
    for processor in processors:
        processor.shutdown()


def end_large(tracer: Tracer, name: str, size: int, **attributes: str) -> None:
    text = random.Random(size).randbytes(size // 2).hex()
    tracer.start_span(name, attributes={"input.value": text, **attributes}).end()


def accept_up_to(receiver: Receiver, limit: int) -> list[str]:
    """Makes the receiver accept requests up to a size before compression. Returns the names of what it accepts."""
    accepted: list[str] = []

    def answer(spans: list[Any], size: int) -> Answer:
        if size > limit:
            return Answer(413)
        accepted.extend(span.name for span in spans)
        return Answer()

    receiver.judge = answer
    return accepted


def test_a_batch_of_40_mb_is_sent_in_requests_of_4_mib(start: Start, receiver: Receiver):
    accepted = accept_up_to(receiver, round(4.2 * MIB))
    tracer, processor = start(max_queue_bytes=100 * MIB)
    for n in range(200):
        end_large(tracer, f"span {n}", 200 * KIB)
    assert processor.force_flush(120_000)
    assert processor.stats().exported == 200
    assert accepted == [f"span {n}" for n in range(200)]
    assert len(receiver.requests) < 20


def test_a_server_that_answers_413_gets_halves(start: Start, receiver: Receiver):
    accepted = accept_up_to(receiver, 200 * KIB)
    tracer, processor = start()
    for n in range(20):
        end_large(tracer, f"span {n}", 50 * KIB)
    assert processor.force_flush(120_000)
    assert processor.stats().exported == 20
    assert accepted == [f"span {n}" for n in range(20)]


def test_one_span_that_is_too_large_is_sent_with_its_longest_texts_truncated(
    start: Start, receiver: Receiver, capsys: pytest.CaptureFixture[str]
):
    accepted = accept_up_to(receiver, round(1.2 * MIB))
    tracer, processor = start()
    end_large(tracer, "small", 10)
    end_large(tracer, "giant", 3 * MIB, model="m-1")
    assert processor.force_flush(120_000)
    assert processor.stats().exported == 2
    assert sorted(accepted) == ["giant", "small"]
    giant = receiver.requests[-1].spans[0]
    assert text_of(giant, "model") == "m-1"
    assert (text_of(giant, "input.value") or "").endswith(" characters left out: the server accepts no span this large]")
    assert 'the server found the span "giant" too large' in capsys.readouterr().err


def test_a_text_is_truncated_only_after_its_secrets_were_redacted(start: Start, receiver: Receiver):
    accept_up_to(receiver, round(1.2 * MIB))
    tracer, processor = start(redact=lambda text, _key: re.sub(r"secret-\d+;", "***", text))
    text = ("secret-" + "1" * 2_000 + ";" + "x" * 200) * 7_000
    tracer.start_span("giant", attributes={"text": text}).end()
    assert processor.force_flush(120_000)
    assert processor.stats().exported == 1
    sent = text_of(receiver.requests[-1].spans[0], "text") or ""
    assert "characters left out" in sent
    assert "secret" not in sent


def test_after_413_no_response_is_waited_for_once(start: Start, receiver: Receiver):
    receiver.behave = lambda n: Answer(413) if n == 0 else Answer(delay=3)
    tracer, processor = start(timeout_millis=300)
    for n in range(64):
        end_large(tracer, f"span {n}", KIB)
    assert processor.force_flush(120_000)
    assert processor.stats().failed == 64
    assert len(receiver.requests) == 2


def test_only_a_span_that_nothing_makes_small_enough_is_lost(
    start: Start, receiver: Receiver, capsys: pytest.CaptureFixture[str]
):
    accepted = accept_up_to(receiver, 10 * KIB)
    tracer, processor = start()
    end_large(tracer, "small", 10)
    end_large(tracer, "giant", MIB)
    assert processor.force_flush(120_000)
    assert (processor.stats().exported, processor.stats().failed) == (1, 1)
    assert accepted == ["small"]
    assert "HTTP 413" in (line := capsys.readouterr().err)
    assert "Shorten the texts of this span, or raise TOUCHSTONE_MAX_BODY_BYTES of the server." in line


def test_the_queue_holds_no_more_bytes_than_allowed(start: Start, receiver: Receiver):
    tracer, processor = start(max_queue_bytes=35_000)
    for n in range(5):
        end_large(tracer, f"span {n}", 10_000)
    stats = processor.stats()
    assert (stats.waiting, stats.dropped) == (3, 2)
    assert processor.force_flush(120_000)
    assert [span.name for span in receiver.spans] == ["span 0", "span 1", "span 2"]


def test_the_root_of_a_test_takes_the_place_of_the_latest_other_spans(start: Start, receiver: Receiver):
    may_answer = threading.Event()

    def answer(_: int) -> Answer:
        assert may_answer.wait(120)
        return Answer()

    receiver.behave = answer
    tracer, processor = start(max_queue_size=3)
    for n in range(3):
        tracer.start_span(f"first {n}").end()
    while processor.stats().in_flight < 3:
        time.sleep(0.01)
    of_test = {"service.test.id": "7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60"}
    tracer.start_span("other 0").end()
    tracer.start_span("root 0", attributes=of_test).end()
    tracer.start_span("other 1").end()
    tracer.start_span("root 1", attributes=of_test).end()
    tracer.start_span("other 2").end()
    tracer.start_span("root 2", attributes=of_test).end()
    assert processor.stats().dropped == 3
    may_answer.set()
    assert processor.force_flush(120_000)
    assert [span.name for span in receiver.spans[3:]] == ["root 0", "root 1", "root 2"]


def test_requests_are_followed_within_the_origin_only(start: Start, receiver: Receiver):
    receiver.behave = lambda n: Answer(307, {"location": "/base/v1/traces"}) if n == 0 else Answer()
    tracer, processor = start()
    tracer.start_span("answer").end()
    assert processor.force_flush()
    assert [request.path for request in receiver.requests] == ["/v1/traces", "/base/v1/traces"]
    assert [span.name for span in receiver.requests[1].spans] == ["answer"]

    other = Receiver()
    receiver.behave = lambda _: Answer(308, {"location": f"{other.url}/v1/traces"})
    tracer.start_span("answer").end()
    assert processor.force_flush()
    assert processor.stats().failed == 1
    assert other.requests == []
    other.close()


INVALID = ExportTracePartialSuccess(rejected_spans=3, error_message="bad name").SerializeToString()
"""A `google.rpc.Status` has its code and its message in the same fields."""


def reject_names(receiver: Receiver, *names: str) -> list[str]:
    """Makes the receiver reject requests that contain spans of some names. Returns the names of what it accepts."""
    accepted: list[str] = []

    def answer(spans: list[Any], _size: int) -> Answer:
        if any(span.name in names for span in spans):
            return Answer(400, {"content-type": "application/x-protobuf"}, INVALID)
        accepted.extend(span.name for span in spans)
        return Answer()

    receiver.judge = answer
    return accepted


@pytest.mark.parametrize("is_kept", [False, True])
def test_a_span_that_the_server_calls_invalid_is_lost_alone(
    start: Start, receiver: Receiver, capsys: pytest.CaptureFixture[str], tmp_path: Path, is_kept: bool
):
    accepted = reject_names(receiver, "span 7")
    tracer, processor = start(**({"spool_dir": str(tmp_path)} if is_kept else {}))
    for n in range(40):
        tracer.start_span(f"span {n}").end()
    processor.force_flush()
    stats = processor.stats()
    assert (stats.exported, stats.failed, stats.waiting) == (39, 1, 0)
    assert accepted == [f"span {n}" for n in range(40) if n != 7]
    assert re.search(r"1 span was lost: HTTP 400 .*\(bad name\).*Check its name, its times", capsys.readouterr().err)
    assert not list(tmp_path.rglob("*.batch"))


def test_the_requests_that_are_made_of_one_with_many_invalid_spans_are_bounded(start: Start, receiver: Receiver):
    reject_names(receiver, *(f"span {n}" for n in range(400)))
    tracer, processor = start()
    for n in range(400):
        tracer.start_span(f"span {n}").end()
    processor.force_flush()
    assert processor.stats().failed == 400
    assert len(receiver.requests) == 33


def test_a_request_that_another_service_rejects_is_not_divided(start: Start, receiver: Receiver):
    receiver.behave = lambda _: Answer(400, {"content-type": "text/plain"}, b"bad request")
    tracer, processor = start()
    for n in range(4):
        tracer.start_span(f"span {n}").end()
    processor.force_flush()
    assert processor.stats().failed == 4
    assert len(receiver.requests) == 1
