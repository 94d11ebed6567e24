import type { JsonValue } from '../span-wire.ts';
import {
  CODING_AGENT_INPUT_MESSAGES,
  CODING_AGENT_INPUTS,
  CODING_AGENT_OUTPUT_MESSAGES,
  CODING_AGENT_OUTPUTS,
  toolOutputOfEvents,
} from './coding-agent-events.ts';
import { documentsAt, genAiDocuments, genkitDocuments, queryResultDocuments } from './gen-ai-documents.ts';
import {
  genAiEvaluationOfSpan,
  genAiEvaluations,
  genAiEventInput,
  genAiEventOutput,
} from './gen-ai-events.ts';
import {
  genAiCompletion,
  genAiInputMessages,
  genAiOutputMessages,
  genAiSystemInstructions,
  instructionsAt,
  genAiToolDefinitions,
  saidAt,
  toolsAt,
} from './gen-ai-messages.ts';
import { googleAdkInputMessages, googleAdkOutputMessages } from './google-adk-messages.ts';
import { langfuseInputMessages, langfuseOutputMessages } from './langfuse-messages.ts';
import { langsmithDocuments, langsmithInputMessages, langsmithOutputMessages } from './langsmith-messages.ts';
import { haystackAnswer, haystackTools } from './haystack-messages.ts';
import {
  langwatchDocuments,
  langwatchRagDocuments,
  langwatchInputMessages,
  langwatchOutputMessages,
  langwatchToolDefinitions,
} from './langwatch-messages.ts';
import { livekitOutputMessages } from './livekit-messages.ts';
import {
  logfireInputMessages,
  logfireOutputMessages,
  logfireRawInput,
  logfireRequestMessages,
  logfireResponseMessages,
} from './logfire-messages.ts';
import { messagesAt, textsAt } from './messages-at.ts';
import { sentryOutputMessages } from './sentry-messages.ts';
import type { ReportedEvaluation, Message, RetrievedDocument, ToolDefinition } from './message.ts';
import { openInferenceDocuments, rerankedDocuments } from './openinference-documents.ts';
import {
  openInferenceEmbeddingTexts,
  openInferenceEvaluations,
  openInferenceInputMessages,
  openInferenceOutputMessages,
  openInferenceToolDefinitions,
} from './openinference-messages.ts';
import {
  openLlmetryInputMessages,
  openLlmetryOutputMessages,
  openLlmetryToolDefinitions,
} from './openllmetry-messages.ts';
import { mlflowInputMessages, mlflowOutputMessages, mlflowToolDefinitions } from './mlflow-messages.ts';
import { pydanticAiInputMessages, pydanticAiOutputMessages } from './pydantic-ai-messages.ts';
import type { Field } from './rule.ts';
import { rulesOfField } from './rule-set.ts';
import type { SpanView } from './span-view.ts';
import {
  vercelDocuments,
  vercelEmbeddingTexts,
  vercelInputMessages,
  vercelOutputMessages,
  vercelToolDefinitions,
} from './vercel-messages.ts';

type Reader<T> = (view: SpanView) => T | undefined;
type Readers<T> = Readonly<Record<string, Reader<T>>>;

/** Readers of fields that are composed from many keys, by the key of the rule that announces them. */
const INPUT_MESSAGES: Readers<Message[]> = {
  'gen_ai.input.messages': genAiInputMessages,
  'gen_ai.request.messages': messagesAt('gen_ai.request.messages'),
  'event gen_ai.client.inference.operation.details': genAiEventInput,
  'event gen_ai.system.message': genAiEventInput,
  'event gen_ai.user.message': genAiEventInput,
  'event gen_ai.assistant.message': genAiEventInput,
  'event gen_ai.tool.message': genAiEventInput,
  'event gen_ai.content.prompt': genAiEventInput,
  'llm.input_messages.#': openInferenceInputMessages,
  'llm.prompts': openInferenceInputMessages,
  'llm.prompts.#': readFirst(openInferenceInputMessages, openLlmetryInputMessages),
  'gen_ai.prompt.#': openLlmetryInputMessages,
  'ai.prompt.messages': vercelInputMessages,
  'ai.prompt': vercelInputMessages,
  'pydantic_ai.all_messages': pydanticAiInputMessages,
  'langfuse.observation.input': langfuseInputMessages,
  'mlflow.spanInputs': mlflowInputMessages,
  'gen_ai.prompt': readFirst(langsmithInputMessages, textsAt('gen_ai.prompt', 'user')),
  'gen_ai.prompt_json': messagesAt('gen_ai.prompt_json'),
  'langwatch.input': langwatchInputMessages,
  'lmnr.span.input': messagesAt('lmnr.span.input'),
  'braintrust.input_json': messagesAt('braintrust.input_json'),
  'braintrust.input': messagesAt('braintrust.input'),
  'genkit:input': messagesAt('genkit:input'),
  'lk.pii.chat_ctx': messagesAt('lk.pii.chat_ctx'),
  'lk.chat_ctx': messagesAt('lk.chat_ctx'),
  events: logfireInputMessages('events'),
  all_messages_events: logfireInputMessages('all_messages_events'),
  'gen_ai.content.prompt': saidAt('gen_ai.content.prompt', 'user'),
  'ai.input_messages': messagesAt('ai.input_messages'),
  'llm.messages': messagesAt('llm.messages'),
  'haystack.agent.step.llm.input': messagesAt('haystack.agent.step.llm.input'),
  'haystack.agent.input': messagesAt('haystack.agent.input'),
  'haystack.component.input': messagesAt('haystack.component.input'),
  raw_input: logfireRawInput,
  request_data: logfireRequestMessages,
  'gcp.vertex.agent.llm_request': googleAdkInputMessages,
  ...CODING_AGENT_INPUT_MESSAGES,
};

