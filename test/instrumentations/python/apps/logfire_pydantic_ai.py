# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "logfire==5.4.0",
#   "pydantic-ai-slim[openai]==2.68.0",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import logfire
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel

from scenario import CHAT_MODEL, QUESTION, SYSTEM, get_weather

logfire.configure(send_to_logfire=False, console=False, service_name="weather")
logfire.instrument_pydantic_ai()
agent = Agent(OpenAIChatModel(CHAT_MODEL), instructions=SYSTEM, tools=[get_weather], name="weather_agent")
agent.run_sync(QUESTION)
logfire.shutdown()
