# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "traceloop-sdk==0.62.4",
#   "openai==3.54.0",
#   "httpx==0.28.1",
# ]
# ///
import os

from openai import OpenAI
from traceloop.sdk import Traceloop
from traceloop.sdk.decorators import agent, tool
from traceloop.sdk.instruments import Instruments

from scenario import QUESTION, ask_openai, get_weather

Traceloop.init(
    app_name="weather",
    api_endpoint=os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"],
    instruments={Instruments.OPENAI},
    telemetry_enabled=False,
)
Traceloop.set_association_properties({"session_id": "session-1", "user_id": "user-1"})
call_tool = tool(name="get_weather")(get_weather)


@agent(name="weather_agent")
def weather_agent(question: str) -> str:
    return ask_openai(OpenAI(), call_tool)


weather_agent(QUESTION)
from opentelemetry import trace

trace.get_tracer_provider().force_flush()
