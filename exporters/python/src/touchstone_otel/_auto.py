"""What `touchstone-run` does at the start of a program."""

from __future__ import annotations

import os
from importlib.metadata import entry_points
from typing import Any

from ._log import log
from ._register import register

_GROUPS = ("opentelemetry_instrumentor", "openinference_instrumentor")
_DISABLED = "OTEL_PYTHON_DISABLED_INSTRUMENTATIONS"


def set_up() -> None:
    """Registers by the settings of the environment, and turns on the installed instrumentations."""
    if not register().is_registered:
        return
    disabled = {name.strip() for name in os.environ.get(_DISABLED, "").split(",")}
    if "*" in disabled:
        return
    done: set[str] = set()
    for entry in (one for group in _GROUPS for one in entry_points(group=group)):
        if entry.name in disabled or entry.value in done:
            continue
        done.add(entry.value)
        try:
            instrumentor: Any = entry.load()()
            if not instrumentor.is_instrumented_by_opentelemetry:
                instrumentor.instrument()
        except Exception as error:
            log.warning("touchstone: the instrumentation %s could not be turned on: %r", entry.name, error)
