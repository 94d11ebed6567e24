import { isObject } from '../../contract/is-object.ts';
import type { JsonValue } from '../span-wire.ts';
import type { Rule, Vocabulary } from './rule.ts';

/** Types of spans whose input and output have keys of their own; tools and model calls use those of GenAI. */
const TYPES_WITH_CONTENT = [
  'agent_run',
  'workflow_run',
  'workflow_step',
  'workflow_conditional',
  'workflow_conditional_eval',
  'workflow_parallel',
  'workflow_loop',
  'workflow_sleep',
  'workflow_wait_event',
  'model_generation',
  'model_inference',
  'model_step',
  'model_chunk',
  'processor_run',
  'scorer_run',
  'scorer_step',
  'memory_operation',
  'workspace_action',
  'rag_ingestion',
  'rag_embedding',
  'rag_vector_operation',
  'rag_action',
  'graph_action',
  'tool_call',
  'mcp_tool_call',
  'client_tool_call',
  'provider_tool_call',
  'mcp_server_request',
  'generic',
] as const;

/** Vocabulary that Mastra's exporters add to that of GenAI. */
export const MASTRA: Vocabulary = {
  name: 'mastra',
  rules: [
    {
      key: 'mastra.span.type',
      field: 'kind',
      kinds: {
        agent_run: 'AGENT',
        workflow_run: 'CHAIN',
        workflow_step: 'CHAIN',
        workflow_conditional: 'CHAIN',
        workflow_conditional_eval: 'CHAIN',
        workflow_parallel: 'CHAIN',
        workflow_loop: 'CHAIN',
        workflow_sleep: 'CHAIN',
        workflow_wait_event: 'CHAIN',
        model_generation: 'LLM',
        model_inference: 'LLM',
        model_step: 'CHAIN',
        tool_call: 'TOOL',
        mcp_tool_call: 'TOOL',
        client_tool_call: 'TOOL',
        provider_tool_call: 'TOOL',
        processor_run: 'GUARDRAIL',
        scorer_run: 'EVALUATOR',
        scorer_step: 'EVALUATOR',
        rag_embedding: 'EMBEDDING',
        rag_vector_operation: 'RETRIEVER',
      },
    },
    ...TYPES_WITH_CONTENT.flatMap((type): Rule[] => [
      { key: `mastra.${type}.input`, field: 'input', json: true },
      { key: `mastra.${type}.output`, field: 'output', json: true, pick: textOf(type) },
    ]),
    { key: 'gen_ai.tool.input', field: 'input', json: true },
    { key: 'gen_ai.tool.output', field: 'output', json: true },
    { key: 'gen_ai.usage.cached_input_tokens', field: 'cacheReadTokens' },
    { key: 'mastra.completion_start_time', field: 'firstTokenMs' },
    { key: 'mastra.metadata.sessionId', field: 'sessionId' },
    { key: 'mastra.metadata.threadId', field: 'sessionId' },
    { key: 'mastra.metadata.userId', field: 'userId' },
    { key: 'mastra.metadata.resourceId', field: 'userId' },
    { key: 'mastra.metadata.*', field: 'metadata' },
    { key: 'mastra.tags', field: 'tags' },
  ],
};

/** Types of spans whose text is their answer, also where they have called tools before it. */
const WITH_ANSWER: ReadonlySet<string> = new Set(['agent_run', 'model_generation']);

/** Returns a function that picks the text of a result, which lists files, sources and steps beside it; other results are taken as they are. */
function textOf(type: string): (output: JsonValue) => JsonValue {
  return (output) => {
    if (!isObject(output)) return output;
    const { text, toolCalls, object } = output;
    if (typeof text !== 'string' || text === '' || (object !== undefined && object !== null)) return output;
    return !WITH_ANSWER.has(type) && Array.isArray(toolCalls) && toolCalls.length > 0 ? output : text;
  };
}

/** Keys of the content of spans, in their order of precedence: a span has one type. */
export const MASTRA_INPUTS = TYPES_WITH_CONTENT.map((type) => `mastra.${type}.input`);
export const MASTRA_OUTPUTS = TYPES_WITH_CONTENT.map((type) => `mastra.${type}.output`);
