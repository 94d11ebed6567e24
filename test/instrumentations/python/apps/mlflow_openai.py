# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "mlflow-skinny==3.17.2",
#   "numpy==1.26.4",
#   "pandas==3.0.6",
#   "openai==3.54.0",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import os

# A tracking server would need a package of its own; spans are sent by OTLP alone.
os.environ["MLFLOW_TRACKING_URI"] = "http://127.0.0.1:9"
os.environ["MLFLOW_HTTP_REQUEST_MAX_RETRIES"] = "0"
os.environ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] = os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] + "/v1/traces"

import mlflow
import mlflow.openai
from mlflow.tracing.provider import provider
from openai import OpenAI

from scenario import ask_openai, get_weather

mlflow.openai.autolog()
tool = mlflow.trace(get_weather, span_type="TOOL", name="get_weather")


@mlflow.trace(span_type="AGENT", name="weather_agent")
def weather_agent(question: str) -> str:
    return ask_openai(OpenAI(), tool)


weather_agent("What is the weather in Paris?")
provider.get().force_flush()
