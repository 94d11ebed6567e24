import type { JsonValue } from '../span-wire.ts';
import { readChatMessages } from './chat-messages.ts';
import { readToolDefinitions } from './gen-ai-messages.ts';
import { jsonText } from './json.ts';
import { defined } from './members.ts';
import type { ReportedEvaluation, Message, ToolDefinition } from './message.ts';
import { readOpenInferenceMessage } from './openinference-message.ts';
import { type AttributeView, elements, parsedOfKey, textOfKey } from './span-view.ts';

/** Reads `llm.input_messages.N.message.*`, or the prompts of a completions API. */
export function openInferenceInputMessages(view: AttributeView): Message[] | undefined {
  return (
    messages(view, 'llm.input_messages.', 'user') ??
    textMessages('user', valuesOf(view, 'llm.prompts.', 'prompt.text')) ??
    listedMessages(view) ??
    textMessages('user', promptList(view))
  );
}

/** Reads `llm.output_messages.N.message.*`, or the choices of a completions API. */
export function openInferenceOutputMessages(view: AttributeView): Message[] | undefined {
  const found =
    messages(view, 'llm.output_messages.', 'assistant') ??
    textMessages('assistant', valuesOf(view, 'llm.choices.', 'completion.text'));
  const finishReason = textOfKey(view, 'llm.finish_reason');
  // The finish reason belongs to the call, so for several messages it is unknown which of them it applies to.
  return finishReason !== undefined && found?.length === 1
    ? found.map((message) => ({ ...message, finishReason }))
    : found;
}

/** Reads `llm.tools.N.tool.json_schema`. */
export function openInferenceToolDefinitions(view: AttributeView): ToolDefinition[] | undefined {
  return readToolDefinitions(valuesOf(view, 'llm.tools.', 'tool.json_schema'));
}

/** Reads the embedded texts from `embedding.embeddings.N.embedding.text`. */
export function openInferenceEmbeddingTexts(view: AttributeView): string[] | undefined {
  return unlessEmpty(valuesOf(view, 'embedding.embeddings.', 'embedding.text').map(jsonText));
}

/** Reads `annotations.N.annotation.*` and `evaluations.N.evaluation.*`; duplicates count once. */
export function openInferenceEvaluations(view: AttributeView): ReportedEvaluation[] | undefined {
  const found = [
    ...elements(view, 'annotations.').flatMap((element) => readEvaluation(element, 'annotation.')),
    ...elements(view, 'evaluations.').flatMap((element) => readEvaluation(element, 'evaluation.')),
  ];
  return unlessEmpty([...new Map(found.map((one) => [JSON.stringify(one), one])).values()]);
}

function readEvaluation(view: AttributeView, prefix: string): ReportedEvaluation[] {
  const name = textOfKey(view, `${prefix}name`);
  if (name === undefined) return [];
  const score = view.value(`${prefix}score`);
  const more = defined<Omit<ReportedEvaluation, 'name'>>({
    score: typeof score === 'number' ? score : undefined,
    label: textOfKey(view, `${prefix}label`),
    explanation: textOfKey(view, `${prefix}explanation`),
  });
  return [{ name, ...more }];
}

function messages(view: AttributeView, prefix: string, defaultRole: string): Message[] | undefined {
  return unlessEmpty(
    elements(view, prefix).flatMap((element) => readOpenInferenceMessage(element, defaultRole) ?? []),
  );
}

/** Reads the messages that Langtrace writes as JSON into one attribute. */
function listedMessages(view: AttributeView): Message[] | undefined {
  const prompts = parsedOfKey(view, 'llm.prompts');
  return Array.isArray(prompts) ? readChatMessages(prompts) : undefined;
}

/** Reads prompts; older senders write all of them into one attribute. */
function promptList(view: AttributeView): JsonValue[] {
  const prompts = view.value('llm.prompts') ?? [];
  return Array.isArray(prompts) ? prompts : [prompts];
}

function textMessages(role: string, texts: readonly JsonValue[]): Message[] | undefined {
  return unlessEmpty(
    texts.map((value) => ({ role, parts: [{ type: 'text' as const, text: jsonText(value) }] })),
  );
}

/** Returns the values under one key of the elements of a flattened list. */
function valuesOf(view: AttributeView, prefix: string, key: string): JsonValue[] {
  return elements(view, prefix).flatMap((element) => {
    const value = element.value(key);
    return value === undefined ? [] : [value];
  });
}

function unlessEmpty<T>(list: T[]): T[] | undefined {
  return list.length === 0 ? undefined : list;
}
