/** Faults that were reported once, in other fields, vocabularies and spellings than those of the report. */
import { describe, expect, it } from 'vitest';
import { loadSubject } from '../../../src/evaluate/load-subject.ts';
import type { Field } from '../../../src/traces/conventions/rule.ts';
import { createPriceList } from '../../../src/traces/prices/price-list.ts';
import type { JsonValue } from '../../../src/traces/span-wire.ts';
import { described, type Sent } from '../../support/described.ts';
import { type SpanSpec, traceBytes, type Values } from '../../support/spans.ts';
import { useStore } from '../../support/storage.ts';

type Expected = Partial<Record<Field, JsonValue | undefined>>;

/** Returns the values of these fields. */
function values(fields: readonly string[], attributes: Values, sent?: Sent): Record<string, unknown> {
  const { fields: found } = described(attributes, sent);
  return Object.fromEntries(fields.map((field) => [field, found[field as Field]?.value]));
}

const CHAT = JSON.stringify([{ role: 'user', content: 'Hi' }]);

describe('an empty text is no value', () => {
  it.each<[what: string, attributes: Values, expected: Expected]>([
    ['a model', { 'llm.model_name': '', 'gen_ai.request.model': 'gpt-4o' }, { model: 'gpt-4o' }],
    ['a provider', { 'gen_ai.provider.name': '', 'gen_ai.system': 'openai' }, { provider: 'openai' }],
    ['a user', { 'langfuse.user.id': '', 'enduser.id': 'u-1' }, { userId: 'u-1' }],
    ['an agent', { 'gen_ai.agent.name': '', 'lk.agent_name': 'desk' }, { agentName: 'desk' }],
    [
      'a tool and its arguments',
      {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': '',
        'tool.name': 'search',
        'gen_ai.tool.call.arguments': '',
        'input.value': '{"q":"x"}',
      },
      { toolName: 'search', input: { q: 'x' } },
    ],
    [
      'tokens',
      { 'gen_ai.usage.input_tokens': '', 'llm.token_count.prompt': 7, 'gen_ai.usage.output_tokens': '' },
      { inputTokens: 7, outputTokens: undefined },
    ],
    ['tags', { 'langfuse.trace.tags': '', 'tag.tags': ['a'] }, { tags: ['a'] }],
    [
      'an environment',
      { 'langfuse.environment': '', 'deployment.environment': 'prod' },
      { environment: 'prod' },
    ],
    ['input', { 'input.value': '', 'traceloop.entity.input': '"Hi"' }, { input: 'Hi' }],
    [
      'messages',
      {
        'gen_ai.input.messages': '',
        'llm.input_messages.0.message.content': 'Hi',
        'llm.input_messages.0.message.role': 'user',
      },
      { input: 'Hi' },
    ],
    ['a cost', { 'gen_ai.usage.cost': '', 'llm.cost.total': 0.5 }, { cost: 0.5 }],
    ['a session', { 'langwatch.thread.id': '', 'genkit:sessionId': 's-1' }, { sessionId: 's-1' }],
  ])('%s', (_what, attributes, expected) => {
    expect(values(Object.keys(expected), attributes)).toEqual(expected);
  });
});

describe('coding agents', () => {
  it.each<[what: string, attributes: Values, expected: Expected, sent?: Sent]>([
    [
      'a request that was cached completely',
      {
        'span.type': 'llm_request',
        model: 'claude-sonnet-4-5',
        input_tokens: '3',
        output_tokens: '12',
        cache_read_tokens: '18000',
        cache_creation_tokens: '0',
      },
      {
        kind: 'LLM',
        model: 'claude-sonnet-4-5',
        inputTokens: 18_003,
        outputTokens: 12,
        cacheReadTokens: 18_000,
      },
    ],
    [
      'a request with fewer cached tokens than others',
      {
        'span.type': 'llm_request',
        model: 'claude-sonnet-4-5',
        input_tokens: 2_000,
        output_tokens: 100,
        cache_read_tokens: 1_500,
        cache_creation_tokens: 100,
      },
      { inputTokens: 3_600, outputTokens: 100, cost: 0.008325 },
    ],
    [
      'a tool that failed',
      { 'span.type': 'tool', tool_name: 'Bash', tool_use_id: 'toolu_2', success: false },
      { kind: 'TOOL', toolName: 'Bash', toolCallId: 'toolu_2', output: 'exit code 1' },
      { events: [{ name: 'tool.output', attributes: { content: 'exit code 1' } }] },
    ],
    [
      'an interaction with a redacted prompt',
      {
        'span.type': 'interaction',
        user_prompt: '<REDACTED>',
        'session.id': 's-9',
        'user.account_uuid': 'u-9',
      },
      { kind: 'AGENT', sessionId: 's-9', userId: 'u-9' },
    ],
    [
      'attributes of the same names on a span of something else',
      { name: 'sync', tool_name: 'hammer', model: 'tractor' },
      { kind: undefined, toolName: undefined, model: undefined },
    ],
  ])('%s', (_what, attributes, expected, sent) => {
    expect(values(Object.keys(expected), attributes, sent)).toEqual(expected);
  });
});