const OUTPUT_MESSAGES: Readers<Message[]> = {
  'gen_ai.output.messages': genAiOutputMessages,
  'gen_ai.response.text': sentryOutputMessages,
  'gen_ai.response.tool_calls': sentryOutputMessages,
  'gen_ai.response.object': sentryOutputMessages,
  'event gen_ai.client.inference.operation.details': genAiEventOutput,
  'event gen_ai.choice': genAiEventOutput,
  'event gen_ai.content.completion': genAiEventOutput,
  'llm.output_messages.#': openInferenceOutputMessages,
  'llm.choices.#': openInferenceOutputMessages,
  'gen_ai.completion.#': openLlmetryOutputMessages,
  'llm.completions.#': openLlmetryOutputMessages,
  'ai.response.text': vercelOutputMessages,
  'ai.response.toolCalls': vercelOutputMessages,
  'ai.response.reasoning': vercelOutputMessages,
  'ai.response.object': vercelOutputMessages,
  'ai.response.files': vercelOutputMessages,
  'ai.result.*': vercelOutputMessages,
  'pydantic_ai.all_messages': pydanticAiOutputMessages,
  'langfuse.observation.output': langfuseOutputMessages,
  'mlflow.spanOutputs': mlflowOutputMessages,
  'gen_ai.completion': readFirst(
    langsmithOutputMessages,
    textsAt('gen_ai.completion', 'assistant'),
    genAiCompletion,
  ),
  'gen_ai.completion_json': messagesAt('gen_ai.completion_json'),
  'langwatch.output': langwatchOutputMessages,
  'lmnr.span.output': messagesAt('lmnr.span.output'),
  'braintrust.output_json': messagesAt('braintrust.output_json'),
  'braintrust.output': messagesAt('braintrust.output'),
  'genkit:output': messagesAt('genkit:output'),
  'lk.pii.response.function_calls': livekitOutputMessages('lk.pii.response'),
  'lk.response.function_calls': livekitOutputMessages('lk.response'),
  events: logfireOutputMessages('events'),
  all_messages_events: logfireOutputMessages('all_messages_events'),
  'gen_ai.content.completion': saidAt('gen_ai.content.completion', 'assistant'),
  'ai.responses': textsAt('ai.responses', 'assistant'),
  'llm.responses': messagesAt('llm.responses'),
  'haystack.agent.step.llm.output': messagesAt('haystack.agent.step.llm.output'),
  'haystack.agent.output': haystackAnswer,
  'haystack.component.output': messagesAt('haystack.component.output'),
  response_data: logfireResponseMessages,
  'gcp.vertex.agent.llm_response': googleAdkOutputMessages,
  ...CODING_AGENT_OUTPUT_MESSAGES,
};

const TOOL_DEFINITIONS: Readers<ToolDefinition[]> = {
  'gen_ai.tool.definitions': genAiToolDefinitions,
  'gen_ai.request.available_tools': toolsAt('gen_ai.request.available_tools'),
  'spring.ai.model.request.tool.names': toolsAt('spring.ai.model.request.tool.names'),
  'llm.tools.#': openInferenceToolDefinitions,
  'ai.prompt.tools': vercelToolDefinitions,
  'llm.request.functions.#': openLlmetryToolDefinitions,
  'mlflow.chat.tools': mlflowToolDefinitions,
  'langwatch.params': langwatchToolDefinitions,
  'haystack.agent.step.llm.input': haystackTools,
};

const DOCUMENTS: Readers<RetrievedDocument[]> = {
  'retrieval.documents.#': openInferenceDocuments,
  'gen_ai.retrieval.documents': genAiDocuments,
  'gen_ai.memory.records': documentsAt('gen_ai.memory.records'),
  'db.vector.query.response.documents': documentsAt('db.vector.query.response.documents'),
  'langwatch.contexts': langwatchDocuments,
  'langwatch.rag.contexts': langwatchRagDocuments,
  'genkit:output': genkitDocuments,
  'reranker.output_documents.#': rerankedDocuments,
  'ai.ranking': vercelDocuments,
  'ai.documents': vercelDocuments,
  'event db.query.result': queryResultDocuments,
  'gen_ai.completion': langsmithDocuments,
};

