# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "logfire==5.4.0",
#   "openai==3.54.0",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import logfire
from openai import OpenAI

from scenario import QUESTION, ask_openai, get_weather

# Sends to the endpoint of OTEL_EXPORTER_OTLP_ENDPOINT.
logfire.configure(send_to_logfire=False, console=False, service_name="weather")
logfire.instrument_openai()


@logfire.instrument("weather_agent", extract_args=True, record_return=True)
def weather_agent(question: str) -> str:
    return ask_openai(OpenAI())


weather_agent(QUESTION)
logfire.shutdown()
