"""Sends spans with an exporter of OpenTelemetry for Python, set up by environment variables: python sender.py PROTOCOL"""

import importlib
import os
import sys
import time

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

package = {"http/protobuf": "http", "grpc": "grpc"}[sys.argv[1]]
exporter = importlib.import_module(f"opentelemetry.exporter.otlp.proto.{package}.trace_exporter").OTLPSpanExporter()
provider = TracerProvider()
provider.add_span_processor(
    BatchSpanProcessor(exporter, max_export_batch_size=int(os.environ["BATCH"]), schedule_delay_millis=100)
)
tracer = provider.get_tracer("shop")
remote = SpanContext(int(os.environ["TRACE_ID"], 16), 0xAA, is_remote=True, trace_flags=TraceFlags(1))
parent = set_span_in_context(NonRecordingSpan(remote))
attributes = {"input.value": "x" * int(os.environ["CONTENT_BYTES"])}
for i in range(int(os.environ["SPANS"])):
    tracer.start_span(f"span {i}", context=parent, attributes=attributes).end()
    time.sleep(int(os.environ["PACE_MS"]) / 1000)
provider.shutdown()
