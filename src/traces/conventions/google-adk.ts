import { isObject } from '../../contract/is-object.ts';
import type { JsonValue } from '../span-wire.ts';
import type { Vocabulary } from './rule.ts';

/** Attributes of releases of Google's Agent Development Kit that precede its use of `gen_ai`: JSON in the format of Gemini. */
export const GOOGLE_ADK: Vocabulary = {
  name: 'google_adk',
  rules: [
    { key: 'gcp.vertex.agent.tool_call_args', field: 'input', json: true, pick: withoutPlaceholder },
    { key: 'gcp.vertex.agent.tool_response', field: 'output', json: true, pick: withoutPlaceholder },
    { key: 'gcp.vertex.agent.llm_request', field: 'input', json: true, pick: withContent },
    { key: 'gcp.vertex.agent.llm_response', field: 'output', json: true, pick: withContent },
    { key: 'gcp.vertex.agent.llm_request', field: 'inputMessages', pick: withContent },
    { key: 'gcp.vertex.agent.llm_response', field: 'outputMessages', pick: withContent },
    { key: 'gcp.vertex.agent.session_id', field: 'sessionId' },
    { key: 'gen_ai.usage.experimental.reasoning_tokens', field: 'reasoningTokens' },
  ],
};

/** Returns the value, unless it is the placeholder of a span that merges several calls. */
function withoutPlaceholder(value: JsonValue): JsonValue | undefined {
  return value === 'N/A' ? undefined : value;
}

/** Returns the value, unless it is the empty object that spans of tools have, and all spans of apps that send no content. */
function withContent(value: JsonValue): JsonValue | undefined {
  return isObject(value) && Object.keys(value).length === 0 ? undefined : value;
}
