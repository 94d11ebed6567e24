/** What frameworks send under names of their own, and values that stand for none, beside those of the other tests. */
import { describe, expect, it } from 'vitest';
import type { Field } from '../../../src/traces/conventions/rule.ts';
import { createPriceList } from '../../../src/traces/prices/price-list.ts';
import type { LogRecordMessage } from '../../../src/traces/log-record.ts';
import type { JsonValue } from '../../../src/traces/span-wire.ts';
import { described, type Sent } from '../../support/described.ts';
import { incomingSpans, type Values } from '../../support/spans.ts';

type Expected = Partial<Record<Field, JsonValue | undefined>>;
type Row = [what: string, attributes: Values, expected: Expected, sent?: Sent];

function values(fields: readonly string[], attributes: Values, sent?: Sent): Record<string, unknown> {
  const { fields: found } = described(attributes, sent);
  return Object.fromEntries(fields.map((field) => [field, found[field as Field]?.value]));
}

const CHAT = JSON.stringify([{ role: 'user', content: 'Hi' }]);
const ANSWER = JSON.stringify([{ role: 'assistant', content: 'Hello' }]);

describe('values that stand for none', () => {
  it.each<Row>([
    [
      'what Micrometer writes',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.response.model': 'none',
        'gen_ai.response.id': 'none',
        'gen_ai.request.temperature': 'none',
        'gen_ai.request.stop_sequences': 'none',
        'gen_ai.request.top_p': '0.5',
      },
      { model: 'gpt-4o', responseId: undefined, parameters: { topP: 0.5 } },
    ],
    [
      'a choice is a value',
      { 'gen_ai.request.reasoning_effort': 'none', 'gen_ai.request.tool_choice': 'none' },
      { parameters: { reasoningEffort: 'none', toolChoice: 'none' } },
    ],
    [
      'empty lists',
      {
        'tag.tags': [],
        'logfire.tags': ['a'],
        'gen_ai.response.finish_reasons': [],
        'llm.finish_reason': 'stop',
      },
      { tags: ['a'], finishReasons: ['stop'] },
    ],
    ['the JSON of one', { 'langfuse.trace.tags': '[]', 'mastra.tags': '["a"]' }, { tags: ['a'] }],
    [
      'an empty result of a tool is one',
      { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.call.result': '[]' },
      { output: [] },
    ],
  ])('%s', (_what, attributes, expected) => {
    expect(values(Object.keys(expected), attributes)).toEqual(expected);
  });
});

it('an environment of a resource that is empty gives way to the next', () => {
  const environmentOf = (resource: Values): string | null | undefined =>
    incomingSpans([{ id: 1, resource }])[0]?.resource.environment;
  expect(environmentOf({ 'deployment.environment.name': '', 'deployment.environment': 'live' })).toBe('live');
  expect(environmentOf({ 'deployment.environment.name': ' ' })).toBeNull();
});

