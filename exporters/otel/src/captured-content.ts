import type { Attributes } from '@opentelemetry/api';
import { copySpan } from './redact.ts';
import type { Environment } from './settings.ts';
import type { ReadableSpan } from './span.ts';

/** Text that instrumentations write in place of hidden content; the server recognises it. */
const HIDDEN = '__REDACTED__';

/** Attributes that hold what goes into a model, a tool or a search, or what comes out; with all that begin with one of them and a dot. */
const CONTENT_KEYS: readonly string[] = [
  'agentops.entity.input',
  'agentops.entity.output',
  'ai.documents',
  'ai.embedding',
  'ai.embeddings',
  'ai.input_messages',
  'ai.prompt',
  'ai.ranking',
  'ai.response.files',
  'ai.response.object',
  'ai.response.reasoning',
  'ai.response.text',
  'ai.response.toolCalls',
  'ai.responses',
  'ai.result',
  'ai.toolCall.args',
  'ai.toolCall.result',
  'ai.value',
  'ai.values',
  'all_messages_events',
  'braintrust.input',
  'braintrust.input_json',
  'braintrust.output',
  'braintrust.output_json',
  'db.vector.query.content',
  'db.vector.query.response.documents',
  'embedding.embeddings',
  'embedding.text',
  'final_result',
  'gcp.vertex.agent.llm_request',
  'gcp.vertex.agent.llm_response',
  'gcp.vertex.agent.tool_call_args',
  'gcp.vertex.agent.tool_response',
  'gen_ai.completion',
  'gen_ai.completion_json',
  'gen_ai.content.completion',
  'gen_ai.content.prompt',
  'gen_ai.guardrail.input',
  'gen_ai.guardrail.output',
  'gen_ai.input.messages',
  'gen_ai.memory.query.text',
  'gen_ai.memory.records',
  'gen_ai.output.messages',
  'gen_ai.prompt',
  'gen_ai.prompt_json',
  'gen_ai.request.available_tools',
  'gen_ai.request.messages',
  'gen_ai.response.object',
  'gen_ai.response.text',
  'gen_ai.response.tool_calls',
  'gen_ai.retrieval.documents',
  'gen_ai.retrieval.query.text',
  'gen_ai.system_instructions',
  'gen_ai.tool.arguments',
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.call.result',
  'gen_ai.tool.definitions',
  'gen_ai.tool.input',
  'gen_ai.tool.output',
  'gen_ai.tool.result',
  'genkit:input',
  'genkit:output',
  'agentops.tool.input',
  'agentops.tool.output',
  'haystack.agent.input',
  'haystack.agent.output',
  'haystack.agent.step.llm.input',
  'haystack.agent.step.llm.output',
  'haystack.agent.step.tool.input',
  'haystack.agent.step.tool.output',
  'haystack.component.input',
  'haystack.component.output',
  'haystack.pipeline.input_data',
  'haystack.pipeline.output_data',
  'input.value',
  'langfuse.observation.input',
  'langfuse.observation.output',
  'langfuse.trace.input',
  'langfuse.trace.output',
  'langwatch.contexts',
  'langwatch.input',
  'langwatch.output',
  'langwatch.params',
  'langwatch.prompt.variables',
  'langwatch.rag.contexts',
  'lk.chat_ctx',
  'lk.function_tool.arguments',
  'lk.function_tool.output',
  'lk.input_text',
  'lk.instructions',
  'lk.pii.chat_ctx',
  'lk.pii.function_tool.arguments',
  'lk.pii.function_tool.output',
  'lk.pii.input_text',
  'lk.pii.instructions',
  'lk.pii.response.function_calls',
  'lk.pii.response.text',
  'lk.pii.user_input',
  'lk.pii.user_transcript',
  'lk.response.function_calls',
  'lk.response.text',
  'lk.user_input',
  'lk.user_transcript',
  'llm.choices',
  'llm.completions',
  'llm.input_messages',
  'llm.messages',
  'llm.output_messages',
  'llm.prompt_template.template',
  'llm.prompt_template.variables',
  'llm.prompts',
  'llm.request.functions',
  'llm.responses',
  'llm.tools',
  'lmnr.span.input',
  'lmnr.span.output',
  'mcp.tool.result.content',
  'mlflow.chat.tools',
  'mlflow.spanInputs',
  'mlflow.spanOutputs',
  'output.value',
  'pydantic_ai.all_messages',
  'raw_input',
  'request_data',
  'reranker.input_documents',
  'reranker.output_documents',
  'reranker.query',
  'response.model_output',
  'response_data',
  'retrieval.documents',
  'spring.ai.chat.client.system.text',
  'spring.ai.chat.client.user.text',
  'spring.ai.model.request.tool.names',
  'spring.ai.tool.call.arguments',
  'spring.ai.tool.call.result',
  'tool.parameters',
  'tool.result',
  'tool_arguments',
  'tool_input',
  'tool_parameters',
  'tool_response',
  'traceloop.entity.input',
  'traceloop.entity.output',
  'traceloop.prompt.template',
  'traceloop.prompt.template_variables',
  'transcript',
  'user_prompt',
];
/** Keys of content, alone and of many kinds of spans. */
const CONTENT = /^(?:input|output|events|mastra\.[a-z_]+\.(?:input|output))$/;
/** Below a content key, and structure all the same. */
const STRUCTURE = /^gen_ai\.prompt\.(?:name|version)$|\.(?:role|finish_reason)$/;