describe('values that are all texts', () => {
  it.each<[what: string, attributes: Values, expected: Expected]>([
    [
      'parameters and counts of Spring AI',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.request.top_p': '0.5',
        'gen_ai.request.frequency_penalty': '0',
        'gen_ai.request.stop_sequences': '["END"]',
        'gen_ai.usage.input_tokens': '1000',
        'gen_ai.usage.output_tokens': '0',
      },
      {
        parameters: { topP: 0.5, frequencyPenalty: 0, stop: ['END'] },
        inputTokens: 1000,
        outputTokens: 0,
        cost: 0.0025,
      },
    ],
    [
      'an embedding',
      {
        'gen_ai.operation.name': 'embedding',
        'gen_ai.request.model': 'text-embedding-3-small',
        'gen_ai.usage.input_tokens': '4',
      },
      { kind: 'EMBEDDING', inputTokens: 4 },
    ],
    [
      'counts of OpenInference',
      { 'openinference.span.kind': 'LLM', 'llm.token_count.prompt': '12', 'llm.cost.total': '0.25' },
      { inputTokens: 12, cost: 0.25 },
    ],
    ['a number with spaces', { 'gen_ai.usage.input_tokens': ' 12 ' }, { inputTokens: 12 }],
    ['a number that is none', { 'gen_ai.usage.input_tokens': 'many' }, { inputTokens: undefined }],
  ])('%s', (_what, attributes, expected) => {
    expect(values(Object.keys(expected), attributes)).toEqual(expected);
  });
});

describe('names of OpenTelemetry since 1.41', () => {
  it.each<[what: string, attributes: Values, expected: Expected]>([
    [
      'a memory that is written',
      {
        'gen_ai.operation.name': 'update_memory',
        'gen_ai.memory.records': '[{"id":"m","content":"likes tea"}]',
      },
      { documents: [{ id: 'm', content: 'likes tea' }] },
    ],
    [
      'a search whose documents are a list of JSON texts',
      {
        'gen_ai.operation.name': 'retrieval',
        'gen_ai.retrieval.query.text': 'tea',
        'gen_ai.retrieval.documents': ['{"id":"d","content":"Tea is hot."}'],
      },
      { kind: 'RETRIEVER', input: 'tea', documents: [{ id: 'd', content: 'Tea is hot.' }] },
    ],
    [
      'audio without text',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-realtime',
        'gen_ai.usage.input_tokens': 200,
        'gen_ai.usage.audio.input_tokens': 200,
        'gen_ai.usage.output_tokens': 0,
      },
      { inputTokens: 200, audioInputTokens: 200 },
    ],
    [
      'an evaluation that gives a label alone',
      {
        'gen_ai.operation.name': 'evaluation',
        'gen_ai.evaluation.name': 'tone',
        'gen_ai.evaluation.score.label': 'rude',
      },
      { kind: 'EVALUATOR', evaluations: [{ name: 'tone', label: 'rude' }] },
    ],
    [
      'instructions as objects',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.system_instructions': [
          { type: 'text', content: 'Be' },
          { type: 'text', content: 'brief.' },
        ],
      },
      { systemInstructions: 'Be\nbrief.' },
    ],
  ])('%s', (_what, attributes, expected) => {
    expect(values(Object.keys(expected), attributes)).toEqual(expected);
  });
});

