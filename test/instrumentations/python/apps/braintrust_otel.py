# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "braintrust[otel]==0.48.1",
#   "openai==3.54.0",
# ]
# ///
"""Braintrust documents how OpenTelemetry spans carry its attributes; its package sends them."""

import json
import os

os.environ["BRAINTRUST_API_KEY"] = "none"
os.environ["BRAINTRUST_API_URL"] = os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"]
os.environ["BRAINTRUST_PARENT"] = "project_name:weather"

from braintrust.otel import BraintrustSpanProcessor
from openai import OpenAI
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider

from scenario import QUESTION, ask_openai, get_weather

provider = TracerProvider()
provider.add_span_processor(BraintrustSpanProcessor())
trace.set_tracer_provider(provider)
tracer = trace.get_tracer("weather")
client = OpenAI()


class Completions:
    def create(self, *, model, messages, **rest):
        with tracer.start_as_current_span("Chat Completion") as span:
            span.set_attribute("braintrust.span_attributes", json.dumps({"type": "llm"}))
            span.set_attribute("braintrust.input_json", json.dumps(messages))
            answer = client.chat.completions.create(model=model, messages=messages, **rest)
            usage = answer.usage
            span.set_attribute("braintrust.metadata", json.dumps({"model": answer.model, "provider": "openai"}))
            span.set_attribute("braintrust.output_json", json.dumps([c.model_dump(exclude_none=True) for c in answer.choices]))
            metrics = {
                "prompt_tokens": usage.prompt_tokens,
                "completion_tokens": usage.completion_tokens,
                "tokens": usage.total_tokens,
                "prompt_cached_tokens": usage.prompt_tokens_details.cached_tokens,
                "completion_reasoning_tokens": usage.completion_tokens_details.reasoning_tokens,
            }
            span.set_attribute("braintrust.metrics", json.dumps(metrics))
            return answer


class Client:
    class chat:
        completions = Completions()


def tool(city: str) -> str:
    with tracer.start_as_current_span("get_weather") as span:
        span.set_attribute("braintrust.span_attributes", json.dumps({"type": "tool", "name": "get_weather"}))
        span.set_attribute("braintrust.input_json", json.dumps({"city": city}))
        result = get_weather(city)
        span.set_attribute("braintrust.output_json", json.dumps(result))
        return result


with tracer.start_as_current_span("weather_agent") as span:
    span.set_attribute("braintrust.span_attributes", json.dumps({"type": "task"}))
    span.set_attribute("braintrust.input_json", json.dumps(QUESTION))
    span.set_attribute("braintrust.output_json", json.dumps(ask_openai(Client(), tool)))
provider.shutdown()
