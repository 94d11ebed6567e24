# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "litellm==1.83.0",
#   "mcp==1.30.0",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import os

# Otherwise its attributes are written to the span that is open.
os.environ["USE_OTEL_LITELLM_REQUEST_SPAN"] = "true"

import litellm
from litellm.integrations.opentelemetry import OpenTelemetry, OpenTelemetryConfig

from scenario import CHAT_MODEL, ask_openai
from tracing import start_tracing

provider = start_tracing()
litellm.callbacks = [OpenTelemetry(config=OpenTelemetryConfig(exporter="otlp_http", endpoint=os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"]), tracer_provider=provider)]


class Completions:
    def create(self, *, model, **rest):
        return litellm.completion(model=f"openai/{model}", **rest)


class Client:
    class chat:
        completions = Completions()


with provider.get_tracer("app").start_as_current_span("weather"):
    ask_openai(Client())
from litellm.litellm_core_utils.thread_pool_executor import executor

executor.shutdown(wait=True)
provider.shutdown()
