"""A FastAPI app that is tested by webhook."""

import os

from fastapi import FastAPI
from opentelemetry import trace
from starlette.routing import Route
from touchstone_otel import WebhookHandler, WebhookTest, register, to_asgi

touchstone = register(service_name="webhook-python")
tracer = trace.get_tracer("webhook-python")


async def answer(question: str) -> str:
    """Stands for your app. An instrumentation of your model's client writes such a span."""
    with tracer.start_as_current_span("chat gpt-5-mini") as span:
        text = "Paris" if "France" in question else "I do not know"
        span.set_attributes(
            {
                "openinference.span.kind": "LLM",
                "llm.model_name": "gpt-5-mini",
                "input.value": question,
                "output.value": text,
                "llm.token_count.prompt": 14,
                "llm.token_count.completion": 1,
            }
        )
    return text


async def run(test: WebhookTest) -> None:
    await answer(test.prompt)


handler = WebhookHandler(secret=os.environ["TOUCHSTONE_WEBHOOK_SECRET"], touchstone=touchstone, run=run)

app = FastAPI()
app.router.routes.append(Route("/touchstone", to_asgi(handler), methods=["POST"]))