describe('names of frameworks', () => {
  it.each<Row>([
    [
      'a tool of Mastra that has its input under its type',
      { 'mastra.span.type': 'mcp_tool_call', 'mastra.mcp_tool_call.input': '{"q":"x"}' },
      { kind: 'TOOL', input: { q: 'x' } },
    ],
    [
      'a result of Mastra without a role',
      { 'gen_ai.operation.name': 'chat', 'gen_ai.output.messages': '{"text":"Hello","toolCalls":[]}' },
      { output: 'Hello' },
    ],
    [
      'texts that Gemini CLI writes as JSON',
      {
        'gen_ai.operation.name': 'user_prompt',
        'gen_ai.input.messages': '"Hi"',
        'gen_ai.output.messages': '"Hello"',
      },
      { kind: 'AGENT', input: 'Hi', output: 'Hello' },
    ],
    [
      'texts that begin and end with a quote, and are no JSON',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.input.messages': '"Yes" or "no"',
        'gen_ai.output.messages': '"yes", "no"',
      },
      { input: '"Yes" or "no"', output: '"yes", "no"' },
    ],
    [
      'an answer of OpenRouter',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.prompt': `{"messages":${CHAT}}`,
        'gen_ai.completion': '{"completion":"Hello","reasoning":null}',
      },
      { input: 'Hi', output: 'Hello' },
    ],
    [
      'members of Braintrust as attributes of their own',
      {
        'braintrust.span_attributes.type': 'llm',
        'braintrust.metadata.model': 'gpt-4o',
        'braintrust.metadata.user_id': 'u-1',
        'braintrust.metrics.prompt_tokens': 10,
        'braintrust.metrics.completion_tokens': 3,
      },
      { kind: 'LLM', model: 'gpt-4o', userId: 'u-1', inputTokens: 10, outputTokens: 3 },
    ],
    [
      'contexts and lists of LangWatch',
      {
        'langwatch.span.type': 'rag',
        'langwatch.input':
          '{"type":"list","value":[{"type":"text","value":"a"},{"type":"json","value":{"b":1}}]}',
        'langwatch.rag.contexts': '{"type":"json","value":[{"document_id":"1","content":"Tea is hot."}]}',
      },
      { input: ['a', { b: 1 }], documents: [{ id: '1', content: 'Tea is hot.' }] },
    ],
    [
      'documents of Genkit',
      {
        'genkit:metadata:subtype': 'retriever',
        'genkit:output': '{"documents":[{"content":[{"text":"Tea is hot."}],"metadata":{"page":1}}]}',
      },
      { kind: 'RETRIEVER', documents: [{ content: 'Tea is hot.', metadata: { page: 1 } }] },
    ],
    [
      'an agent of an early Pydantic AI',
      {
        agent_name: 'desk',
        all_messages_events:
          '[{"event.name":"gen_ai.user.message","content":"Hi","role":"user"},{"event.name":"gen_ai.assistant.message","content":"Hello","role":"assistant"}]',
      },
      { kind: 'AGENT', agentName: 'desk', input: 'Hi', output: 'Hello' },
    ],
    [
      'cached tokens in a response of Anthropic by Logfire',
      {
        request_data: `{"model":"claude-sonnet-4-5","messages":${CHAT}}`,
        response_data:
          '{"message":{"role":"assistant","content":"Hello"},"usage":{"input_tokens":200,"output_tokens":6,"cache_read_input_tokens":100}}',
      },
      { inputTokens: 300, cacheReadTokens: 100 },
    ],
    ['an operation of Sentry', { 'sentry.op': 'gen_ai.invoke_agent' }, { kind: 'AGENT' }],
    [
      'older names of Sentry',
      {
        'sentry.op': 'ai.chat_completions.create.openai',
        'ai.input_messages': CHAT,
        'ai.responses': '["Hello"]',
        'ai.model_id': 'gpt-4o',
        'ai.prompt_tokens.used': 10,
        'ai.completion_tokens.used': 3,
      },
      { kind: 'LLM', input: 'Hi', output: 'Hello', model: 'gpt-4o', inputTokens: 10, outputTokens: 3 },
    ],
    ['another operation', { 'sentry.op': 'db.query' }, { kind: undefined }],
    [
      'AgentOps',
      {
        'agentops.span.kind': 'tool',
        'agentops.entity.input': '{"args":[],"kwargs":{"q":"x"}}',
        'agentops.entity.output': '"found"',
      },
      { kind: 'TOOL', input: { q: 'x' }, output: 'found' },
    ],
    [
      'AgentOps, tools',
      {
        'agentops.span.kind': 'tool',
        'agentops.tool.input': '{"args":[],"kwargs":{"q":"x"}}',
        'agentops.tool.output': 'found',
      },
      { kind: 'TOOL', input: { q: 'x' }, output: 'found' },
    ],
    [
      'Haystack, a step of an agent',
      {
        'haystack.agent.step.llm.input':
          '{"messages":[{"role":"user","content":[{"text":"Hi"}]}],"tools":[]}',
        'haystack.agent.step.llm.output':
          '{"replies":[{"role":"assistant","meta":{"model":"gpt-4o","usage":{"prompt_tokens":5}},"content":[{"text":"Hello"}]}]}',
      },
      { kind: 'LLM', input: 'Hi', output: 'Hello', model: 'gpt-4o', inputTokens: 5 },
    ],
    [
      'Haystack',
      {
        'haystack.component.type': 'OpenAIChatGenerator',
        'haystack.component.input': '{"a":1}',
        'haystack.component.output': '{"replies":["Hello"]}',
      },
      { kind: 'LLM', input: { a: 1 }, output: { replies: ['Hello'] } },
    ],
    [
      'VoltAgent',
      {
        'span.type': 'llm',
        'llm.model': 'gpt-4o',
        'llm.messages': CHAT,
        output: 'Hello',
        'usage.prompt_tokens': 10,
        'usage.completion_tokens': 3,
        'conversation.id': 'c-1',
      },
      { kind: 'LLM', input: 'Hi', output: 'Hello', model: 'gpt-4o', inputTokens: 10, sessionId: 'c-1' },
    ],
    [
      'Langtrace',
      { 'gen_ai.operation.name': 'chat', 'llm.prompts': CHAT, 'llm.responses': ANSWER },
      { input: 'Hi', output: 'Hello' },
    ],
    [
      'kinds, session and user in names like those of GenAI',
      {
        'gen_ai.span.kind': 'LLM',
        'gen_ai.model_name': 'gpt-4o',
        'gen_ai.session.id': 's-1',
        'gen_ai.user.id': 'u-1',
      },
      { kind: 'LLM', model: 'gpt-4o', sessionId: 's-1', userId: 'u-1' },
    ],
    [
      'details of a call in a log record or event',
      {},
      { kind: 'LLM', model: 'gpt-4o', input: 'Hi', inputTokens: 7, outputTokens: 2 },
      {
        events: [
          {
            name: 'gen_ai.client.inference.operation.details',
            attributes: {
              'gen_ai.operation.name': 'chat',
              'gen_ai.request.model': 'gpt-4o',
              'gen_ai.input.messages': CHAT,
              'gen_ai.usage.input_tokens': 7,
              'gen_ai.usage.output_tokens': 2,
            },
          },
        ],
      },
    ],
  ])('%s', (_what, attributes, expected, sent) => {
    expect(values(Object.keys(expected), attributes, sent)).toEqual(expected);
  });
});

