# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openinference-instrumentation-anthropic==3.1.0",
#   "anthropic==2.12.0",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from anthropic import Anthropic
from openinference.instrumentation.anthropic import AnthropicInstrumentor

from scenario import ask_anthropic
from tracing import start_tracing

provider = start_tracing()
AnthropicInstrumentor().instrument(tracer_provider=provider)
with provider.get_tracer("app").start_as_current_span("weather"):
    ask_anthropic(Anthropic())
provider.shutdown()
