"""What all applications have in common: the question, its tool, and the conversation with each provider's client."""

import json
import time

SYSTEM = "You answer questions about the weather."
QUESTION = "What is the weather in Paris?"
CHAT_MODEL = "gpt-5-mini"
CLAUDE_MODEL = "claude-sonnet-5"
PARAMETERS = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
DESCRIPTION = "The weather in a city"


def get_weather(city: str) -> str:
    """The weather in a city

    Args:
        city: Name of the city
    """
    # No later step starts in the same millisecond.
    time.sleep(0.005)
    return "18 degrees, sunny" if city == "Paris" else "unknown"


def ask_openai(client, call_tool=get_weather):
    """The question, the tool call and the answer with OpenAI's client; returns the answer."""
    tool = {"name": "get_weather", "description": DESCRIPTION, "parameters": PARAMETERS}
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": QUESTION}]
    while True:
        completion = client.chat.completions.create(
            model=CHAT_MODEL, messages=messages, tools=[{"type": "function", "function": tool}], max_completion_tokens=1000
        )
        message = completion.choices[0].message
        if not message.tool_calls:
            return message.content
        calls = [
            {"id": c.id, "type": "function", "function": {"name": c.function.name, "arguments": c.function.arguments}}
            for c in message.tool_calls
        ]
        messages.append({"role": "assistant", "content": message.content, "tool_calls": calls})
        for call in message.tool_calls:
            result = call_tool(**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})


def ask_anthropic(client, call_tool=get_weather):
    """The same with Anthropic's client."""
    tool = {"name": "get_weather", "description": DESCRIPTION, "input_schema": PARAMETERS}
    messages = [{"role": "user", "content": QUESTION}]
    while True:
        message = client.messages.create(
            model=CLAUDE_MODEL, system=SYSTEM, messages=messages, tools=[tool], max_tokens=1000
        )
        calls = [block for block in message.content if block.type == "tool_use"]
        if not calls:
            return message.content[-1].text
        messages.append({"role": "assistant", "content": [b.model_dump(exclude_none=True) for b in message.content]})
        results = [{"type": "tool_result", "tool_use_id": c.id, "content": call_tool(**c.input)} for c in calls]
        messages.append({"role": "user", "content": results})
