"""Writes values of the app as texts of attributes."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import json
import math
import os
import uuid
from collections.abc import Iterable, Mapping, Set
from typing import Any, cast

MAX_CHARACTERS = 2**20
"""Longest text of one value. What is longer is truncated."""

_MAX_MEMBERS = 10_000
_MAX_DEPTH = 32
_SIMPLE = (datetime.date, datetime.time, datetime.timedelta, decimal.Decimal, uuid.UUID, os.PathLike)

TEXT = "text/plain"
JSON = "application/json"


def content_text(value: object) -> tuple[str, str]:
    """Returns a value as text, with its MIME type: a string as it is, anything else in JSON.

    Never raises, and iterates over nothing but collections. Cycles, bytes, iterators and what is too large become a text in brackets.
    """
    try:
        if isinstance(value, str):
            return well_formed_text(_truncated(value, MAX_CHARACTERS)), TEXT
    except Exception:
        # A class of the app overrides what is called.
        return '"[unreadable]"', JSON
    writer = _JsonWriter()
    return well_formed_text(writer.write(value)), JSON


class _JsonWriter:
    def __init__(self) -> None:
        self._parts: list[str] = []
        self._open: set[int] = set()
        self._characters = MAX_CHARACTERS
        self._members = _MAX_MEMBERS
        self._objects = 0
        """Number of instances of ordinary classes around."""

    def write(self, value: object) -> str:
        self._value(value)
        return "".join(self._parts)

    def _value(self, value: object) -> None:
        written = len(self._parts)
        try:
            self._write(value)
        except Exception:
            # A property raised, or another thread changed a collection.
            del self._parts[written:]
            self._text("[unreadable]")

    def _write(self, value: object) -> None:
        self._members -= 1
        if self._is_full():
            self._text("[truncated]")
        elif value is None or value is True or value is False:
            self._add({None: "null", True: "true", False: "false"}[value])
        elif isinstance(value, enum.Enum):
            self._value(value.value)
        elif isinstance(value, str):
            self._text(_truncated(value, self._characters))
        elif isinstance(value, int):
            self._number(value)
        elif isinstance(value, float):
            self._add(repr(float(value))) if math.isfinite(value) else self._text(str(float(value)))
        elif isinstance(value, (bytes, bytearray, memoryview)):
            size = value.nbytes if isinstance(value, memoryview) else len(value)
            self._text(f"[{size} bytes]")
        elif isinstance(value, _SIMPLE):
            self._text(_text_of(cast("object", value)))
        else:
            self._container(value)

    def _number(self, value: int) -> None:
        # Digits of a very long number would take long to compute, and Python rejects it.
        self._add(int.__repr__(value)) if value.bit_length() < 2_000 else self._text("[large integer]")

    def _container(self, value: object) -> None:
        if id(value) in self._open:
            return self._text("[circular]")
        if len(self._open) >= _MAX_DEPTH:
            return self._text("[too deep]")
        self._open.add(id(value))
        try:
            self._contents(value)
        finally:
            self._open.discard(id(value))

    def _contents(self, value: Any) -> None:
        if isinstance(value, Mapping):
            return self._fields(cast("Mapping[object, object]", value).items())
        if isinstance(value, (list, tuple, Set)):
            return self._list(cast("Iterable[object]", value))
        if isinstance(value, BaseException):
            return self._fields([("name", type(value).__name__), ("message", str(value))])
        if isinstance(value, type) or hasattr(value, "shape") or not hasattr(value, "__dict__"):
            return self._opaque(value)
        if dataclasses.is_dataclass(value):
            return self._fields([(one.name, getattr(value, one.name)) for one in dataclasses.fields(value)])
        dump = getattr(value, "model_dump", None)
        if callable(dump):
            return self._value(dump())
        if hasattr(value, "__next__") or hasattr(value, "__anext__") or callable(value) or self._objects:
            return self._opaque(value)
        self._objects += 1
        try:
            members = cast("dict[str, object]", vars(cast("object", value)))
            self._fields([(name, one) for name, one in members.items() if not name.startswith("_")])
        finally:
            self._objects -= 1

    def _opaque(self, value: Any) -> None:
        shape = getattr(value, "shape", None)
        item = getattr(value, "item", None)
        if shape == () and callable(item):
            return self._value(item())
        name = type(value).__name__
        self._text(f"[{name}]" if shape is None else f"[{name} {shape}]")

    def _list(self, items: Iterable[object]) -> None:
        separator = "["
        for item in items:
            self._add(separator)
            self._value(item)
            separator = ","
            if self._is_full():
                break
        self._add("[]" if separator == "[" else "]")

    def _fields(self, fields: Iterable[tuple[object, object]]) -> None:
        separator = "{"
        for key, value in fields:
            self._add(separator)
            self._text(_truncated(_text_of(key), self._characters))
            self._add(":")
            self._value(value)
            separator = ","
            if self._is_full():
                break
        self._add("{}" if separator == "{" else "}")

    def _is_full(self) -> bool:
        return self._members < 0 or self._characters <= 0

    def _text(self, text: str) -> None:
        self._add(json.dumps(text, ensure_ascii=False))

    def _add(self, part: str) -> None:
        self._parts.append(part)
        self._characters -= len(part)


def _text_of(value: object) -> str:
    return value if isinstance(value, str) else str(value)


def _truncated(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    kept = text[: max(limit, 0)]
    return f"{kept}… [{len(text) - len(kept)} characters left out]"


def well_formed_text(text: str) -> str:
    """Returns the text itself, or one in which halves of characters, which cannot be encoded, are replaced."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text
