from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit, urlunsplit

from ._log import log
from ._options import ExporterOptions, ProcessorOptions

Environment = Mapping[str, str]

API_KEY = "x-api-key"
APPLICATION_ID = "x-application-id"
_OWN_HEADERS = (API_KEY, APPLICATION_ID)
_TRACES_PATH = "/v1/traces"
_DEFAULT_URL = "http://127.0.0.1:4318"
_MAX_MILLIS = 2**31 - 1


@dataclass(frozen=True)
class ExporterSettings:
    """Where and how spans are sent."""

    url: str | None
    """None if the configured address is no http address."""
    headers: Mapping[str, str]
    timeout_millis: int
    gzip: bool


@dataclass(frozen=True)
class QueueSettings:
    """Limits of the queue in which spans wait until they are sent."""

    max_queue_size: int
    max_queue_bytes: int
    max_batch_size: int
    delay_millis: int


@dataclass(frozen=True)
class SpoolSettings:
    """Folder and limit of the spool."""

    folder: str
    application: str
    """Name of the folder of the application."""
    max_bytes: int


def exporter_settings(options: ExporterOptions, env: Environment = os.environ) -> ExporterSettings:
    """Reads options, then `TOUCHSTONE_*`, then `OTEL_*`. Invalid values are logged and replaced by the default."""
    own_url = _text(options.get("url")) or _text(env.get("TOUCHSTONE_URL"))
    from_otel = _otlp_headers(env)
    # OTLP's headers may be secrets of another receiver: they are sent only to the address that OTLP's variables name.
    headers = {name: value for name, value in from_otel.items() if own_url is None or name in _OWN_HEADERS}
    own = {
        API_KEY: _text(options.get("api_key")) or _text(env.get("TOUCHSTONE_API_KEY")),
        APPLICATION_ID: _text(options.get("application_id")) or _text(env.get("TOUCHSTONE_APPLICATION_ID")),
    }
    for name, value in own.items():
        if value is None:
            continue
        if _is_header_value(value):
            headers[name] = value
        else:
            log.warning("touchstone: the value of %s contains characters that no header can have", name)
    timeout = _first_number(
        5_000,
        ("timeout_millis", options.get("timeout_millis")),
        *_seconds_from(env, "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"),
    )
    compression = _text(env.get("OTEL_EXPORTER_OTLP_TRACES_COMPRESSION")) or _text(
        env.get("OTEL_EXPORTER_OTLP_COMPRESSION")
    )
    return ExporterSettings(_traces_url(own_url, env), headers, timeout, compression != "none")


def queue_settings(options: ProcessorOptions, env: Environment = os.environ) -> QueueSettings:
    """Reads options, then the variables of OpenTelemetry's batch processor."""
    size = _first_number(
        8_192, ("max_queue_size", options.get("max_queue_size")), _number_from(env, "OTEL_BSP_MAX_QUEUE_SIZE")
    )
    size_bytes = _first_number(
        32 * 2**20,
        ("max_queue_bytes", options.get("max_queue_bytes")),
        _number_from(env, "TOUCHSTONE_MAX_QUEUE_BYTES"),
    )
    batch = _first_number(
        512, ("max_batch_size", options.get("max_batch_size")), _number_from(env, "OTEL_BSP_MAX_EXPORT_BATCH_SIZE")
    )
    delay = _first_number(
        1_000, ("delay_millis", options.get("delay_millis")), _number_from(env, "OTEL_BSP_SCHEDULE_DELAY")
    )
    return QueueSettings(size, size_bytes, min(batch, size), delay)


def spool_settings(
    options: ExporterOptions, headers: Mapping[str, str], env: Environment = os.environ
) -> SpoolSettings | None:
    """Reads where batches are kept; None if they are not."""
    folder = _text(options.get("spool_dir")) or _text(env.get("TOUCHSTONE_SPOOL_DIR"))
    if folder is None or env.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return None
    max_bytes = _first_number(
        64 * 2**20,
        ("max_spool_bytes", options.get("max_spool_bytes")),
        _number_from(env, "TOUCHSTONE_MAX_SPOOL_BYTES"),
    )
    return SpoolSettings(folder, _folder_of(headers), max_bytes)


@dataclass(frozen=True)
class UnsentNoteSettings:
    """Settings of the note of unsent spans."""

    folder: str | None
    """Folder that is configured; None for one of the user among temporary files."""
    application: str


