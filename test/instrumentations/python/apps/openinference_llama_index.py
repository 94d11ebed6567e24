# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openinference-instrumentation-llama-index==4.6.1",
#   "llama-index-core==0.14.25",
#   "llama-index-llms-openai==0.8.3",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import asyncio

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.llms.openai import OpenAI
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor

from scenario import QUESTION, SYSTEM, get_weather
from tracing import start_tracing

provider = start_tracing()
LlamaIndexInstrumentor().instrument(tracer_provider=provider)


async def main():
    agent = FunctionAgent(tools=[get_weather], llm=OpenAI(model="gpt-5-mini"), system_prompt=SYSTEM, streaming=False)
    await agent.run(QUESTION)


asyncio.run(main())
provider.shutdown()
