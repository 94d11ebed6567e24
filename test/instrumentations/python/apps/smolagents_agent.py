# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openinference-instrumentation-smolagents==0.1.43",
#   "smolagents[openai]==1.26.0",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from openinference.instrumentation.smolagents import SmolagentsInstrumentor
from smolagents import OpenAIServerModel, ToolCallingAgent, tool
from smolagents.models import ChatMessageToolCall, ChatMessageToolCallFunction

from scenario import CHAT_MODEL, QUESTION
from scenario import get_weather as plain
from tracing import start_tracing


class Model(OpenAIServerModel):
    def parse_tool_calls(self, message):
        """Ends the run with a plain answer, which the agent expects as a call."""
        function = ChatMessageToolCallFunction(name="final_answer", arguments={"answer": message.content})
        message.tool_calls = [ChatMessageToolCall(id="call_2", type="function", function=function)]
        return message


provider = start_tracing()
SmolagentsInstrumentor().instrument(tracer_provider=provider)
agent = ToolCallingAgent(tools=[tool(plain)], model=Model(model_id=CHAT_MODEL), max_steps=3)
agent.run(QUESTION)
provider.shutdown()