describe('counts, costs and owners in other spellings', () => {
  it.each<[key: string, field: Field]>([
    ['gen_ai.usage.cached_tokens', 'cacheReadTokens'],
    ['gen_ai.usage.prompt_tokens_details.cached_tokens', 'cacheReadTokens'],
    ['gen_ai.usage.details.cache_read_input_tokens', 'cacheReadTokens'],
    ['gen_ai.usage.cache_creation_tokens', 'cacheWriteTokens'],
    ['gen_ai.usage.details.cache_creation_input_tokens', 'cacheWriteTokens'],
    ['gen_ai.usage.completion_tokens_details.reasoning_tokens', 'reasoningTokens'],
    ['gen_ai.usage.cost.total', 'cost'],
  ])('%s', (key, field) => {
    const tokens = { 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 10 };
    expect(values([field], { ...tokens, [key]: 4 })).toEqual({ [field]: 4 });
  });

  it.each<[key: string, field: Field]>([
    ['traceloop.association.properties.thread_id', 'sessionId'],
    ['traceloop.association.properties.userId', 'userId'],
    ['ai.telemetry.metadata.chatId', 'sessionId'],
    ['ai.telemetry.metadata.user_id', 'userId'],
  ])('%s, which stays among the metadata', (key, field) => {
    const name = key.split('.').at(-1) as string;
    expect(values([field, 'metadata'], { [key]: 'x-1' })).toEqual({
      [field]: 'x-1',
      metadata: { [name]: 'x-1' },
    });
  });
});

