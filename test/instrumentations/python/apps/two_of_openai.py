# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "opentelemetry-instrumentation-openai==0.62.4",
#   "openinference-instrumentation-openai==0.1.66",
#   "openai==3.54.0",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
"""Two instrumentations of the same client: every call has two spans, which do not enclose each other."""

from openai import OpenAI
from openinference.instrumentation.openai import OpenAIInstrumentor as OpenInference
from opentelemetry.instrumentation.openai import OpenAIInstrumentor as OpenLlmetry

from scenario import ask_openai
from tracing import start_tracing

provider = start_tracing()
OpenLlmetry().instrument(tracer_provider=provider)
OpenInference().instrument(tracer_provider=provider)
with provider.get_tracer("app").start_as_current_span("weather"):
    ask_openai(OpenAI())
provider.shutdown()
