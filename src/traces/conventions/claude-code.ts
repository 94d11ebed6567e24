import { CODING_AGENT_RULES } from './coding-agent-events.ts';
import { asList } from './picks.ts';
import type { JsonValue } from '../span-wire.ts';
import type { Vocabulary } from './rule.ts';

/**
 * Vocabulary of Claude Code and of agents that run it, such as those of the Claude Agent SDK, with the log records in which
 * it and other coding agents report prompts and results.
 */
export const CLAUDE_CODE: Vocabulary = {
  name: 'claude_code',
  rules: [
    {
      key: 'span.type',
      field: 'kind',
      isCommonWord: true,
      kinds: {
        interaction: 'AGENT',
        llm_request: 'LLM',
        tool: 'TOOL',
        'subagent.spawn': 'AGENT',
        // VoltAgent writes its kinds into an attribute of the same name.
        agent: 'AGENT',
        llm: 'LLM',
        retriever: 'RETRIEVER',
        workflow: 'CHAIN',
      },
    },
    { key: 'user_prompt', field: 'input', isCommonWord: true },
    { key: 'response.model_output', field: 'output' },
    { key: 'event tool.output', field: 'output' },
    ...CODING_AGENT_RULES,
    { key: 'model', field: 'model', pick: modelName, isCommonWord: true },
    { key: 'input_tokens', field: 'inputTokens', isCommonWord: true },
    { key: 'output_tokens', field: 'outputTokens', isCommonWord: true },
    { key: 'cache_read_tokens', field: 'cacheReadTokens', isCommonWord: true },
    { key: 'cache_creation_tokens', field: 'cacheWriteTokens', isCommonWord: true },
    { key: 'cost_usd', field: 'cost', isCommonWord: true },
    { key: 'ttft_ms', field: 'firstTokenMs', isCommonWord: true },
    { key: 'stop_reason', field: 'finishReasons', pick: asList, isCommonWord: true },
    { key: 'tool_name', field: 'toolName', isCommonWord: true },
    { key: 'tool_use_id', field: 'toolCallId', isCommonWord: true },
    { key: 'tool_input', field: 'input', json: true, isCommonWord: true },
    { key: 'tool_parameters', field: 'input', json: true, isCommonWord: true },
    { key: 'agent_type', field: 'agentName', isCommonWord: true },
    { key: 'user.account_uuid', field: 'userId' },
  ],
};

/** Returns a name that only models of Anthropic have: cars have models too. */
function modelName(name: JsonValue): JsonValue | undefined {
  return typeof name === 'string' && /^(?:[\w-]+\.)*(?:anthropic[./])?claude-/.test(name) ? name : undefined;
}
