"""Batches in halves: a server may find one too large that was written to the spool while it did not respond."""

from __future__ import annotations

import gzip
import zlib
from typing import TYPE_CHECKING

from google.protobuf.message import DecodeError
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from ._spool_folder import Batch

if TYPE_CHECKING:
    from collections.abc import Iterator

_PROTOBUF = "application/x-protobuf"


def halves_of(batch: Batch) -> tuple[Batch, Batch] | None:
    """Returns None if the batch cannot be divided: it has one span, or is not in protobuf."""
    if batch.spans < 2 or batch.headers.get("content-type") != _PROTOBUF:
        return None
    is_compressed = batch.headers.get("content-encoding") == "gzip"
    try:
        body = gzip.decompress(batch.body) if is_compressed else batch.body
        request = ExportTraceServiceRequest.FromString(body)
    except (DecodeError, OSError, EOFError, zlib.error):
        return None
    middle = (batch.spans + 1) // 2
    first, second = (
        Batch(_part_of(request, start, end).SerializeToString(), {"content-type": _PROTOBUF}, end - start)
        for start, end in ((0, middle), (middle, batch.spans))
    )
    return first, second


def _part_of(request: ExportTraceServiceRequest, start: int, end: int) -> ExportTraceServiceRequest:
    """Copies a request with the spans from one place to another."""
    part = ExportTraceServiceRequest()
    part.CopyFrom(request)
    for at, spans in _lists_of(part):
        del spans[max(0, end - at) :]
        del spans[: max(0, start - at)]
    return part


def _lists_of(request: ExportTraceServiceRequest) -> Iterator[tuple[int, list[object]]]:
    """Yields each list of spans with the place of its first span, which is counted before the list is changed."""
    at = 0
    for of_resource in request.resource_spans:
        for of_scope in of_resource.scope_spans:
            count = len(of_scope.spans)
            yield at, of_scope.spans  # pyright: ignore[reportReturnType]
            at += count
