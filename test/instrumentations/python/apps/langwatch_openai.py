# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "langwatch==1.4.0",
#   "openai==3.54.0",
# ]
# ///
import os

import langwatch
from openai import OpenAI

from scenario import QUESTION, ask_openai, get_weather

langwatch.setup(api_key="none", endpoint_url=os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"])
client = OpenAI()


@langwatch.span(type="tool", name="get_weather")
def tool(city: str) -> str:
    langwatch.get_current_span().update(input={"city": city})
    return get_weather(city)


@langwatch.trace(name="weather_agent")
def weather_agent(question: str) -> str:
    langwatch.get_current_trace().autotrack_openai_calls(client)
    langwatch.get_current_trace().update(metadata={"user_id": "user-1", "thread_id": "session-1"})
    return ask_openai(client, tool)


weather_agent(QUESTION)
from opentelemetry import trace

trace.get_tracer_provider().force_flush()
