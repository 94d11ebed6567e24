"""Python loads this at its start when `touchstone-run` has put this folder first on the path."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
from pathlib import Path


def _set_up() -> None:
    try:
        from touchstone_otel._auto import set_up

        set_up()
    except Exception as error:
        # The program runs all the same: it may be another Python, without the package.
        print(f"touchstone: touchstone-run set up nothing ({error!r}).", file=sys.stderr)


def _load_next() -> None:
    """Loads the `sitecustomize` that this one hides."""
    own = str(Path(__file__).parent)
    others = [entry for entry in sys.path if entry != own]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if spec is None or spec.loader is None:
        return
    module = importlib.util.module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


_set_up()
_load_next()
