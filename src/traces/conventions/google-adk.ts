import { isObject } from '../../contract/is-object.ts';
import type { JsonValue } from '../span-wire.ts';
import type { Vocabulary } from './rule.ts';

/** Attributes of Google's Agent Development Kit before it had those of `gen_ai`: JSON in the format of Gemini. */
export const GOOGLE_ADK: Vocabulary = {
  name: 'google_adk',
  rules: [
    { key: 'gcp.vertex.agent.tool_call_args', field: 'input', json: true, pick: sentOnly },
    { key: 'gcp.vertex.agent.tool_response', field: 'output', json: true, pick: sentOnly },
    { key: 'gcp.vertex.agent.llm_request', field: 'input', json: true, pick: filled },
    { key: 'gcp.vertex.agent.llm_response', field: 'output', json: true, pick: filled },
    { key: 'gcp.vertex.agent.llm_request', field: 'inputMessages', pick: filled },
    { key: 'gcp.vertex.agent.llm_response', field: 'outputMessages', pick: filled },
    { key: 'gcp.vertex.agent.session_id', field: 'sessionId' },
    { key: 'gen_ai.usage.experimental.reasoning_tokens', field: 'reasoningTokens' },
  ],
};

/** Returns a value that was sent: several calls at once have none. */
function sentOnly(value: JsonValue): JsonValue | undefined {
  return value === 'N/A' ? undefined : value;
}

/** Returns a value that says something: spans of tools, and apps that send no content, have an empty object. */
function filled(value: JsonValue): JsonValue | undefined {
  return isObject(value) && Object.keys(value).length === 0 ? undefined : value;
}