describe('spellings of models', () => {
  const prices = createPriceList();
  it.each<[model: string, provider: string | null, priceOf: string | null]>([
    ['OPENAI/GPT-4O:ONLINE', null, 'gpt-4o'],
    ['openrouter/openai/gpt-4o:extended', null, 'gpt-4o'],
    ['claude-sonnet-4-5-thinking', null, 'claude-sonnet-4-5'],
    ['anthropic/claude-4.5-haiku', null, 'claude-haiku-4-5'],
    ['us.anthropic.claude-opus-4-5-20251101-v1:0', null, 'claude-opus-4-5'],
    ['gpt-5-mini-low', null, 'gpt-5-mini'],
    ['arn:aws:bedrock:eu-central-1:1:application-inference-profile/claude-sonnet', 'aws.bedrock', null],
    ['gpt-4o-turbo-nano', null, null],
    ['my-gpt-4o', null, null],
    ['gpt-99', null, null],
  ])('%s of %s has the price of %s', (model, provider, priceOf) => {
    expect(prices.find(model, provider)?.name ?? null).toBe(priceOf);
  });
});

describe('vocabularies of others', () => {
  it.each<[what: string, attributes: Values, expected: Expected]>([
    [
      'Genkit: a tool of a flow',
      {
        'genkit:type': 'action',
        'genkit:metadata:subtype': 'tool',
        'genkit:name': 'search',
        'genkit:input': '{"q":"x"}',
        'genkit:output': '"found"',
      },
      { kind: 'TOOL', toolName: 'search', input: { q: 'x' }, output: 'found' },
    ],
    [
      'Genkit: a flow',
      {
        'genkit:type': 'flow',
        'genkit:name': 'menu',
        'genkit:input': '"soup"',
        'genkit:output': '{"dish":"ramen"}',
      },
      { kind: 'CHAIN', input: 'soup', output: { dish: 'ramen' } },
    ],
    [
      'the gateway of Cloudflare',
      {
        'gen_ai.request.model': 'gpt-4o-mini',
        'gen_ai.model.provider': 'openai',
        'gen_ai.prompt_json': CHAT,
        'gen_ai.completion_json': '{"choices":[{"message":{"role":"assistant","content":"Hello"}}]}',
        'gen_ai.usage.cost': 0.5,
      },
      { kind: 'LLM', provider: 'openai', input: 'Hi', output: 'Hello', cost: 0.5 },
    ],
    [
      'Genkit: usage that only the raw response has',
      {
        'genkit:metadata:subtype': 'model',
        'genkit:output':
          '{"usage":{"inputTokens":9},"raw":{"usage":{"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":2}}}}',
      },
      { inputTokens: 9, cacheReadTokens: 4, reasoningTokens: 2 },
    ],
    [
      'Strands: reasoning in the form of Bedrock',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.output.messages':
          '[{"role":"assistant","parts":[{"type":"reasoningContent","content":{"reasoningText":{"text":"Hm."}}},{"type":"text","content":"Hello"}]}]',
      },
      {
        output: 'Hello',
        outputMessages: [
          {
            role: 'assistant',
            parts: [
              { type: 'reasoning', text: 'Hm.' },
              { type: 'text', text: 'Hello' },
            ],
          },
        ],
      },
    ],
    [
      'LiveKit: calls of tools beside a text',
      {
        'gen_ai.operation.name': 'chat',
        'lk.pii.response.text': 'One moment.',
        'lk.pii.response.function_calls': '[{"call_id":"c","name":"f","arguments":"{\\"a\\":1}"}]',
      },
      {
        outputMessages: [
          {
            role: 'assistant',
            parts: [
              { type: 'text', text: 'One moment.' },
              { type: 'tool_call', id: 'c', name: 'f', arguments: { a: 1 } },
            ],
          },
        ],
      },
    ],
    [
      'LangWatch: a thread and a user among the metadata',
      { 'langwatch.metadata': '{"thread_id":"t-1","user_id":"u-1","labels":["a"]}' },
      { sessionId: 't-1', userId: 'u-1', tags: ['a'] },
    ],
    [
      'Mastra: an answer beside files and sources',
      {
        'mastra.span.type': 'model_generation',
        'mastra.model_generation.output':
          '{"text":"Hello","files":[],"sources":[],"toolCalls":[{"toolName":"f"}]}',
      },
      { kind: 'LLM', output: 'Hello' },
    ],
    [
      'Mastra: an object',
      { 'mastra.span.type': 'agent_run', 'mastra.agent_run.output': '{"text":"{}","object":{"a":1}}' },
      { output: { text: '{}', object: { a: 1 } } },
    ],
    [
      'Laminar: a tool with an object',
      { 'lmnr.span.type': 'TOOL', 'lmnr.span.input': '{"a":{"b":1}}', 'lmnr.span.output': '{"c":2}' },
      { kind: 'TOOL', input: { a: { b: 1 } }, output: { c: 2 } },
    ],
    [
      'LangWatch: a search with contexts',
      {
        'langwatch.span.type': 'rag',
        'langwatch.input': '{"type":"text","value":"tea"}',
        'langwatch.contexts': '{"type":"json","value":[{"document_id":"d","content":"Tea is hot."}]}',
      },
      { kind: 'RETRIEVER', input: 'tea', documents: [{ id: 'd', content: 'Tea is hot.' }] },
    ],
    [
      'Braintrust: a tool',
      {
        'braintrust.span_attributes': '{"type":"tool","name":"search"}',
        'braintrust.input_json': '{"q":"x"}',
        'braintrust.output_json': '"found"',
      },
      { kind: 'TOOL', input: { q: 'x' }, output: 'found' },
    ],
    [
      'Sentry: a tool',
      {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'search',
        'gen_ai.tool.input': '{"q":"x"}',
        'gen_ai.tool.output': 'found',
      },
      { kind: 'TOOL', toolName: 'search', input: { q: 'x' }, output: 'found' },
    ],
    [
      'LiveKit: a model',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-4o',
        'lk.chat_ctx': '{"items":[{"type":"message","role":"user","content":["Hi"]}]}',
        'lk.response.text': 'Hello',
        'lk.room_sid': 'RM_1',
      },
      { kind: 'LLM', input: 'Hi', output: 'Hello', sessionId: 'RM_1' },
    ],
    [
      'Gemini CLI: a model that calls a tool',
      {
        'gen_ai.operation.name': 'llm_call',
        'gen_ai.request.model': 'gemini-2.5-pro',
        'gen_ai.output.messages': '[{"role":"model","parts":[{"functionCall":{"name":"f","args":{"a":1}}}]}]',
      },
      {
        kind: 'LLM',
        outputMessages: [{ role: 'model', parts: [{ type: 'tool_call', name: 'f', arguments: { a: 1 } }] }],
      },
    ],
    [
      'Mastra: a memory of a thread',
      {
        'mastra.span.type': 'model_generation',
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-4o',
        'mastra.metadata.threadId': 't-1',
        'mastra.metadata.resourceId': 'u-1',
        'mastra.model_generation.input': CHAT,
      },
      { kind: 'LLM', input: 'Hi', sessionId: 't-1', userId: 'u-1' },
    ],
  ])('%s', (_what, attributes, expected) => {
    expect(values(Object.keys(expected), attributes)).toEqual(expected);
  });
});

