# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "strands-agents[openai,otel]==1.62.0",
#   "opentelemetry-exporter-otlp-proto-http==1.45.1",
# ]
# ///
import os

from strands import Agent, tool
from strands.models.openai import OpenAIModel
from strands.telemetry import StrandsTelemetry

from scenario import CHAT_MODEL, QUESTION, SYSTEM, get_weather
from tracing import start_tracing

os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
provider = start_tracing()
StrandsTelemetry(tracer_provider=provider)
agent = Agent(
    name="weather_agent",
    model=OpenAIModel(model_id=CHAT_MODEL),
    system_prompt=SYSTEM,
    tools=[tool(get_weather)],
    callback_handler=None,
    trace_attributes={"session.id": "session-1", "user.id": "user-1"},
)
agent(QUESTION)
provider.shutdown()
