"""The command `touchstone-run`: runs a program with OpenTelemetry set up, without a change of its code."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

_USAGE = """Usage: touchstone-run <command> [arguments]

Runs a Python program that sends its spans to Touchstone, by the settings of the environment:
  touchstone-run python app.py
  touchstone-run -m package.module
  touchstone-run gunicorn app:app
"""
_SITE = str(Path(__file__).parent / "auto")


def main() -> None:
    """Replaces this process by the command, which keeps its arguments, exit code and signals."""
    command = sys.argv[1:]
    if not command or command[0] in ("-h", "--help"):
        print(_USAGE, end="", file=sys.stdout if command else sys.stderr)
        raise SystemExit(0 if command else 2)
    # A module or a file is run by the Python of this environment.
    if command[0] == "-m" or command[0].endswith(".py"):
        command = [sys.executable, *command]
    program = shutil.which(command[0])
    if program is None:
        print(f"touchstone-run: there is no command {command[0]!r}.", file=sys.stderr)
        raise SystemExit(127)
    before = os.environ.get("PYTHONPATH", "")
    os.environ["PYTHONPATH"] = os.pathsep.join([_SITE, before] if before else [_SITE])
    sys.stdout.flush()
    os.execv(program, command)


if __name__ == "__main__":
    main()
