"""An agent with one tool, written with LangChain and instrumented by OpenInference."""

import os

from langchain.agents import create_agent
from langchain_openai import ChatOpenAI
from openinference.instrumentation.langchain import LangChainInstrumentor
from touchstone_otel import register, with_test

# With `strict`, the script fails when a span is lost. It is for tries and tests: leave it out in production.
touchstone = register(service_name="weather-agent", strict=True)
LangChainInstrumentor().instrument()


def get_weather(city: str) -> str:
    """Returns the weather in a city."""
    return "18 degrees, sunny" if city == "Paris" else "unknown"


model = ChatOpenAI(model=os.environ.get("MODEL", "gpt-5-mini"))
agent = create_agent(model, tools=[get_weather], system_prompt="You answer questions about the weather.")
with with_test(os.environ["TEST_ID"]):
    result = agent.invoke({"messages": [{"role": "user", "content": "What is the weather in Paris?"}]})
print(result["messages"][-1].content)
touchstone.shutdown()