const CONTENT_EVENTS =
  /^(?:gen_ai\.(?:choice|content\..+|[a-z]+\.message)|db\.(?:query|search)\..+|(?:[\w-]+\.)?(?:user_prompt|assistant_response|api_(?:request|response)_body|tool_result)|(?:gemini_cli|qwen-code)\.(?:api_request|api_response|tool_call)|tool\.output)$/;
/** Attributes of such an event that are no content. */
const EVENT_STRUCTURE = new Set([
  'call_id',
  'conversation.id',
  'event.name',
  'finish_reason',
  'function_name',
  'gen_ai.provider.name',
  'gen_ai.system',
  'id',
  'index',
  'model',
  'role',
  'session.id',
  'tool_name',
  'tool_use_id',
]);

const ROOTS = new Set(CONTENT_KEYS);

/** Reports whether content is to be sent. An option overrides the variable. Only a clear yes turns it on again. */
export function isContentCaptured(env: Environment, option?: boolean): boolean {
  if (option !== undefined) return option;
  const value = env['TOUCHSTONE_CAPTURE_CONTENT']?.trim().toLowerCase();
  return !value || value === '1' || value === 'true' || value === 'on';
}

/** Reports whether an attribute of a span holds content, by the name that its instrumentation gives it. */
export function isContentKey(key: string): boolean {
  if (STRUCTURE.test(key)) return false;
  if (CONTENT.test(key)) return true;
  for (let end = key.length; end > 0; end = key.lastIndexOf('.', end - 1))
    if (ROOTS.has(key.slice(0, end))) return true;
  return false;
}

/** Reports whether an event of a span holds content. */
export const isContentEvent = (name: string): boolean => CONTENT_EVENTS.test(name);

/** Returns a copy of a span in which `__REDACTED__` stands for all content. Its names, times, numbers and errors remain. */
export const hideContent = (span: ReadableSpan): ReadableSpan =>
  copySpan(span, {
    text: (text) => text,
    attributes: (given, event) => hidden(given, event !== undefined && isContentEvent(event)),
  });

function hidden(given: Attributes, isOfContent: boolean): Attributes {
  const left: Attributes = {};
  for (const [key, value] of Object.entries(given)) {
    const isContent =
      isContentKey(key) || (isOfContent && typeof value !== 'number' && !EVENT_STRUCTURE.has(key));
    left[key] = isContent ? HIDDEN : value;
  }
  return left;
}
