"""Hides what goes into models, tools and observed functions, and what comes out."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import KeyValue

_HIDDEN = "__REDACTED__"
"""What instrumentations write in place of content that they hide, and what the server recognises."""

_CONTENT_KEYS = frozenset(
    {
        "agentops.entity.input",
        "agentops.entity.output",
        "ai.documents",
        "ai.embedding",
        "ai.embeddings",
        "ai.input_messages",
        "ai.prompt",
        "ai.ranking",
        "ai.response.files",
        "ai.response.object",
        "ai.response.reasoning",
        "ai.response.text",
        "ai.response.toolCalls",
        "ai.responses",
        "ai.result",
        "ai.toolCall.args",
        "ai.toolCall.result",
        "ai.value",
        "ai.values",
        "all_messages_events",
        "braintrust.input",
        "braintrust.input_json",
        "braintrust.output",
        "braintrust.output_json",
        "db.vector.query.content",
        "db.vector.query.response.documents",
        "embedding.embeddings",
        "embedding.text",
        "final_result",
        "gcp.vertex.agent.llm_request",
        "gcp.vertex.agent.llm_response",
        "gcp.vertex.agent.tool_call_args",
        "gcp.vertex.agent.tool_response",
        "gen_ai.completion",
        "gen_ai.completion_json",
        "gen_ai.content.completion",
        "gen_ai.content.prompt",
        "gen_ai.guardrail.input",
        "gen_ai.guardrail.output",
        "gen_ai.input.messages",
        "gen_ai.memory.query.text",
        "gen_ai.memory.records",
        "gen_ai.output.messages",
        "gen_ai.prompt",
        "gen_ai.prompt_json",
        "gen_ai.request.available_tools",
        "gen_ai.request.messages",
        "gen_ai.response.object",
        "gen_ai.response.text",
        "gen_ai.response.tool_calls",
        "gen_ai.retrieval.documents",
        "gen_ai.retrieval.query.text",
        "gen_ai.system_instructions",
        "gen_ai.tool.arguments",
        "gen_ai.tool.call.arguments",
        "gen_ai.tool.call.result",
        "gen_ai.tool.definitions",
        "gen_ai.tool.input",
        "gen_ai.tool.output",
        "gen_ai.tool.result",
        "genkit:input",
        "genkit:output",
        "agentops.tool.input",
        "agentops.tool.output",
        "haystack.agent.input",
        "haystack.agent.output",
        "haystack.agent.step.llm.input",
        "haystack.agent.step.llm.output",
        "haystack.agent.step.tool.input",
        "haystack.agent.step.tool.output",
        "haystack.component.input",
        "haystack.component.output",
        "haystack.pipeline.input_data",
        "haystack.pipeline.output_data",
        "input.value",
        "langfuse.observation.input",
        "langfuse.observation.output",
        "langfuse.trace.input",
        "langfuse.trace.output",
        "langwatch.contexts",
        "langwatch.input",
        "langwatch.output",
        "langwatch.params",
        "langwatch.prompt.variables",
        "langwatch.rag.contexts",
        "lk.chat_ctx",
        "lk.function_tool.arguments",
        "lk.function_tool.output",
        "lk.input_text",
        "lk.instructions",
        "lk.pii.chat_ctx",
        "lk.pii.function_tool.arguments",
        "lk.pii.function_tool.output",
        "lk.pii.input_text",
        "lk.pii.instructions",
        "lk.pii.response.function_calls",
        "lk.pii.response.text",
        "lk.pii.user_input",
        "lk.pii.user_transcript",
        "lk.response.function_calls",
        "lk.response.text",
        "lk.user_input",
        "lk.user_transcript",
        "llm.choices",
        "llm.completions",
        "llm.input_messages",
        "llm.messages",
        "llm.output_messages",
        "llm.prompt_template.template",
        "llm.prompt_template.variables",
        "llm.prompts",
        "llm.request.functions",
        "llm.responses",
        "llm.tools",
        "lmnr.span.input",
        "lmnr.span.output",
        "mcp.tool.result.content",
        "mlflow.chat.tools",
        "mlflow.spanInputs",
        "mlflow.spanOutputs",
        "output.value",
        "pydantic_ai.all_messages",
        "raw_input",
        "request_data",
        "reranker.input_documents",
        "reranker.output_documents",
        "reranker.query",
        "response.model_output",
        "response_data",
        "retrieval.documents",
        "spring.ai.chat.client.system.text",
        "spring.ai.chat.client.user.text",
        "spring.ai.model.request.tool.names",
        "spring.ai.tool.call.arguments",
        "spring.ai.tool.call.result",
        "tool.parameters",
        "tool.result",
        "tool_arguments",
        "tool_input",
        "tool_parameters",
        "tool_response",
        "traceloop.entity.input",
        "traceloop.entity.output",
        "traceloop.prompt.template",
        "traceloop.prompt.template_variables",
        "transcript",
        "user_prompt",
    }
)
"""Attributes that hold content; with all that begin with one of them and a dot."""

_STRUCTURE = re.compile(r"gen_ai\.prompt\.(?:name|version)|.*\.(?:role|finish_reason)")
"""Keys below one of those, and structure all the same."""

_CONTENT = re.compile(r"input|output|events|mastra\.[a-z_]+\.(?:input|output)")
"""Keys of content, alone and of many kinds of spans."""

_CONTENT_EVENTS = re.compile(
    r"gen_ai\.(?:choice|content\..+|[a-z]+\.message)|db\.(?:query|search)\..+"
    r"|(?:[\w-]+\.)?(?:user_prompt|assistant_response|api_(?:request|response)_body|tool_result)"
    r"|(?:gemini_cli|qwen-code)\.(?:api_request|api_response|tool_call)|tool\.output"
)
_EVENT_STRUCTURE = frozenset(
    {
        "call_id",
        "conversation.id",
        "event.name",
        "finish_reason",
        "function_name",
        "gen_ai.provider.name",
        "gen_ai.system",
        "id",
        "index",
        "model",
        "role",
        "session.id",
        "tool_name",
        "tool_use_id",
    }
)
"""Attributes of such an event that are no content."""


def is_content_captured(option: bool | None = None, env: Mapping[str, str] = os.environ) -> bool:
    """Reports whether content is to be sent. An option overrides the variable. Only a clear yes turns it on again."""
    if option is not None:
        return option
    return env.get("TOUCHSTONE_CAPTURE_CONTENT", "").strip().lower() in ("", "1", "true", "on")


def hide_content(request: ExportTraceServiceRequest) -> None:
    """Puts `__REDACTED__` in place of all content. Names, times, numbers and errors remain."""
    for resource_spans in request.resource_spans:
        for scope_spans in resource_spans.scope_spans:
            for span in scope_spans.spans:
                _hide(span.attributes, is_of_content=False)
                for event in span.events:
                    _hide(event.attributes, is_of_content=_CONTENT_EVENTS.fullmatch(event.name) is not None)


def is_content_key(key: str) -> bool:
    """Reports whether an attribute of a span holds content, by the name that its instrumentation gives it."""
    if _STRUCTURE.fullmatch(key):
        return False
    if _CONTENT.fullmatch(key):
        return True
    end = len(key)
    while end > 0:
        if key[:end] in _CONTENT_KEYS:
            return True
        end = key.rfind(".", 0, end)
    return False


def _hide(attributes: Iterable[KeyValue], *, is_of_content: bool) -> None:
    for attribute in attributes:
        is_number = attribute.value.WhichOneof("value") in ("int_value", "double_value")
        is_content = is_of_content and not is_number and attribute.key not in _EVENT_STRUCTURE
        if is_content or is_content_key(attribute.key):
            attribute.value.Clear()
            attribute.value.string_value = _HIDDEN
