# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "haystack-ai==3.4.1",
#   "opentelemetry-haystack==2.0.0",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import os

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"

from haystack import tracing
from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import Tool
from haystack.utils import Secret
from haystack_integrations.tracing.opentelemetry import OpenTelemetryTracer

from scenario import CHAT_MODEL, DESCRIPTION, PARAMETERS, QUESTION, SYSTEM, get_weather
from tracing import start_tracing

provider = start_tracing()
tracing.tracer.is_content_tracing_enabled = True
tracing.enable_tracing(OpenTelemetryTracer(provider.get_tracer("haystack")))
agent = Agent(
    chat_generator=OpenAIChatGenerator(model=CHAT_MODEL, api_key=Secret.from_token("none")),
    tools=[Tool(name="get_weather", description=DESCRIPTION, parameters=PARAMETERS, function=get_weather)],
    system_prompt=SYSTEM,
)
agent.run(messages=[ChatMessage.from_user(QUESTION)])
provider.shutdown()