describe('a call of a tool has the same arguments', () => {
  const args = { city: 'Paris' };
  const call = { name: 'w', args, id: 'c1', type: 'tool_call' };
  it.each<[what: string, input: JsonValue]>([
    ['as such', args],
    ['as the call', call],
    ['as a list of it', [call]],
    ['in a holder of Bedrock', [{ toolUse: { toolUseId: 'c1', name: 'w', input: args } }]],
    ['in one of OpenAI', { type: 'function', function: { name: 'w', arguments: JSON.stringify(args) } }],
    ['in one of its own', [{ tool_call: { name: 'w', arguments: args } }]],
    ['beside the name', { tool_name: 'w', arguments: args }],
  ])('%s', (_what, input) => {
    const text = JSON.stringify(input);
    for (const attributes of [
      { 'openinference.span.kind': 'TOOL', 'input.value': text },
      { 'langfuse.observation.type': 'tool', 'langfuse.observation.input': text },
      { 'traceloop.span.kind': 'tool', 'traceloop.entity.input': text },
      { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.call.arguments': text },
    ])
      expect(values(['input'], attributes)).toEqual({ input: args });
    const events = [{ name: 'gen_ai.tool.message', attributes: { content: text } }];
    const kind = { 'gen_ai.operation.name': 'execute_tool' };
    expect(values(['input'], kind, { events })).toEqual({ input: args });
  });

  it.each<[what: string, input: JsonValue]>([
    ['a name and a type', { name: 'w', type: 'city', input: 'x' }],
    ['several calls', [call, call]],
    ['a holder with more', { function: { name: 'w', arguments: {} }, more: 1 }],
  ])('and %s are arguments', (_what, input) => {
    const attributes = { 'openinference.span.kind': 'TOOL', 'input.value': JSON.stringify(input) };
    expect(values(['input'], attributes)).toEqual({ input });
  });

  it('and its result is that of the message after the call', () => {
    const events = [
      {
        name: 'gen_ai.assistant.message',
        attributes: { tool_calls: JSON.stringify([{ id: 'c1', function: { name: 'w', arguments: args } }]) },
      },
      { name: 'gen_ai.tool.message', attributes: { content: '21', id: 'c1' } },
    ];
    const kind = { 'gen_ai.operation.name': 'execute_tool' };
    expect(values(['input', 'output'], kind, { events })).toEqual({ input: args, output: '21' });
  });

  it('as names of the Model Context Protocol and others have it', () => {
    const mcp = { 'mcp.method.name': 'tools/call', 'mcp.tool.name': 'w', 'mcp.tool.result.content': '"21"' };
    expect(values(['kind', 'toolName', 'output'], mcp)).toEqual({
      kind: 'TOOL',
      toolName: 'w',
      output: '21',
    });
    expect(values(['kind'], { 'mcp.method.name': 'tools/list' })).toEqual({ kind: undefined });
  });
});

describe('log records of a coding agent', () => {
  const log = (eventName: string, attributes: Record<string, JsonValue>): LogRecordMessage => ({
    traceId: Buffer.alloc(16),
    spanId: Buffer.alloc(8),
    time: 0n,
    eventName,
    severity: '',
    body: null,
    attributes,
  });
  const text = (role: string, said: string) => ({ role, parts: [{ type: 'text', text: said }] });

  it.each([
    [
      'claude_code.user_prompt',
      'tool_result',
      { tool_name: 'Bash', tool_use_id: 'c1', tool_input: '{"command":"ls"}', output: 'README' },
      'claude_code.assistant_response',
      { response: 'Done' },
    ],
    [
      'qwen-code.user_prompt',
      'qwen-code.tool_call',
      { function_name: 'Bash', call_id: 'c1', function_args: '{"command":"ls"}', output: 'README' },
      'qwen-code.api_response',
      { response_text: 'Done' },
    ],
  ])('%s: prompt, calls, results and answer become messages', (prompt, call, called, answer, answered) => {
    const logs = [log(prompt, { prompt: 'Look' }), log(call, called), log(answer, answered)];
    expect(
      values(['kind', 'input', 'output', 'outputMessages'], { 'span.type': 'interaction' }, { logs }),
    ).toEqual({
      kind: 'AGENT',
      input: 'Look',
      output: 'Done',
      outputMessages: [
        {
          role: 'assistant',
          parts: [{ type: 'tool_call', id: 'c1', name: 'Bash', arguments: { command: 'ls' } }],
        },
        { role: 'tool', parts: [{ type: 'tool_result', id: 'c1', name: 'Bash', result: 'README' }] },
        text('assistant', 'Done'),
      ],
    });
  });

  it('the span of one call has its arguments and its result', () => {
    const logs = [log('codex.tool_result', { tool_name: 'shell', arguments: '{"a":1}', output: 'README' })];
    expect(values(['kind', 'input', 'output', 'outputMessages'], {}, { logs })).toEqual({
      kind: 'TOOL',
      input: { a: 1 },
      output: 'README',
      outputMessages: undefined,
    });
  });
});

describe('prices', () => {
  const prices = createPriceList();

  it('of long requests to GPT-5.4 and 5.5', () => {
    for (const model of ['gpt-5.4', 'gpt-5.5', 'gpt-5.4-pro', 'gpt-5.5-pro'])
      expect(prices.find(model)?.price.long, model).toMatchObject({ above: 272_000 });
  });
});
