"""The webhook handler behind ASGI and WSGI, without a network."""

from __future__ import annotations

import asyncio
import io
import json
import threading
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from opentelemetry.trace import get_current_span
from sender import Delivery, new_delivery, new_secret, service_headers, standard_headers

from touchstone_otel import SpanLossError, Stats, WebhookHandler, WebhookTest, current_test_id, to_asgi, to_wsgi

SECRET, OLD_SECRET, OTHER_SECRET = new_secret(), new_secret(), new_secret()
TRACE_ID, SPAN_ID = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"

Post = Callable[..., tuple[int, Any]]


def post_asgi(handler: WebhookHandler, delivery: Delivery, method: str = "POST") -> tuple[int, Any]:
    async def post() -> tuple[int, Any]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(to_asgi(handler)), base_url="http://app") as client:
            response = await client.request(method, "/", content=delivery.body, headers=delivery.headers)
            return response.status_code, response.json()

    return asyncio.run(post())


def post_wsgi(handler: WebhookHandler, delivery: Delivery, method: str = "POST") -> tuple[int, Any]:
    environ: dict[str, Any] = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in delivery.headers.items()}
    environ["CONTENT_TYPE"] = environ.pop("HTTP_CONTENT_TYPE", "")
    environ |= {"REQUEST_METHOD": method, "CONTENT_LENGTH": str(len(delivery.body)), "wsgi.input": io.BytesIO(delivery.body)}
    statuses: list[str] = []
    body = b"".join(to_wsgi(handler)(environ, lambda status, headers: statuses.append(status)))
    return int(statuses[0].split()[0]), json.loads(body)


@pytest.fixture(params=[post_asgi, post_wsgi])
def post(request: pytest.FixtureRequest) -> Post:
    return request.param


class App:
    """Takes note of the tests it runs."""

    def __init__(self, error: Exception | None = None) -> None:
        self.tests: list[WebhookTest] = []
        self.seen: list[tuple[str | None, int]] = []
        self.error = error
        self.flushes = 0

    def run(self, test: WebhookTest) -> str:
        self.tests.append(test)
        self.seen.append((current_test_id(), get_current_span().get_span_context().trace_id))
        if self.error is not None:
            raise self.error
        return "ignored"

    async def run_async(self, test: WebhookTest) -> str:
        await asyncio.sleep(0)
        return self.run(test)

    def flush(self, timeout_millis: int = 0) -> bool:
        self.flushes += 1
        return True

    def handler(self, **options: Any) -> WebhookHandler:
        options = {"run": self.run, "secret": SECRET, "touchstone": self, "on_error": lambda *_: None, **options}
        return WebhookHandler(**options)


@pytest.mark.parametrize("is_async", [False, True])
def test_the_app_runs_once_inside_its_test_and_trace_and_is_flushed(post: Post, is_async: bool):
    app = App()
    handler = app.handler(run=app.run_async if is_async else app.run)
    overrides = {"answer": {"model": "large"}}
    experiment = {"experimentId": "e", "experimentVariantId": "v", "overrides": overrides}
    fields = {"metadata": {"a": 1}, "promptObject": {"q": "?"}, "experiment": experiment, "newer": [1]}
    delivery = new_delivery(SECRET, fields, {"traceparent": f"00-{TRACE_ID}-{SPAN_ID}-01"})
    assert post(handler, delivery) == (200, {"ok": True})
    assert post(handler, delivery) == (200, {"ok": True}), "it ran before"
    (test,) = app.tests
    assert (test.test_id, test.prompt, test.prompt_object) == (delivery.test_id, "Where is my parcel? ✓", {"q": "?"})
    assert (test.metadata, test.payload["newer"]) == ({"a": 1}, [1])
    assert (test.overrides_for("answer"), test.overrides_for("search")) == ({"model": "large"}, {})
    assert app.seen == [(delivery.test_id, int(TRACE_ID, 16))]
    assert app.flushes == 1
    assert current_test_id() is None


@pytest.mark.parametrize("is_async", [False, True])
def test_the_app_raised(post: Post, is_async: bool):
    app, errors = App(RuntimeError("the model is overloaded")), []
    handler = app.handler(run=app.run_async if is_async else app.run, on_error=lambda error, test: errors.append((error, test)))
    delivery = new_delivery(SECRET)
    assert post(handler, delivery) == (500, {"message": "the model is overloaded"})
    assert errors == [(app.error, app.tests[0])]
    app.error = None
    assert post(handler, delivery) == (200, {"ok": True}), "a failed delivery may be repeated"


def body_of(text: str | bytes) -> Callable[[], Delivery]:
    def delivery() -> Delivery:
        body = text.encode() if isinstance(text, str) else text
        return Delivery(body, {"content-type": "application/json", **service_headers(SECRET, body)})

    return delivery


def with_headers(**changes: str | None) -> Callable[[], Delivery]:
    def delivery() -> Delivery:
        delivery = new_delivery(SECRET)
        for name, value in changes.items():
            if value is None:
                del delivery.headers[name.replace("_", "-")]
            else:
                delivery.headers[name.replace("_", "-")] = value
        return delivery

    return delivery


def signed_at(offset: float, secret: str = SECRET) -> Callable[[], Delivery]:
    def delivery() -> Delivery:
        delivery = new_delivery(secret)
        at = time.time() + offset
        signatures = standard_headers(secret, delivery.body, id="d", at=at) | service_headers(secret, delivery.body, at)
        return Delivery(delivery.body, {**delivery.headers, **signatures})

    return delivery


TEST = '{"prompt":"?","testId":"7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60"%s}'


