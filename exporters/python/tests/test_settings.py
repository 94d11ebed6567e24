from __future__ import annotations

from typing import Any

import pytest

from touchstone_otel._settings import exporter_settings, queue_settings

NO_HEADERS: dict[str, str] = {}


@pytest.mark.parametrize(
    ("options", "env", "url"),
    [
        ({}, {}, "http://127.0.0.1:4318/v1/traces"),
        ({"url": "https://t.example/"}, {"TOUCHSTONE_URL": "http://other"}, "https://t.example/v1/traces"),
        ({}, {"TOUCHSTONE_URL": "http://t:1/base/v1/traces/"}, "http://t:1/base/v1/traces"),
        ({"url": " "}, {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}, "http://collector:4318/v1/traces"),
        ({}, {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://collector/exact"}, "http://collector/exact"),
        ({"url": "localhost:4318"}, {}, None),
        ({"url": "http://"}, {}, None),
        ({"url": "http://host:99999"}, {}, None),
    ],
)
def test_url(options: Any, env: dict[str, str], url: str | None):
    assert exporter_settings(options, env).url == url


OTLP = {"OTEL_EXPORTER_OTLP_HEADERS": "X-API-Key=of%20otlp,authorization=Bearer%20secret"}


@pytest.mark.parametrize(
    ("options", "env", "headers"),
    [
        ({"api_key": "a", "application_id": "b"}, {"TOUCHSTONE_API_KEY": "c"}, {"x-api-key": "a", "x-application-id": "b"}),
        ({}, {"TOUCHSTONE_API_KEY": " c "}, {"x-api-key": "c"}),
        ({}, OTLP, {"x-api-key": "of otlp", "authorization": "Bearer secret"}),
        ({"url": "http://t"}, OTLP, {"x-api-key": "of otlp"}),
        ({"api_key": "line\nbreak"}, {}, NO_HEADERS),
    ],
)
def test_headers_of_another_receiver_stay_at_home(options: Any, env: dict[str, str], headers: dict[str, str]):
    assert exporter_settings(options, env).headers == headers


@pytest.mark.parametrize(
    ("options", "env", "millis"),
    [
        ({}, {}, 5_000),
        ({"timeout_millis": 70}, {"OTEL_EXPORTER_OTLP_TIMEOUT": "2"}, 70),
        ({}, {"OTEL_EXPORTER_OTLP_TIMEOUT": "2.5"}, 2_500),
        ({"timeout_millis": -1}, {"OTEL_EXPORTER_OTLP_TRACES_TIMEOUT": "soon"}, 5_000),
    ],
)
def test_timeout_is_in_seconds_in_the_variables_of_opentelemetry(options: Any, env: dict[str, str], millis: int):
    assert exporter_settings(options, env).timeout_millis == millis


def test_queue():
    settings = queue_settings({"max_queue_size": 10}, {"OTEL_BSP_MAX_EXPORT_BATCH_SIZE": "99", "OTEL_BSP_SCHEDULE_DELAY": "7"})
    assert (settings.max_queue_size, settings.max_batch_size, settings.delay_millis) == (10, 10, 7)
