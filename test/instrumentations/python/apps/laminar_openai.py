# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "lmnr[openai]==0.8.2",
#   "openai==3.54.0",
# ]
# ///
import os
from urllib.parse import urlsplit

from lmnr import Instruments, Laminar, observe

endpoint = urlsplit(os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"])
Laminar.initialize(
    project_api_key="none",
    base_url=f"http://{endpoint.hostname}",
    http_port=endpoint.port,
    force_http=True,
    instruments={Instruments.OPENAI},
)

from openai import OpenAI

from scenario import QUESTION, ask_openai, get_weather

tool = observe(name="get_weather", span_type="TOOL")(get_weather)


@observe(name="weather_agent", session_id="session-1", user_id="user-1")
def weather_agent(question: str) -> str:
    return ask_openai(OpenAI(), tool)


weather_agent(QUESTION)
Laminar.flush()
Laminar.shutdown()
