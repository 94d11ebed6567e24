import type { Attributes, Span } from '@opentelemetry/api';
import { type ContentText, contentText } from './json-text.ts';

/** Kind of an observed function, as traces show it. */
export type ObservationKind =
  | 'agent'
  | 'chain'
  | 'embedding'
  | 'evaluator'
  | 'guardrail'
  | 'llm'
  | 'reranker'
  | 'retriever'
  | 'tool';

/** Fields of a span and its trace beside input and output. */
export interface ObservationFields {
  /** Id of the conversation that the trace belongs to. */
  session?: string | undefined;
  /** Id of the person that the trace is for. */
  user?: string | undefined;
  tags?: readonly string[] | undefined;
  metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Name of the model. */
  model?: string | undefined;
  /** Number of tokens of the input, those of the cache included. */
  inputTokens?: number | undefined;
  /** Number of tokens of the output, those of reasoning included. */
  outputTokens?: number | undefined;
}

/** Attributes of the fields that are given, by the conventions of OpenTelemetry and OpenInference. */
export function attributesOf(fields: ObservationFields): Attributes {
  const attributes: Attributes = {};
  const set = (key: string, value: Attributes[string]): void => {
    if (value !== undefined) attributes[key] = value;
  };
  set('session.id', fields.session);
  set('user.id', fields.user);
  set('tag.tags', fields.tags && [...fields.tags].map(String));
  set('metadata', fields.metadata && contentText(fields.metadata).text);
  set('llm.model_name', fields.model);
  set('llm.token_count.prompt', fields.inputTokens);
  set('llm.token_count.completion', fields.outputTokens);
  return attributes;
}

/** Attributes of the kind, with the name where the conventions have a place for it. */
export function kindAttributes(kind: string, name: string): Attributes {
  const attributes: Attributes = { 'openinference.span.kind': kind.toUpperCase() };
  if (kind === 'tool') attributes['tool.name'] = name;
  if (kind === 'agent') attributes['agent.name'] = name;
  return attributes;
}

/** Writes the input or the output of a span. */
export function setContent(span: Span, side: 'input' | 'output', value: unknown): void {
  if (value === undefined) return;
  const { text, mimeType }: ContentText = contentText(value);
  span.setAttribute(`${side}.value`, text);
  span.setAttribute(`${side}.mime_type`, mimeType);
}