def unsent_note_settings(
    options: ExporterOptions, headers: Mapping[str, str], env: Environment = os.environ
) -> UnsentNoteSettings | None:
    """Reads where the number of unsent spans is noted; None if it is not."""
    chosen = options.get("state_dir")
    if chosen is None:
        chosen = _text(env.get("TOUCHSTONE_STATE_DIR"))
    is_disabled = env.get("OTEL_SDK_DISABLED", "").strip().lower() == "true"
    if chosen is False or chosen == "off" or is_disabled or not options.get("report_loss", True):
        return None
    folder = _text(chosen) or _text(options.get("spool_dir")) or _text(env.get("TOUCHSTONE_SPOOL_DIR"))
    return UnsentNoteSettings(folder, _folder_of(headers))


def _folder_of(headers: Mapping[str, str]) -> str:
    """Returns the name of the folder of an application. Without a valid id, the server accepts nothing."""
    application = headers.get(APPLICATION_ID, "")
    return application if re.fullmatch(r"[\w-]{1,64}", application, re.ASCII) else "unknown"


def is_debug(options: ExporterOptions, env: Environment = os.environ) -> bool:
    """Reports whether every step is to be written to standard error."""
    debug = options.get("debug")
    return env.get("TOUCHSTONE_DEBUG", "").strip() == "1" if debug is None else debug


def is_flushed_on_signals(options: ProcessorOptions, env: Environment = os.environ) -> bool:
    """Reports whether SIGTERM ends the process only after a flush."""
    given = options.get("flush_on_signals")
    return env.get("TOUCHSTONE_FLUSH_ON_SIGNALS", "").strip() == "1" if given is None else given


def _traces_url(own: str | None, env: Environment) -> str | None:
    if own is not None:
        return _http_url(own, _TRACES_PATH)
    exact = _text(env.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"))
    if exact is not None:
        return _http_url(exact, "")
    return _http_url(_text(env.get("OTEL_EXPORTER_OTLP_ENDPOINT")) or _DEFAULT_URL, _TRACES_PATH)


def _http_url(given: str, path: str) -> str | None:
    """The address with `path` at its end."""
    try:
        parts = urlsplit(given)
        is_http = parts.scheme in ("http", "https") and parts.hostname is not None and parts.port != 0
    except ValueError:
        is_http = False
        parts = None
    if parts is None or not is_http:
        log.error("touchstone: the configured url is no http address; no span can be sent")
        return None
    folder = parts.path.rstrip("/") if path else parts.path
    full = folder if folder.endswith(path) else folder + path
    return urlunsplit((parts.scheme, parts.netloc, full, parts.query, ""))


def _text(value: str | None) -> str | None:
    """A variable that is set to nothing counts as not set."""
    return (value or "").strip() or None


def _is_header_value(value: str) -> bool:
    return all(char == "\t" or " " <= char <= "~" or "\x80" <= char <= "\xff" for char in value)


def _otlp_headers(env: Environment) -> dict[str, str]:
    """Headers of OTLP's variables, with names in lower case; those for traces go before those for all signals."""
    headers: dict[str, str] = {}
    for variable in ("OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"):
        for pair in env.get(variable, "").split(","):
            name, separator, value = pair.partition("=")
            name, value = unquote(name.strip()).lower(), unquote(value.strip())
            if separator and name.isascii() and name.replace("-", "").replace("_", "").isalnum():
                if _is_header_value(value):
                    headers[name] = value
    return headers


_Named = tuple[str, float | None]


def _number_from(env: Environment, name: str) -> _Named:
    value = _text(env.get(name))
    if value is None:
        return name, None
    try:
        return name, float(value)
    except ValueError:
        return name, -1


def _seconds_from(env: Environment, *names: str) -> list[_Named]:
    """Time limits of OTLP's variables, which OpenTelemetry Python reads as seconds, in milliseconds."""
    named = [_number_from(env, name) for name in names]
    return [(name, None if value is None else round(value * 1_000)) for name, value in named]


def _first_number(fallback: int, *candidates: _Named) -> int:
    for name, value in candidates:
        if value is None:
            continue
        if 0 < value <= _MAX_MILLIS and value == int(value):
            return int(value)
        log.warning("touchstone: %s must be a whole number above 0; it is ignored", name)
    return fallback
