import { type ReadableSpan, TEST_ID_ATTRIBUTE } from './span.ts';

/** Decides whether an ended span is sent. */
export type SpanFilter = (span: ReadableSpan) => boolean;

const LLM_ATTRIBUTES = [
  'gen_ai.',
  'llm.',
  'openinference.',
  'traceloop.',
  'ai.',
  'langfuse.',
  'langsmith.',
  'mlflow.',
];

/** Sends every span. */
export const allSpans: SpanFilter = () => true;

/** Sends the spans that belong to a test. */
export const testSpans: SpanFilter = ({ attributes }) => attributes[TEST_ID_ATTRIBUTE] !== undefined;

/** Sends the spans that an instrumentation of a language model wrote: those with an attribute of their vocabularies. */
export const llmSpans: SpanFilter = ({ attributes }) => {
  for (const key in attributes) if (LLM_ATTRIBUTES.some((prefix) => key.startsWith(prefix))) return true;
  return false;
};
