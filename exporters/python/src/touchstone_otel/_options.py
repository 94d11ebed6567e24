from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypedDict

from opentelemetry.sdk.trace.sampling import Sampler

from ._filters import SpanFilter
from ._redact import Redact


class ExporterOptions(TypedDict, total=False):
    """Destination of spans. Options that are left out are read from the environment."""

    url: str | None
    """Address of the Touchstone server, with or without `/v1/traces`. Default: `TOUCHSTONE_URL`, then OTLP's variables."""
    api_key: str | None
    """Default: `TOUCHSTONE_API_KEY`."""
    application_id: str | None
    """Default: `TOUCHSTONE_APPLICATION_ID`."""
    timeout_millis: int | None
    """Time limit of a batch, retries included. Default: OTLP's variables, then 5000."""
    redact: Redact | None
    """Removes from every text what must not leave the app."""
    capture_content: bool | None
    """False hides what went into models, tools and observed functions, and what came out.

    Default: True, unless `TOUCHSTONE_CAPTURE_CONTENT` is `0`."""
    spool_dir: str | None
    """Folder in which batches are kept until the server has stored them, also over the end of the process.

    Default: `TOUCHSTONE_SPOOL_DIR`, then none."""
    max_spool_bytes: int | None
    """Bytes of the files in the spool of an application. Default: `TOUCHSTONE_MAX_SPOOL_BYTES`, then 67108864 (64 MiB)."""
    state_dir: str | Literal[False] | None
    """Folder in which the number of unsent spans is noted, so that the next start can report an end that nothing could notice.

    False for none. Default: `TOUCHSTONE_STATE_DIR` (`off` for none), then `spool_dir`, then a folder among temporary files."""
    report_loss: bool
    """Writes the first loss of spans to standard error, then at most one line a minute. Default: True."""
    debug: bool | None
    """Writes every step to standard error. Default: True if `TOUCHSTONE_DEBUG` is `1`."""


class ProcessorOptions(ExporterOptions, total=False):
    """Options of a span processor: destination, queue and filter."""

    max_queue_size: int | None
    """Spans that wait to be sent; more are dropped and counted. Default: `OTEL_BSP_MAX_QUEUE_SIZE`, then 8192."""
    max_queue_bytes: int | None
    """Bytes of spans that wait or are being sent. Default: `TOUCHSTONE_MAX_QUEUE_BYTES`, then 33554432 (32 MiB)."""
    max_batch_size: int | None
    """Default: `OTEL_BSP_MAX_EXPORT_BATCH_SIZE`, then 512."""
    delay_millis: int | None
    """The longest a span waits for its batch to fill. Default: `OTEL_BSP_SCHEDULE_DELAY`, then 1000."""
    should_export: SpanFilter | None
    """Decides which spans are sent. Default: all of them."""
    strict: bool
    """Makes a flush raise `SpanLossError` when spans were lost since the last one. Meant for tests."""
    flush_on_signals: bool | None
    """Makes SIGTERM end the process only after a flush, where the app does not handle it.

    Default: True if `TOUCHSTONE_FLUSH_ON_SIGNALS` is `1`."""


class RegisterOptions(ProcessorOptions, total=False):
    """Options of `register()`."""

    service_name: str | None
    """`service.name` of the resource. Default: `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`."""
    sampler: Sampler | None
    """Sampler of spans outside of tests; tests are always recorded. Default: `OTEL_TRACES_SAMPLER`, then all spans."""


def reject_unknown(caller: str, options: Mapping[str, object], known: type) -> None:
    """Raises a `TypeError` for a name that the typed dictionary does not have, as a function does."""
    names: frozenset[str] = getattr(known, "__optional_keys__")
    for name in options:
        if name not in names:
            raise TypeError(f"{caller}() got an unknown option {name!r}. Options: {', '.join(sorted(names))}.")
