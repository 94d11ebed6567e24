# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openinference-instrumentation-langchain==0.1.80",
#   "langchain==1.4.7",
#   "langchain-openai==1.7.3",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from langchain.agents import create_agent
from langchain_openai import ChatOpenAI
from openinference.instrumentation.langchain import LangChainInstrumentor

from scenario import CHAT_MODEL, QUESTION, SYSTEM, get_weather
from tracing import start_tracing

provider = start_tracing()
LangChainInstrumentor().instrument(tracer_provider=provider)
agent = create_agent(ChatOpenAI(model=CHAT_MODEL), tools=[get_weather], system_prompt=SYSTEM)
agent.invoke({"messages": [{"role": "user", "content": QUESTION}]})
provider.shutdown()
