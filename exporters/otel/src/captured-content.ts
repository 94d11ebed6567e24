import type { Attributes } from '@opentelemetry/api';
import { copySpan } from './redact.ts';
import type { Environment } from './settings.ts';
import type { ReadableSpan } from './span.ts';

/** Text that instrumentations write in place of hidden content; the server recognises it. */
const HIDDEN = '__REDACTED__';

/** Attributes that hold what goes into a model, a tool or a search, or what comes out; with all that begin with one of them and a dot. */
const CONTENT_KEYS: readonly string[] = [
  'ai.documents',
  'ai.embedding',
  'ai.embeddings',
  'ai.prompt',
  'ai.ranking',
  'ai.response.files',
  'ai.response.object',
  'ai.response.reasoning',
  'ai.response.text',
  'ai.response.toolCalls',
  'ai.result',
  'ai.toolCall.args',
  'ai.toolCall.result',
  'ai.value',
  'ai.values',
  'embedding.embeddings',
  'embedding.text',
  'final_result',
  'gen_ai.completion',
  'gen_ai.guardrail.input',
  'gen_ai.guardrail.output',
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.prompt',
  'gen_ai.retrieval.documents',
  'gen_ai.retrieval.query.text',
  'gen_ai.system_instructions',
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.call.result',
  'gen_ai.tool.definitions',
  'input.value',
  'langfuse.observation.input',
  'langfuse.observation.output',
  'langfuse.trace.input',
  'langfuse.trace.output',
  'llm.choices',
  'llm.completions',
  'llm.input_messages',
  'llm.output_messages',
  'llm.prompt_template.template',
  'llm.prompt_template.variables',
  'llm.prompts',
  'llm.request.functions',
  'llm.tools',
  'mlflow.chat.tools',
  'mlflow.spanInputs',
  'mlflow.spanOutputs',
  'output.value',
  'pydantic_ai.all_messages',
  'reranker.input_documents',
  'reranker.output_documents',
  'reranker.query',
  'retrieval.documents',
  'tool.parameters',
  'tool_arguments',
  'tool_response',
  'traceloop.entity.input',
  'traceloop.entity.output',
  'traceloop.prompt.template',
  'traceloop.prompt.template_variables',
];
/** Below a content key, and structure all the same. */
const STRUCTURE = /^gen_ai\.prompt\.name$|\.(?:role|finish_reason)$/;

const CONTENT_EVENTS = /^(?:gen_ai\.(?:choice|content\..+|[a-z]+\.message)|db\.(?:query|search)\..+)$/;
/** Attributes of such an event that are no content. */
const EVENT_STRUCTURE = new Set([
  'event.name',
  'finish_reason',
  'gen_ai.provider.name',
  'gen_ai.system',
  'id',
  'index',
  'role',
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
