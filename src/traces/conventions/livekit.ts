import { milliseconds } from './picks.ts';
import type { Vocabulary } from './rule.ts';

/** Vocabulary that LiveKit Agents adds to that of GenAI. Content has keys with `pii` in newer versions, without it in older ones. */
export const LIVEKIT: Vocabulary = {
  name: 'livekit',
  rules: [
    { key: 'lk.function_tool.name', field: 'kind', kinds: 'TOOL' },
    { key: 'lk.pii.user_input', field: 'input' },
    { key: 'lk.user_input', field: 'input' },
    { key: 'lk.pii.user_transcript', field: 'input' },
    { key: 'lk.user_transcript', field: 'input' },
    { key: 'lk.pii.input_text', field: 'input' },
    { key: 'lk.input_text', field: 'input' },
    { key: 'lk.pii.response.text', field: 'output' },
    { key: 'lk.response.text', field: 'output' },
    { key: 'lk.pii.response.function_calls', field: 'outputMessages' },
    { key: 'lk.response.function_calls', field: 'outputMessages' },
    { key: 'lk.pii.chat_ctx', field: 'inputMessages' },
    { key: 'lk.chat_ctx', field: 'inputMessages' },
    { key: 'lk.pii.instructions', field: 'systemInstructions' },
    { key: 'lk.instructions', field: 'systemInstructions' },
    { key: 'lk.pii.function_tool.arguments', field: 'input', json: true },
    { key: 'lk.function_tool.arguments', field: 'input', json: true },
    { key: 'lk.pii.function_tool.output', field: 'output', json: true },
    { key: 'lk.function_tool.output', field: 'output', json: true },
    { key: 'lk.function_tool.name', field: 'toolName' },
    { key: 'lk.function_tool.id', field: 'toolCallId' },
    { key: 'lk.response.ttft', field: 'firstTokenMs', pick: milliseconds },
    { key: 'lk.agent_name', field: 'agentName' },
    { key: 'lk.agent_label', field: 'agentName' },
    { key: 'lk.room_sid', field: 'sessionId' },
  ],
};
