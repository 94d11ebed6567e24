# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "opentelemetry-instrumentation-openai-v2==2.3b0",
#   "openai==2.54.0",
#   "wrapt==1.17.3",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import os

os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "true"

from openai import OpenAI
from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor

from scenario import ask_openai
from tracing import start_logging, start_tracing

provider = start_tracing()
logs = start_logging()
OpenAIInstrumentor().instrument(tracer_provider=provider, logger_provider=logs)
with provider.get_tracer("app").start_as_current_span("weather"):
    ask_openai(OpenAI())
provider.shutdown()
logs.shutdown()
