"""Fixtures: a real Touchstone server, which the test run starts, and a receiver that answers as a test wants."""

from __future__ import annotations

import json
import os
import urllib.request
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from receiver import Receiver


@dataclass(frozen=True)
class Application:
    """An application of the server, with a key for everything."""

    url: str
    key: str
    id: str

    @property
    def options(self) -> dict[str, Any]:
        return {"url": self.url, "api_key": self.key, "application_id": self.id}

    @property
    def environment(self) -> dict[str, str]:
        own = {"TOUCHSTONE_URL": self.url, "TOUCHSTONE_API_KEY": self.key, "TOUCHSTONE_APPLICATION_ID": self.id}
        # In seconds. A busy server may need longer than the default of 5 s.
        limit = {"OTEL_EXPORTER_OTLP_TIMEOUT": "100"}
        # Programs that are killed would be reported by those of other tests.
        off = {"TOUCHSTONE_STATE_DIR": "off"}
        return {**off, "PATH": os.environ["PATH"], "PYTHONPATH": os.environ.get("PYTHONPATH", ""), **limit, **own}

    def call(self, path: str, body: object = None, headers: dict[str, str] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        own = {"x-api-key": self.key, "x-application-id": self.id, "content-type": "application/json"}
        request = urllib.request.Request(self.url + path, data, {**own, **(headers or {})})
        with urllib.request.urlopen(request, timeout=120) as response:
            return json.loads(response.read() or b"null")

    def trace_of(self, test_id: str) -> Any:
        return self.call(f"/v0/traces/by-test/{test_id}")["data"]

    def run_test(self) -> Any:
        """Runs a test of a new task, follows it, and returns its last state."""
        task = self.call("/v0/tasks", {"title": "Capitals", "type": "STATIC", "inputExamples": ["Of France?"]})["task"]
        started = self.call("/v0/tasks/trigger", {"taskIds": [task["id"]]}, {"prefer": "return=representation"})
        test_id = started["data"][0]["testIds"][0]
        request = urllib.request.Request(
            f"{self.url}/v0/tests/{test_id}/stream", headers={"x-api-key": self.key, "x-application-id": self.id}
        )
        with urllib.request.urlopen(request, timeout=60) as response:
            lines = response.read().decode().splitlines()
        states = [lines[i + 1][len("data: ") :] for i, line in enumerate(lines) if line == "event: test"]
        return json.loads(states[-1])


@pytest.fixture(scope="session")
def application() -> Application:
    env = os.environ
    return Application(env["TEST_SERVER_URL"], env["TEST_SERVER_KEY"], env["TEST_SERVER_APPLICATION"])


@pytest.fixture
def own_application(application: Application) -> Application:
    """An application that no other test uses."""
    created = application.call("/v0/applications", {"title": "Python", "type": "AGENT"})
    return Application(application.url, created["apiKey"]["key"], created["data"]["id"])


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.close()


@pytest.fixture
def test_id() -> str:
    return str(uuid.uuid4())
