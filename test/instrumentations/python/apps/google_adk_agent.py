# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "google-adk==2.13.0",
#   "litellm==1.83.0",
#   "mcp==1.30.0",
#   "opentelemetry-exporter-otlp-proto-http==1.44.0",
# ]
# ///
import asyncio
import os

os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_ONLY"

from google.adk.agents import Agent
from google.adk.models.lite_llm import LiteLlm
from google.adk.runners import InMemoryRunner
from google.genai import types

from scenario import CHAT_MODEL, QUESTION, SYSTEM, get_weather
from tracing import start_tracing

provider = start_tracing()


async def main():
    agent = Agent(name="weather_agent", model=LiteLlm(f"openai/{CHAT_MODEL}"), instruction=SYSTEM, tools=[get_weather])
    runner = InMemoryRunner(agent, app_name="weather")
    session = await runner.session_service.create_session(app_name="weather", user_id="user-1")
    message = types.Content(role="user", parts=[types.Part(text=QUESTION)])
    async for _ in runner.run_async(user_id="user-1", session_id=session.id, new_message=message):
        pass


asyncio.run(main())
provider.shutdown()
