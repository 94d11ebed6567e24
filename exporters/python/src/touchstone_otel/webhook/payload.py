from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn, cast

from .._test_context import is_uuid
from .error import WebhookError

Fields = Mapping[str, Any]


@dataclass(frozen=True)
class WebhookExperiment:
    """The variant of an experiment that a test belongs to."""

    experiment_id: str
    experiment_variant_id: str
    overrides: Mapping[str, Fields]
    """Parameters and their values by the name of a step."""


@dataclass(frozen=True)
class WebhookTest:
    """A test to run, as its delivery describes it."""

    test_id: str
    prompt: str
    """Input to run the app with."""
    prompt_object: Fields | None
    """The same as an object if the task has a prompt schema; `prompt` is then its JSON text."""
    metadata: Fields | None
    experiment: WebhookExperiment | None
    payload: Fields
    """Complete body, including fields that are unknown to this version."""
    abandoned: threading.Event = field(default_factory=threading.Event, compare=False)
    """Set when no request waits for the result any longer."""

    def overrides_for(self, step_name: str) -> Fields:
        """Returns what the experiment changes in a step of the app, by parameter; empty when it changes nothing."""
        return {} if self.experiment is None else self.experiment.overrides.get(step_name, {})


def parse_object(body: bytes) -> tuple[str, Fields]:
    """Returns the JSON text of a body and its object. Raises a `WebhookError` with 400 when it is none."""
    try:
        text = body.decode("utf-8")
        payload: object = json.loads(text, parse_constant=_reject_constant)
    except (ValueError, RecursionError):
        payload = None
        text = ""
    if not isinstance(payload, dict):
        raise WebhookError(400, "The body is not a JSON object in UTF-8")
    return text, cast("dict[str, Any]", payload)


def read_test(body: bytes) -> WebhookTest:
    """Reads the body of a delivery. Raises a `WebhookError` with 400."""
    _, payload = parse_object(body)
    test_id, prompt = payload.get("testId"), payload.get("prompt")
    if not isinstance(test_id, str) or not is_uuid(test_id):
        raise WebhookError(400, "The body has no testId that is a UUID")
    if not isinstance(prompt, str):
        raise WebhookError(400, "The body has no prompt that is a string")
    experiment = payload.get("experiment")
    return WebhookTest(
        test_id=test_id,
        prompt=prompt,
        prompt_object=_object(payload.get("promptObject")),
        metadata=_object(payload.get("metadata")),
        experiment=None if experiment is None else _experiment_of(experiment),
        payload=payload,
    )


def _experiment_of(value: object) -> WebhookExperiment:
    """An experiment whose overrides cannot be read must not run as the baseline."""
    fields = _object(value) or {}
    experiment_id, variant_id = fields.get("experimentId"), fields.get("experimentVariantId")
    overrides = _object(fields.get("overrides", {}))
    if isinstance(experiment_id, str) and isinstance(variant_id, str) and overrides is not None:
        if all(isinstance(step, dict) for step in overrides.values()):
            return WebhookExperiment(experiment_id, variant_id, overrides)
    raise WebhookError(400, "The experiment in the body does not have the documented form")


def _object(value: object) -> Fields | None:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
