# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "langfuse==5.0.4",
#   "openai==3.54.0",
# ]
# ///
from langfuse import get_client, observe
from langfuse.openai import OpenAI

from scenario import QUESTION, ask_openai, get_weather

tool = observe(get_weather, name="get_weather", as_type="tool")


@observe(name="weather_agent", as_type="agent")
def weather_agent(question: str) -> str:
    return ask_openai(OpenAI(), tool)


weather_agent(QUESTION)
get_client().flush()
