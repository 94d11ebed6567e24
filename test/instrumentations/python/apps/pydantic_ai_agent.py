# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "pydantic-ai-slim[openai]==2.68.0",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from pydantic_ai import Agent
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai.models.openai import OpenAIChatModel

from scenario import CHAT_MODEL, QUESTION, SYSTEM, get_weather
from tracing import start_tracing

provider = start_tracing()
Agent.instrument_all(InstrumentationSettings(tracer_provider=provider))
agent = Agent(OpenAIChatModel(CHAT_MODEL), instructions=SYSTEM, tools=[get_weather], name="weather_agent")
agent.run_sync(QUESTION)
provider.shutdown()
