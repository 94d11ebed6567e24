"""What becomes of spans, whatever the server does."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from opentelemetry import baggage
from opentelemetry.context import Context
from opentelemetry.propagate import inject
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF, Decision, Sampler, SamplingResult
from opentelemetry.trace import Status, StatusCode, Tracer
from receiver import Answer, Receiver, partial, text_of

from touchstone_otel import (
    TEST_ID_ATTRIBUTE,
    SpanLossError,
    TestIdSpanProcessor,
    TouchstoneSpanProcessor,
    current_test_id,
    llm_spans,
    record_tests,
    spans_of_tests,
    with_test,
)

Start = Callable[..., tuple[Tracer, TouchstoneSpanProcessor]]


@pytest.fixture
def start(receiver: Receiver):
    """Starts a provider with one processor, whose batches leave when they are full or on request."""
    providers: list[TracerProvider] = []

    def start(sampler: Sampler | None = None, **options: Any) -> tuple[Tracer, TouchstoneSpanProcessor]:
        merged: dict[str, Any] = {**receiver.options, "delay_millis": 600_000, **options}
        processor = TouchstoneSpanProcessor(**merged)
        provider = TracerProvider(sampler=sampler, shutdown_on_exit=False)
        provider.add_span_processor(processor)
        providers.append(provider)
        return provider.get_tracer("test"), processor

    yield start
    for provider in providers:
        try:
            provider.shutdown()
        except SpanLossError:
            pass


def end_spans(tracer: Tracer, count: int) -> None:
    for n in range(count):
        tracer.start_span(f"span {n}").end()


def holding_back(receiver: Receiver) -> threading.Event:
    """Makes the receiver answer once the event is set."""
    may_answer = threading.Event()

    def behave(_: int) -> Answer:
        assert may_answer.wait(120)
        return Answer()

    receiver.behave = behave
    return may_answer


def counts(processor: TouchstoneSpanProcessor) -> dict[str, int]:
    """The counts that are not zero. The sum is checked."""
    stats = {name: count for name, count in vars(processor.stats()).items() if isinstance(count, int)}
    parts = sum(count for name, count in stats.items() if name not in ("ended", "unsampled_test_spans"))
    assert stats["ended"] == parts
    return {name: count for name, count in stats.items() if count}


def test_a_batch_leaves_when_it_is_full_or_its_time_has_come(start: Start, receiver: Receiver):
    tracer, processor = start(max_batch_size=3)
    end_spans(tracer, 7)
    wait_until(lambda: processor.stats().exported == 6)
    assert counts(processor) == {"ended": 7, "exported": 6, "waiting": 1}
    tracer, processor = start(delay_millis=20)
    end_spans(tracer, 1)
    wait_until(lambda: processor.stats().exported == 1)
    assert [len(one.spans) for one in receiver.requests] == [3, 3, 1]


def test_a_request_has_the_address_and_the_headers(start: Start, receiver: Receiver):
    tracer, processor = start()
    end_spans(tracer, 1)
    assert processor.force_flush()
    (request,) = receiver.requests
    expected = {"x-api-key": "sk_key_secret", "content-type": "application/x-protobuf", "content-encoding": "gzip"}
    assert request.path == "/v1/traces"
    assert {name: request.headers[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("answers", "outcome"),
    [
        ([Answer(503, {"retry-after": "0"}), Answer()], {"exported": 2}),
        ([Answer(429, {"retry-after": "0"}), Answer()], {"exported": 2}),
        ([Answer(502), Answer()], {"exported": 2}),
        ([Answer(401)], {"failed": 2}),
        ([Answer(400)], {"failed": 2}),
        ([Answer(302, {"location": "/elsewhere"})], {"failed": 2}),
        ([partial(1, "span 0 has no id")], {"exported": 1, "rejected": 1}),
        ([Answer(body=b"{}")], {"exported": 2}),
        ([Answer(503, {"retry-after": "30"})], {"failed": 2}),
        ([Answer(delay=30)], {"failed": 2}),
    ],
)
def test_every_span_is_counted_once(start: Start, receiver: Receiver, answers: list[Answer], outcome: dict[str, int]):
    receiver.behave = lambda n: answers[min(n, len(answers) - 1)]
    # Where an answer is to come, only what hangs reaches the limit.
    timeout_millis = 700 if answers[0].delay else 20_000
    tracer, processor = start(timeout_millis=timeout_millis, report_loss=False)
    end_spans(tracer, 2)
    assert processor.force_flush()
    assert counts(processor) == {"ended": 2, **outcome}
    assert len(receiver.requests) == len(answers)


def test_without_a_server_spans_are_lost_in_time(start: Start, receiver: Receiver):
    receiver.close()
    tracer, processor = start(timeout_millis=300, report_loss=False)
    end_spans(tracer, 2)
    since = time.monotonic()
    assert processor.force_flush()
    assert time.monotonic() - since < 60
    assert counts(processor) == {"ended": 2, "failed": 2}


def test_a_retry_that_the_time_limit_ends_reports_the_failure_of_the_attempt_before_it(
    start: Start, receiver: Receiver, caplog: pytest.LogCaptureFixture
):
    receiver.behave = lambda n: Answer(delay=30) if n else Answer(503, {"retry-after": "0"})
    tracer, processor = start(timeout_millis=5_000, report_loss=True)
    end_spans(tracer, 1)
    assert processor.force_flush()
    assert len(receiver.requests) == 2
    assert f"HTTP 503 from {receiver.url}" in caplog.text
    assert "did not respond" not in caplog.text


def test_a_full_queue_drops_and_counts(start: Start, receiver: Receiver):
    may_answer = holding_back(receiver)
    tracer, processor = start(max_queue_size=4, max_batch_size=4, report_loss=False)
    end_spans(tracer, 20)
    may_answer.set()
    assert processor.force_flush()
    stats = processor.stats()
    # At most one batch was in progress, and one waited: no span waited for the server.
    assert stats.dropped >= 12 and stats.dropped + stats.exported == 20


def test_a_flush_ends_when_its_time_is_up(start: Start, receiver: Receiver):
    may_answer = holding_back(receiver)
    tracer, processor = start()
    end_spans(tracer, 1)
    assert processor.force_flush(20) is False
    assert processor.stats().exported == 0
    may_answer.set()
    assert processor.force_flush() is True
    assert counts(processor) == {"ended": 1, "exported": 1}


def test_spans_after_the_shutdown_are_dropped(start: Start):
    tracer, processor = start(report_loss=False)
    end_spans(tracer, 1)
    processor.shutdown()
    end_spans(tracer, 2)
    assert counts(processor) == {"ended": 3, "exported": 1, "dropped": 2}


def test_strict_mode_raises_each_loss_once(start: Start, receiver: Receiver):
    receiver.behave = lambda _: Answer(401)
    tracer, processor = start(strict=True, report_loss=False)
    end_spans(tracer, 2)
    with pytest.raises(SpanLossError, match="0 dropped, 2 not delivered") as raised:
        processor.force_flush()
    assert raised.value.stats.failed == 2
    assert processor.force_flush()


def test_a_span_that_cannot_be_encoded_does_not_lose_its_batch(start: Start, receiver: Receiver):
    tracer, processor = start(report_loss=False)
    tracer.start_span("before 1970", start_time=-1).end()
    end_spans(tracer, 2)
    processor.force_flush()
    assert counts(processor) == {"ended": 3, "exported": 2, "failed": 1}


@pytest.mark.parametrize(("should_export", "names"), [(llm_spans, ["llm"]), (spans_of_tests, ["in a test"])])
def test_filters(start: Start, receiver: Receiver, test_id: str, should_export: Callable[[ReadableSpan], bool], names: list[str]):
    tracer, processor = start(should_export=should_export)
    tracer.start_span("llm", attributes={"gen_ai.request.model": "m"}).end()
    with with_test(test_id):
        tracer.start_span("in a test").end()
    tracer.start_span("other").end()
    processor.force_flush()
    assert [span.name for span in receiver.spans] == names
    assert counts(processor) == {"ended": 3, "exported": 1, "filtered": 2}


def test_a_filter_that_raises_keeps_nothing_back(start: Start, receiver: Receiver):
    def broken(_: ReadableSpan) -> bool:
        raise ZeroDivisionError

    tracer, processor = start(should_export=broken)
    end_spans(tracer, 1)
    processor.force_flush()
    assert len(receiver.spans) == 1


def test_redact_sees_every_text(start: Start, receiver: Receiver):
    seen: list[str] = []

    def redact(text: str, key: str) -> str:
        seen.append(key)
        if key == "broken":
            raise ZeroDivisionError
        return text.replace("secret", "***")

    tracer, processor = start(redact=redact)
    link = tracer.start_span("linked").get_span_context()
    span = tracer.start_span("a secret name")
    span.set_attributes({"text": "secret", "list": ["secret", "open"], "number": 7, "broken": "secret"})
    span.add_event("secret event", {"of event": "secret"})
    span.add_link(link, {"of link": "secret"})
    span.set_status(Status(StatusCode.ERROR, "secret status"))
    span.end()
    processor.force_flush()
    assert set(seen) == {"name", "text", "list", "broken", "of event", "of link", "status.message"}
    (sent,) = receiver.spans
    assert b"secret" not in sent.SerializeToString()
    assert (text_of(sent, "text"), text_of(sent, "broken")) == ("***", "[redacted]")
    assert span.attributes["text"] == "secret", "other processors see it"  # pyright: ignore[reportAttributeAccessIssue,reportUnknownMemberType]


class RecordOnly(Sampler):
    def should_sample(self, *args: object, **kwargs: object) -> SamplingResult:
        return SamplingResult(Decision.RECORD_ONLY)

    def get_description(self) -> str:
        return "RecordOnly"


def test_samplers_keep_out_live_traffic_but_no_test(start: Start, receiver: Receiver, test_id: str):
    tracer, processor = start(record_tests(ALWAYS_OFF))
    with with_test(test_id):
        tracer.start_span("of a test", attributes={"a": "b"}).end()
    tracer.start_span("live").end()
    processor.force_flush()
    (sent,) = receiver.spans
    assert (sent.name, text_of(sent, "a"), text_of(sent, TEST_ID_ATTRIBUTE)) == ("of a test", "b", test_id)


def test_a_span_of_a_test_that_a_sampler_left_out_is_counted(start: Start, test_id: str):
    tracer, processor = start(RecordOnly(), report_loss=False)
    with with_test(test_id):
        tracer.start_span("left out").end()
    assert counts(processor) == {"unsampled_test_spans": 1}


@pytest.mark.parametrize(("value", "linked"), [("7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60", True), ("anything", False)])
def test_baggage_links_spans_if_it_is_a_uuid(value: str, linked: bool):
    context = baggage.set_baggage(TEST_ID_ATTRIBUTE, value, Context())
    assert current_test_id(context) == (value if linked else None)


def test_baggage_is_sent_only_on_request(test_id: str):
    for enabled in (False, True):
        carrier: dict[str, str] = {}
        with with_test(test_id, baggage=enabled):
            inject(carrier)
        assert (carrier.get("baggage") == f"service.test.id={test_id}") is enabled


def test_the_stamp_alone(test_id: str):
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(TestIdSpanProcessor())
    with with_test(test_id):
        span = provider.get_tracer("test").start_span("stamped")
    assert span.attributes == {TEST_ID_ATTRIBUTE: test_id}  # pyright: ignore[reportAttributeAccessIssue,reportUnknownMemberType]


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_worker_sends_its_own_spans_and_only_those(start: Start, receiver: Receiver):
    tracer, processor = start()
    end_spans(tracer, 2)
    worker = os.fork()
    if worker == 0:
        # Whatever fails, the child must end here: it would continue with the other tests.
        code = 1
        try:
            tracer.start_span("of the worker").end()
            processor.force_flush()
            code = 0 if counts(processor) == {"ended": 1, "exported": 1} else 1
        finally:
            os._exit(code)
    assert os.waitpid(worker, 0)[1] == 0
    processor.force_flush()
    assert sorted(span.name for span in receiver.spans) == ["of the worker", "span 0", "span 1"]


def test_an_unknown_option_is_an_error():
    with pytest.raises(TypeError, match="unknown option 'api_kee'"):
        TouchstoneSpanProcessor(api_kee="sk")  # pyright: ignore[reportCallIssue]


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.005)