@pytest.mark.parametrize(
    ("make", "status", "message"),
    [
        (signed_at(0), 200, None),
        (signed_at(0, OLD_SECRET), 200, None),
        (signed_at(0, OTHER_SECRET), 401, "The signature does not match the body"),
        (signed_at(-290), 200, None),
        (signed_at(-310), 401, "The timestamp is too far from the current time"),
        (signed_at(310), 401, "The timestamp is too far from the current time"),
        (with_headers(webhook_signature=None), 200, None),
        (with_headers(x_service_signature=None), 200, None),
        (with_headers(webhook_signature="v1,AAAA v1a,x"), 200, None),
        (
            with_headers(webhook_signature=None, x_service_signature=None),
            401,
            "The header webhook-signature is missing, and x-service-signature too",
        ),
        (with_headers(webhook_id=None, x_service_signature=None), 401, "The header webhook-id is missing"),
        (
            with_headers(webhook_signature=None, x_service_timestamp="1e9"),
            401,
            "The timestamp is too far from the current time",
        ),
        (with_headers(content_type="text/plain"), 415, "The content type must be application/json"),
        (with_headers(content_type="application/cloudevents+json; charset=utf-8"), 200, None),
        (body_of(TEST % ""), 200, None),
        (body_of("[]"), 400, "The body is not a JSON object in UTF-8"),
        (body_of(b'{"prompt":"\xff"}'), 400, "The body is not a JSON object in UTF-8"),
        (body_of(TEST % ',"x":NaN'), 400, "The body is not a JSON object in UTF-8"),
        (body_of("[" * 100_000), 400, "The body is not a JSON object in UTF-8"),
        (body_of('{"prompt":"?","testId":"1"}'), 400, "The body has no testId that is a UUID"),
        (body_of(TEST.replace('"?"', "1") % ""), 400, "The body has no prompt that is a string"),
        (body_of(TEST % ',"experiment":{}'), 400, "The experiment in the body does not have the documented form"),
        (body_of(TEST % (',"x":"%s"' % ("x" * 1_100_000))), 413, "The body is larger than 1048576 bytes"),
    ],
)
def test_what_is_accepted(post: Post, make: Callable[[], Delivery], status: int, message: str | None):
    app = App()
    answer = post(app.handler(secret=[SECRET, OLD_SECRET]), make())
    assert answer == (status, {"ok": True} if message is None else {"message": message})
    assert len(app.tests) == (1 if status == 200 else 0)


def test_only_post_is_answered(post: Post):
    assert post(App().handler(), new_delivery(SECRET), "GET") == (405, {"message": "Only POST is allowed on this path"})


def test_a_change_of_one_byte_is_seen(post: Post):
    delivery = new_delivery(SECRET)
    delivery.body = delivery.body.replace(b"parcel", b"parceL")
    assert post(App().handler(), delivery)[0] == 401


def test_lost_spans_fail_the_test_in_strict_mode(post: Post):
    app = App()
    stats = Stats(1, 0, 0, 1, 0, 0, 0, 0, 0)

    def flush(timeout_millis: int = 0) -> bool:
        raise SpanLossError(stats)

    app.flush = flush
    status, body = post(app.handler(), new_delivery(SECRET))
    assert (status, body["message"][:15]) == (500, "Spans were lost")


def test_requests_for_a_test_under_way_wait_for_its_result():
    app, may_end, began = App(), threading.Event(), threading.Event()

    def run(test: WebhookTest) -> None:
        began.set()
        assert may_end.wait(120)
        app.run(test)

    handler, delivery = app.handler(run=run), new_delivery(SECRET)
    answers: list[tuple[int, Any]] = []
    threads = [threading.Thread(target=lambda: answers.append(post_wsgi(handler, delivery))) for _ in range(2)]
    for thread in threads:
        thread.start()
        assert began.wait(120)
    time.sleep(0.02)
    may_end.set()
    for thread in threads:
        thread.join()
    assert answers == [(200, {"ok": True})] * 2
    assert len(app.tests) == 1


def test_a_test_is_abandoned_when_its_sender_disconnects():
    tests: list[WebhookTest] = []

    async def run(test: WebhookTest) -> None:
        tests.append(test)
        while not test.abandoned.is_set():
            await asyncio.sleep(0)

    handler, delivery = App().handler(run=run), new_delivery(SECRET)

    async def disconnect() -> list[int]:
        messages = [{"type": "http.request", "body": delivery.body}, {"type": "http.disconnect"}]
        statuses: list[int] = []

        async def receive() -> dict[str, Any]:
            if not messages[1:]:
                while not tests:
                    await asyncio.sleep(0)
            return messages.pop(0)

        async def send(message: Any) -> None:
            statuses.append(message.get("status", 0))

        headers = [(name.encode(), value.encode()) for name, value in delivery.headers.items()]
        await to_asgi(handler)({"type": "http", "method": "POST", "headers": headers}, receive, send)
        return statuses

    assert asyncio.run(disconnect()) == [200, 0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"secret": None}, "either a `secret` or"),
        ({"validate": "api"}, "either a `secret` or"),
        ({"secret": "whsec_AAAA"}, "at least 16 bytes"),
        ({"secret": "not a secret"}, "at least 16 bytes"),
        ({"max_body_bytes": 0}, "max_body_bytes must be a number above 0"),
        ({"secret": None, "validate": "api", "url": "nowhere"}, "needs a url"),
        ({"secret": None, "validate": "api", "url": "http://t"}, "needs api_key or TOUCHSTONE_API_KEY"),
        ({"api_kee": "x"}, "unknown option 'api_kee'"),
    ],
)
def test_settings_that_cannot_be(monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], message: str):
    monkeypatch.delenv("TOUCHSTONE_API_KEY", raising=False)
    with pytest.raises((TypeError, ValueError), match=message) as raised:
        App().handler(**options)
    assert "not a secret" not in str(raised.value)
