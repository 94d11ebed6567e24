# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openinference-instrumentation-agno==1.0.15",
#   "agno==3.1.10",
#   "openai==3.54.0",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from agno.agent import Agent
from agno.models.openai import OpenAIChat
from openinference.instrumentation.agno import AgnoInstrumentor

from scenario import CHAT_MODEL, QUESTION, SYSTEM, get_weather
from tracing import start_tracing

provider = start_tracing()
AgnoInstrumentor().instrument(tracer_provider=provider)
agent = Agent(name="weather_agent", model=OpenAIChat(id=CHAT_MODEL), instructions=SYSTEM, tools=[get_weather], telemetry=False)
agent.run(QUESTION)
provider.shutdown()
