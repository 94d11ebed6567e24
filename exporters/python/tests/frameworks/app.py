"""An app in the servers and queues of others. Each response has the process and its counts after a flush."""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path
from typing import Any

from opentelemetry import trace

from touchstone_otel import register, with_test

touchstone = register(service_name="framework")


def work(test_id: str) -> str:
    """Does the work of a request in a test, and returns the counts of the process."""
    with with_test(test_id):
        with trace.get_tracer("app").start_as_current_span("root"):
            trace.get_tracer("app").start_span("child").end()
    touchstone.flush()
    return json.dumps({"pid": os.getpid(), "stats": dataclasses.asdict(touchstone.stats())})


def flask_app() -> Any:
    from flask import Flask, Response

    app = Flask("app")

    @app.get("/<test_id>")
    def answer(test_id: str) -> Response:
        return Response(work(test_id))

    return app


def django_app() -> Any:
    from django.conf import settings
    from django.core.wsgi import get_wsgi_application
    from django.http import HttpRequest, HttpResponse
    from django.urls import path

    def answer(_request: HttpRequest, test_id: str) -> HttpResponse:
        return HttpResponse(work(test_id))

    settings.configure(ROOT_URLCONF=(path("<str:test_id>", answer),), ALLOWED_HOSTS=["*"], SECRET_KEY="secret")
    return get_wsgi_application()


def starlette_app() -> Any:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    def answer(request: Request) -> Response:
        return Response(work(request.path_params["test_id"]))

    return Starlette(routes=[Route("/{test_id}", answer)])


def fastapi_app() -> Any:
    from fastapi import FastAPI, Response

    # Its own span of a request ends after the response, so it would not be in the counts.
    app = FastAPI(telemetry={"tracing": False})

    @app.get("/{test_id}")
    def answer(test_id: str) -> Response:
        return Response(work(test_id))

    return app


def celery_app() -> Any:
    from celery import Celery

    folder = Path(os.environ["BROKER"])
    folder.mkdir(exist_ok=True)
    # Both folders are the same: what is sent out comes in.
    transport = {"data_folder_in": str(folder), "data_folder_out": str(folder), "control_folder": str(folder / "control")}
    app = Celery("app", broker="filesystem://")
    app.conf.update(broker_transport_options=transport, worker_hijack_root_logger=False)

    @app.task(name="answer")
    def answer(test_id: str) -> None:
        (folder.parent / f"{test_id}.result").write_text(work(test_id))

    return app


if os.environ.get("BROKER"):
    celery = celery_app()