describe('tokens and costs', () => {
  it.each<[what: string, attributes: Values, expected: Expected]>([
    [
      'a priority tier doubles nothing that has no such price',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-4',
        'gen_ai.usage.input_tokens': 10,
        'gen_ai.usage.output_tokens': 1,
        'openai.response.service_tier': 'priority',
      },
      { cost: undefined },
    ],
    [
      'the default tier is no other tier',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.usage.input_tokens': 1000,
        'gen_ai.usage.output_tokens': 0,
        'openai.response.service_tier': 'default',
      },
      { cost: 0.0025 },
    ],
    [
      'exclusive cache tokens of the AI SDK, as the total shows',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'claude-sonnet-4-5',
        'gen_ai.usage.input_tokens': 100,
        'gen_ai.usage.output_tokens': 10,
        'gen_ai.usage.cache_read.input_tokens': 900,
        'gen_ai.usage.total_tokens': 1010,
      },
      { inputTokens: 1000 },
    ],
    [
      'inclusive cache tokens, as the total shows',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'claude-sonnet-4-5',
        'gen_ai.usage.input_tokens': 1000,
        'gen_ai.usage.output_tokens': 10,
        'gen_ai.usage.cache_read.input_tokens': 900,
        'gen_ai.usage.total_tokens': 1010,
      },
      { inputTokens: 1000 },
    ],
    [
      'a total alone, as text',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.usage.total_tokens': '50',
      },
      { cost: undefined, inputTokens: undefined },
    ],
    [
      'exactly 200 000 tokens are no long context',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gemini-2.5-pro',
        'gen_ai.usage.input_tokens': 200_000,
        'gen_ai.usage.output_tokens': 1000,
      },
      { cost: 0.26 },
    ],
  ])('%s', (_what, attributes, expected) => {
    expect(values(Object.keys(expected), attributes)).toEqual(expected);
  });
});

