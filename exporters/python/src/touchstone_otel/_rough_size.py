from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from itertools import islice
from typing import Any, cast

_WORD_BYTES = 8
"""Bytes of a number, or of the place of a member."""
_MAX_DEPTH = 4
_MAX_MEMBERS = 32
"""Members of an object that are looked at. The others count as much as these on average."""


def rough_size_of(value: object) -> int:
    """Returns about how much memory a value keeps. Never raises."""
    try:
        return _size_at(value, 0)
    except Exception:
        # A property raised, or another thread changed a collection.
        return _WORD_BYTES


def _size_at(value: Any, depth: int) -> int:
    if isinstance(value, str):
        return len(value)
    size = len(value) if isinstance(value, (bytes, bytearray)) else getattr(value, "nbytes", None)
    if isinstance(size, int):
        return size
    if depth == _MAX_DEPTH:
        return _WORD_BYTES
    members = _members_of(value)
    if members is None:
        return _WORD_BYTES
    number, values = members
    sizes = [_WORD_BYTES + _size_at(member, depth + 1) for member in islice(values, _MAX_MEMBERS)]
    return sum(sizes) * number // len(sizes) if sizes else _WORD_BYTES


def _members_of(value: Any) -> tuple[int, Iterable[object]] | None:
    """Returns the number of the members of a collection or an object, and the members."""
    if isinstance(value, Mapping):
        mapping = cast("Mapping[object, object]", value)
        return len(mapping), mapping.values()
    if isinstance(value, (list, tuple, Set)):
        collection = cast("list[object]", value)
        return len(collection), collection
    if not hasattr(value, "__dict__"):
        return None
    fields = cast("dict[str, object]", vars(cast("object", value)))
    return len(fields), fields.values()
