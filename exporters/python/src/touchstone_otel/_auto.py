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
            if instrumentor.is_instrumented_by_opentelemetry or _lacks_its_library(instrumentor):
                continue
            instrumentor.instrument()
        except Exception as error:
            log.warning("touchstone: the instrumentation %s could not be turned on: %r", entry.name, error)


def _lacks_its_library(instrumentor: Any) -> bool:
    """Reports whether the library is missing, about which `instrument()` would write an error."""
    conflicts_of = getattr(instrumentor, "_check_dependency_conflicts", None)
    return callable(conflicts_of) and conflicts_of() is not None