describe('messages in events of one attribute', () => {
  const events = (...list: object[]): string => JSON.stringify(list);
  it.each<[what: string, attributes: Values, expected: Expected]>([
    [
      'the result of a tool comes last',
      {
        'gen_ai.operation.name': 'chat',
        events: events(
          { 'event.name': 'gen_ai.user.message', content: 'Weather?', role: 'user' },
          { 'event.name': 'gen_ai.tool.message', content: '18 degrees', id: 'c1', role: 'tool' },
          { 'event.name': 'gen_ai.choice', index: 0, message: { role: 'assistant', content: 'Sunny.' } },
        ),
      },
      { input: 'Weather?', output: 'Sunny.' },
    ],
    [
      'without roles',
      {
        'gen_ai.operation.name': 'chat',
        events: events(
          { 'event.name': 'gen_ai.user.message', content: 'Hi' },
          { 'event.name': 'gen_ai.choice', message: { content: 'Hello' } },
        ),
      },
      { input: 'Hi', output: 'Hello' },
    ],
    [
      'of something else',
      { events: '[{"at":"noon"}]', 'logfire.msg': 'GET /' },
      { kind: undefined, input: undefined, displayName: 'GET /' },
    ],
    ['a template without a message', { 'logfire.msg_template': 'Handle {q}' }, { displayName: undefined }],
  ])('%s', (_what, attributes, expected) => {
    expect(values(Object.keys(expected), attributes)).toEqual(expected);
  });
});

const { database, newTenant } = useStore();

describe('one call of a tool', () => {
  const tool = (
    id: number,
    parent: number | undefined,
    attributes: Values,
    more: Partial<SpanSpec> = {},
  ): SpanSpec => ({
    id,
    ...(parent !== undefined && { parent }),
    name: `tool ${id}`,
    attributes: { 'gen_ai.tool.name': 'search', ...attributes },
    ...more,
  });
  const executed = { 'gen_ai.operation.name': 'execute_tool' };
  const mcp = { 'mcp.method.name': 'tools/call' };
  it.each<[what: string, spans: SpanSpec[], calls: number]>([
    ['by the framework and the client of MCP', [tool(2, 1, executed), tool(3, 2, mcp)], 1],
    ['by the client and the server of MCP alone', [tool(2, 1, mcp), tool(3, 2, mcp)], 1],
    [
      'by OpenInference and the client of MCP',
      [tool(2, 1, { 'openinference.span.kind': 'TOOL', 'tool.name': 'search' }), tool(3, 2, mcp)],
      1,
    ],
    ['two calls beside each other', [tool(2, 1, executed), tool(3, 1, executed)], 2],
    [
      'a tool that calls another',
      [tool(2, 1, executed), tool(3, 2, { ...executed, 'gen_ai.tool.name': 'fetch' })],
      2,
    ],
  ])('%s', (_what, spans, calls) => {
    const tenant = newTenant();
    tenant.store([
      { id: 1, name: 'agent', attributes: { 'gen_ai.operation.name': 'invoke_agent' } },
      ...spans,
    ]);
    expect(tenant.spans(1)?.data).toHaveLength(spans.length + 1);
    const subject = loadSubject(database(), {
      application: tenant.application,
      target: { traceId: traceBytes(1) },
    });
    expect(subject.toolCalls).toHaveLength(calls);
  });
});

describe('a trace whose spans have no root', () => {
  const named = (id: number, parent: number): SpanSpec => ({ id, parent, name: `span ${id}` });
  it.each<[what: string, spans: SpanSpec[]]>([
    ['its own parent', [named(1, 1)]],
    ['two that are parents of each other', [named(1, 2), named(2, 1)]],
    ['a cycle of three with a child', [named(1, 3), named(2, 1), named(3, 2), named(4, 2)]],
    ['a parent that never arrived', [named(1, 9)]],
  ])('has a name: %s', (_what, spans) => {
    const tenant = newTenant();
    tenant.store(spans);
    expect(tenant.read(1)).toMatchObject({ rootName: expect.stringMatching(/^span \d$/) as string });
    expect(tenant.spans(1)?.data.filter(({ placeholder }) => placeholder !== true)).toHaveLength(
      spans.length,
    );
  });
});
