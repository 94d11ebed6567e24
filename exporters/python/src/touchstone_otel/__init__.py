"""Sends OpenTelemetry spans to a Touchstone server and links them to the tests they belong to."""

from ._exporter import ExporterStats, TouchstoneSpanExporter
from ._feedback import FeedbackStats, feedback
from ._filters import SpanFilter, all_spans, llm_spans, spans_of_tests
from ._observation import Kind
from ._observe import current_span_id, current_trace_id, observe, update_observation
from ._options import ExporterOptions, ProcessorOptions, RegisterOptions
from ._processor import TestIdSpanProcessor, TouchstoneSpanProcessor
from ._redact import Redact
from ._register import Touchstone, register
from ._sampler import record_tests
from ._score import score
from ._spool import SpoolStats
from ._stats import SpanLossError, Stats
from ._test_context import TEST_ID_ATTRIBUTE, bind, current_test_id, iterate_in_test, with_test
from .webhook.asgi import to_asgi
from .webhook.flush import Flushable
from .webhook.handler import WebhookHandler
from .webhook.payload import WebhookExperiment, WebhookTest
from .webhook.wsgi import to_wsgi

__all__ = [
    "TEST_ID_ATTRIBUTE",
    "ExporterOptions",
    "ExporterStats",
    "FeedbackStats",
    "Flushable",
    "Kind",
    "ProcessorOptions",
    "Redact",
    "RegisterOptions",
    "SpanFilter",
    "SpanLossError",
    "SpoolStats",
    "Stats",
    "TestIdSpanProcessor",
    "Touchstone",
    "TouchstoneSpanExporter",
    "TouchstoneSpanProcessor",
    "WebhookExperiment",
    "WebhookHandler",
    "WebhookTest",
    "all_spans",
    "bind",
    "current_span_id",
    "current_test_id",
    "current_trace_id",
    "feedback",
    "iterate_in_test",
    "llm_spans",
    "observe",
    "record_tests",
    "register",
    "score",
    "spans_of_tests",
    "to_asgi",
    "to_wsgi",
    "update_observation",
    "with_test",
]
