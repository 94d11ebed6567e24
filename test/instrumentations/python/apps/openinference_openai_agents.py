# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openinference-instrumentation-openai-agents==2.6.0",
#   "openai-agents==0.24.0",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import asyncio

from agents import Agent, Runner, function_tool, set_default_openai_api
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor

from scenario import CHAT_MODEL, QUESTION, SYSTEM, get_weather
from tracing import start_tracing

provider = start_tracing()
set_default_openai_api("chat_completions")
OpenAIAgentsInstrumentor().instrument(tracer_provider=provider, exclusive_processor=True)
agent = Agent(name="weather_agent", model=CHAT_MODEL, instructions=SYSTEM, tools=[function_tool(get_weather)])
asyncio.run(Runner.run(agent, QUESTION))
provider.shutdown()
