"""Tests by webhook with a real server, and real apps behind it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn
from conftest import Application
from fastapi import FastAPI
from flask import Flask
from opentelemetry.sdk.trace import TracerProvider
from starlette.routing import Route
from werkzeug.serving import make_server

from touchstone_otel import TouchstoneSpanProcessor, WebhookHandler, WebhookTest, to_asgi, to_wsgi


@contextmanager
def serve_fastapi(handler: WebhookHandler) -> Iterator[str]:
    app = FastAPI()
    app.router.routes.append(Route("/touchstone", to_asgi(handler), methods=["POST"]))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.005)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


@contextmanager
def serve_flask(handler: WebhookHandler) -> Iterator[str]:
    app = Flask("app")
    app.add_url_rule("/touchstone", view_func=lambda: to_wsgi(handler), methods=["POST"])
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


Serve = Callable[[WebhookHandler], Any]


@pytest.mark.parametrize("serve", [serve_fastapi, serve_flask])
@pytest.mark.parametrize("validate", ["secret", "api"])
def test_a_test_is_complete_with_the_trace_of_the_app(own_application: Application, serve: Serve, validate: str):
    processor = TouchstoneSpanProcessor(strict=True, delay_millis=600_000, **own_application.options)
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(processor)
    tracer = provider.get_tracer("app")

    async def answer(test: WebhookTest) -> None:
        with tracer.start_as_current_span("answer") as span:
            span.set_attributes({"input.value": test.prompt, "output.value": "Paris"})

    webhook = own_application.call("/v0/webhook", {"url": "http://127.0.0.1:1/"})["data"]
    options: Any = {"secret": webhook["webhookSecret"]} if validate == "secret" else {"validate": "api", **own_application.options}
    with serve(WebhookHandler(run=answer, touchstone=processor, **options)) as url:
        own_application.call("/v0/webhook", {"url": f"{url}/touchstone"})
        sample = own_application.call("/v0/webhook/test", {})
        assert sample == {"success": True, "statusCode": 200}
        test = own_application.run_test()
    expected = {"status": "COMPLETED", "failure": None, "input": "Of France?", "output": "Paris"}
    assert {key: test[key] for key in expected} == expected
    assert len(test["traceIds"]) == 1, "the app continued the trace of the delivery"
    provider.shutdown()


def test_a_wrong_key_for_validation_is_503(own_application: Application):
    errors: list[BaseException] = []
    options: dict[str, Any] = {**own_application.options, "api_key": "sk_wrong"}
    handler = WebhookHandler(
        run=lambda test: None, validate="api", on_error=lambda error, test: errors.append(error), **options
    )
    own_application.call("/v0/webhook", {"url": "http://127.0.0.1:1/"})
    with serve_flask(handler) as url:
        own_application.call("/v0/webhook", {"url": f"{url}/touchstone"})
        sample = own_application.call("/v0/webhook/test", {})
    assert (sample["success"], sample["statusCode"]) == (False, 503)
    assert len(errors) == 1