const EVALUATIONS: Readers<ReportedEvaluation[]> = {
  'event gen_ai.evaluation.result': genAiEvaluations,
  'gen_ai.evaluation.name': genAiEvaluationOfSpan,
  'gen_ai.evaluation.score.value': genAiEvaluationOfSpan,
  'gen_ai.evaluation.score.label': genAiEvaluationOfSpan,
  'gen_ai.evaluation.explanation': genAiEvaluationOfSpan,
  'annotations.#': openInferenceEvaluations,
  'evaluations.#': openInferenceEvaluations,
};

const COMPOSITE = {
  inputMessages: inOrder('inputMessages', INPUT_MESSAGES),
  outputMessages: inOrder('outputMessages', OUTPUT_MESSAGES),
  systemInstructions: inOrder('systemInstructions', {
    'gen_ai.system_instructions': genAiSystemInstructions,
    'spring.ai.chat.client.system.text': instructionsAt('spring.ai.chat.client.system.text'),
    'lk.pii.instructions': instructionsAt('lk.pii.instructions'),
    'lk.instructions': instructionsAt('lk.instructions'),
  }),
  toolDefinitions: inOrder('toolDefinitions', TOOL_DEFINITIONS),
  documents: inOrder('documents', DOCUMENTS),
  evaluations: inOrder('evaluations', EVALUATIONS),
} as const;
export type CompositeField = keyof typeof COMPOSITE;

/** Readers of inputs that are composed from a flattened list or from events. */
const COMPOSED_INPUTS: Readers<JsonValue> = {
  ...CODING_AGENT_INPUTS,
  'embedding.embeddings.#': openInferenceEmbeddingTexts,
  'ai.value': vercelEmbeddingTexts,
  'ai.values': vercelEmbeddingTexts,
};

/** Readers of inputs and outputs that are composed from a flattened list or from events. */
export const COMPOSED_TEXTS: Readonly<Record<'input' | 'output', Readers<JsonValue>>> = {
  input: COMPOSED_INPUTS,
  output: { 'event tool.output': toolOutputOfEvents, ...CODING_AGENT_OUTPUTS },
};

export interface Composed<T> {
  value: T;
  vocabulary: string;
  /** Key of the rule that gave the value. */
  from: string;
}
type ComposedBy<F extends CompositeField> = (typeof COMPOSITE)[F] extends readonly Source<infer T>[]
  ? Composed<T>
  : never;

interface Source<T> {
  vocabulary: string;
  from: string;
  /** Reports whether the key is present, if that is cheap to find out. */
  isThere: (view: SpanView) => boolean;
  read: Reader<T>;
}

/** Cache of composed fields by span: messages are needed as content and as such, and parsing them is expensive. */
const composed = new WeakMap<SpanView, Map<CompositeField, Composed<unknown> | null>>();

/** Composes a field from the first vocabulary that has it on this span. The result must not be changed. */
export function compose<F extends CompositeField>(view: SpanView, field: F): ComposedBy<F> | null {
  let known = composed.get(view);
  if (!known) composed.set(view, (known = new Map<CompositeField, Composed<unknown> | null>()));
  let found = known.get(field);
  if (found === undefined) known.set(field, (found = composeFirst(view, field)));
  return found as ComposedBy<F> | null;
}

function composeFirst(view: SpanView, field: CompositeField): Composed<unknown> | null {
  const own = view.own?.compose(view, field) ?? null;
  if (own !== null && !isWithoutParts(own.value)) return own;
  const tried = new Set<Reader<unknown>>();
  let empty: Composed<unknown> | null = own;
  for (const { read, vocabulary, from, isThere } of COMPOSITE[field] as readonly Source<unknown>[]) {
    if (tried.has(read) || !isThere(view)) continue;
    tried.add(read);
    const value = read(view);
    if (value === undefined) continue;
    if (!isWithoutParts(value)) return { value, vocabulary, from };
    empty ??= { value, vocabulary, from };
  }
  return empty;
}

/** Reports whether a value consists of messages that say nothing; a sender may have the same ones in another form. */
function isWithoutParts(value: unknown): boolean {
  const messages = Array.isArray(value) ? (value as Partial<Message>[]) : [];
  return messages.length > 0 && messages.every(({ parts }) => parts?.length === 0);
}

function inOrder<T>(field: Field, readers: Readers<T>): Source<T>[] {
  return rulesOfField(field).map(({ key, vocabulary, isOpen }) => {
    const read = readers[key];
    if (!read) throw new Error(`nothing reads ${field} from ${key}`);
    const event = key.startsWith('event ') ? key.slice('event '.length) : null;
    const isThere = (view: SpanView): boolean =>
      isOpen ||
      (event === null ? view.value(key) !== undefined : view.happenings.some(({ name }) => name === event));
    return { vocabulary, from: key, isThere, read };
  });
}

function readFirst<T>(...readers: readonly Reader<T>[]): Reader<T> {
  return (view) => {
    for (const read of readers) {
      const value = read(view);
      if (value !== undefined) return value;
    }
    return undefined;
  };
}
