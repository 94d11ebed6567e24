# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "opentelemetry-instrumentation-openai==0.62.4",
#   "openai==3.54.0",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from openai import OpenAI
from opentelemetry.instrumentation.openai import OpenAIInstrumentor

from scenario import ask_openai
from tracing import start_tracing

provider = start_tracing()
OpenAIInstrumentor().instrument(tracer_provider=provider)
with provider.get_tracer("app").start_as_current_span("weather"):
    ask_openai(OpenAI())
provider.shutdown()
