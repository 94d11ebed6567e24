# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "livekit-agents[openai]==1.8.9",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import asyncio

from livekit.agents import Agent, AgentSession, function_tool
from livekit.agents.telemetry import set_tracer_provider
from livekit.plugins import openai

from scenario import CHAT_MODEL, QUESTION, SYSTEM
from scenario import get_weather as plain
from tracing import start_tracing

provider = start_tracing()
set_tracer_provider(provider, metadata={"langfuse.session.id": "session-1"})


@function_tool
async def get_weather(city: str) -> str:
    """The weather in a city"""
    return plain(city)


async def main():
    async with AgentSession(llm=openai.LLM(model=CHAT_MODEL)) as session:
        await session.start(Agent(instructions=SYSTEM, tools=[get_weather]))
        await session.run(user_input=QUESTION)


asyncio.run(main())
provider.shutdown()
