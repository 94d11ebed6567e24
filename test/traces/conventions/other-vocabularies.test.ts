/** What becomes of spans of frameworks that have names of their own, beside or instead of those of OpenTelemetry. */
import { describe, expect, it } from 'vitest';
import type { Field } from '../../../src/traces/conventions/rule.ts';
import { decodeLogRecord, type LogRecordMessage } from '../../../src/traces/log-record.ts';
import type { JsonValue } from '../../../src/traces/span-wire.ts';
import { described, type Sent } from '../../support/described.ts';
import { logBytes } from '../../support/otlp-logs.ts';
import type { Values } from '../../support/spans.ts';

type Expected = Partial<Record<Field, JsonValue>>;

const CHAT = [{ role: 'user', content: 'Hi' }];

const text = (role: string, said: string): JsonValue => ({ role, parts: [{ type: 'text', text: said }] });

/** A log record of a coding agent. */
const agentLog = (event: string, attributes: Values): LogRecordMessage =>
  decodeLogRecord(logBytes({ event, attributes }));

/** A description with these fields, among others. */
const shows = (expected: Expected): unknown =>
  expect.objectContaining<object>({
    fields: expect.objectContaining<object>(
      Object.fromEntries(
        Object.entries(expected).map(([field, value]) => [
          field,
          expect.objectContaining({ value }) as unknown,
        ]),
      ),
    ) as unknown,
  });

describe('Mastra', () => {
  it.each<[string, Values, Expected]>([
    [
      'a run of an agent',
      {
        'mastra.span.type': 'agent_run',
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': 'support',
        'mastra.agent_run.input': JSON.stringify(CHAT),
        'mastra.agent_run.output': '{"text":"Hello"}',
        'mastra.metadata.sessionId': 's-1',
        'mastra.metadata.userId': 'u-1',
        'mastra.metadata.plan': 'pro',
        'mastra.tags': '["beta","web"]',
      },
      {
        kind: 'AGENT',
        agentName: 'support',
        input: 'Hi',
        output: 'Hello',
        sessionId: 's-1',
        userId: 'u-1',
        tags: ['beta', 'web'],
        metadata: { sessionId: 's-1', userId: 'u-1', plan: 'pro' },
      },
    ],
    [
      'a step of a workflow',
      { 'mastra.span.type': 'workflow_step', 'mastra.workflow_step.input': '{"id":7}' },
      { kind: 'CHAIN', input: { id: 7 } },
    ],
    [
      'a call of a tool by an older exporter',
      { 'mastra.span.type': 'tool_call', 'gen_ai.tool.input': '{"q":"x"}', 'gen_ai.tool.output': '"found"' },
      { kind: 'TOOL', input: { q: 'x' }, output: 'found' },
    ],
  ])('%s', (_, attributes, expected) => expect(described(attributes)).toEqual(shows(expected)));
});

describe('Claude Code', () => {
  it('an interaction', () => {
    expect(
      described({ 'span.type': 'interaction', user_prompt: 'Fix the test', 'session.id': 's-1' }),
    ).toEqual(shows({ kind: 'AGENT', input: 'Fix the test', sessionId: 's-1' }));
  });

  it('a request to a model, whose cached tokens are counted apart from its input', () => {
    expect(
      described({
        'span.type': 'llm_request',
        'gen_ai.request.model': 'claude-opus-4-6',
        input_tokens: 3,
        output_tokens: 120,
        cache_read_tokens: 18_000,
        cache_creation_tokens: 500,
        ttft_ms: 812,
        stop_reason: 'tool_use',
      }),
    ).toEqual(
      shows({
        kind: 'LLM',
        inputTokens: 18_503,
        outputTokens: 120,
        cacheReadTokens: 18_000,
        cacheWriteTokens: 500,
        firstTokenMs: 812,
        finishReasons: ['tool_use'],
      }),
    );
  });

  it('a prompt and a result in log records', () => {
    const log = (eventName: string, attributes: Record<string, string>): LogRecordMessage =>
      decodeLogRecord(logBytes({ event: eventName, attributes }));
    const prompt = log('claude_code.user_prompt', { prompt: 'Fix the test' });
    expect(described({ 'span.type': 'interaction' }, { logs: [prompt] })).toEqual(
      shows({ kind: 'AGENT', input: 'Fix the test' }),
    );
    const result = log('claude_code.tool_result', { tool_name: 'Read', output: 'buy milk' });
    expect(described({ 'span.type': 'tool' }, { logs: [result] })).toEqual(
      shows({ kind: 'TOOL', output: 'buy milk' }),
    );
  });

  it('answers, and requests and responses as they were sent, in log records', () => {
    const answer = agentLog('assistant_response', { response: 'Fixed.' });
    expect(described({ 'span.type': 'interaction' }, { logs: [answer] })).toEqual(
      shows({ output: 'Fixed.', outputMessages: [text('assistant', 'Fixed.')] }),
    );
    const request = agentLog('api_request_body', {
      body: JSON.stringify({ model: 'claude-opus-4-6', system: 'Be brief', messages: CHAT }),
    });
    const response = agentLog('claude_code.api_response_body', {
      body: JSON.stringify({ role: 'assistant', content: [{ type: 'text', text: 'Hello' }] }),
    });
    expect(described({ 'span.type': 'llm_request' }, { logs: [request, response] })).toEqual(
      shows({
        input: 'Hi',
        inputMessages: [text('system', 'Be brief'), text('user', 'Hi')],
        output: 'Hello',
        outputMessages: [text('assistant', 'Hello')],
      }),
    );
  });

  it('arguments of a tool in a log record', () => {
    const log = agentLog('tool_result', {
      tool_name: 'Bash',
      tool_use_id: 'toolu_1',
      tool_input: '{"command":"ls"}',
      'session.id': 's-1',
    });
    expect(described({ 'span.type': 'tool' }, { logs: [log] })).toEqual(
      shows({ toolName: 'Bash', toolCallId: 'toolu_1', input: { command: 'ls' }, sessionId: 's-1' }),
    );
    const older = agentLog('claude_code.tool_result', { tool_parameters: '{"bash_command":"ls"}' });
    expect(described({ 'span.type': 'tool' }, { logs: [older] })).toEqual(
      shows({ input: { bash_command: 'ls' } }),
    );
  });

  it('a prompt in a log record instead of a placeholder', () => {
    const span = { 'span.type': 'interaction', user_prompt: '<REDACTED>' };
    expect(
      described(span, { logs: [agentLog('claude_code.user_prompt', { prompt: 'Fix the test' })] }),
    ).toEqual(shows({ input: 'Fix the test' }));
    const own = { ...span, user_prompt: 'Fix the test' };
    expect(described(own, { logs: [agentLog('user_prompt', { prompt: '<REDACTED>' })] })).toEqual(
      shows({ input: 'Fix the test' }),
    );
  });

  it('a tool, whose result is an event', () => {
    expect(
      described(
        { 'span.type': 'tool', tool_name: 'Read', tool_use_id: 'toolu_1' },
        { events: [{ name: 'tool.output', attributes: { content: 'buy milk' } }] },
      ),
    ).toEqual(shows({ kind: 'TOOL', toolName: 'Read', toolCallId: 'toolu_1', output: 'buy milk' }));
  });
});

describe('Codex', () => {
  it('a call of a tool', () => {
    const log = agentLog('codex.tool_result', {
      'conversation.id': 'c-1',
      tool_name: 'shell',
      call_id: 'call_1',
      arguments: '{"command":["ls"]}',
      output: 'README.md',
    });
    expect(described({}, { logs: [log] })).toEqual(
      shows({
        kind: 'TOOL',
        toolName: 'shell',
        toolCallId: 'call_1',
        input: { command: ['ls'] },
        output: 'README.md',
        sessionId: 'c-1',
      }),
    );
  });

  it('tokens and model of all completed responses', () => {
    const completed = agentLog('codex.sse_event', {
      'event.kind': 'response.completed',
      'conversation.id': 'c-1',
      model: 'gpt-5',
      input_token_count: 1_000,
      output_token_count: 100,
      cached_token_count: '400',
      reasoning_token_count: 64,
    });
    const other = agentLog('codex.sse_event', { 'event.kind': 'response.output_item.done', model: 'x' });
    const found = described({}, { logs: [completed, other, completed] });
    expect(found).toEqual(
      shows({
        kind: 'LLM',
        model: 'gpt-5',
        sessionId: 'c-1',
        inputTokens: 2_000,
        outputTokens: 200,
        cacheReadTokens: 800,
        reasoningTokens: 128,
      }),
    );
    expect(found.cost).toMatchObject({ basis: 'calculated' });
  });

  it('no cost with a count that is not a number', () => {
    const completed = agentLog('codex.sse_event', {
      'event.kind': 'response.completed',
      model: 'gpt-5',
      input_token_count: 'many',
      output_token_count: 100,
    });
    const { fields, cost } = described({}, { logs: [completed] });
    expect(fields).not.toHaveProperty('inputTokens');
    expect(fields).not.toHaveProperty('cost');
    expect(cost).toMatchObject({ basis: 'unknown' });
  });
});

describe('Gemini CLI', () => {
  it('a request and its response', () => {
    const request = agentLog('gemini_cli.api_request', {
      'session.id': 's-1',
      model: 'gemini-2.5-pro',
      request_text: JSON.stringify([{ role: 'user', parts: [{ text: 'Hi' }] }]),
    });
    const response = agentLog('gemini_cli.api_response', {
      model: 'gemini-2.5-pro',
      response_text: 'Hello',
      input_token_count: 1_000,
      output_token_count: 100,
      cached_content_token_count: 400,
      thoughts_token_count: 64,
      total_token_count: 1_164,
    });
    expect(described({}, { logs: [request, response] })).toEqual(
      shows({
        kind: 'LLM',
        model: 'gemini-2.5-pro',
        sessionId: 's-1',
        input: 'Hi',
        inputMessages: [text('user', 'Hi')],
        output: 'Hello',
        outputMessages: [text('assistant', 'Hello')],
        inputTokens: 1_000,
        outputTokens: 164,
        cacheReadTokens: 400,
        reasoningTokens: 64,
      }),
    );
  });

  it('a call of a tool', () => {
    const log = agentLog('gemini_cli.tool_call', {
      function_name: 'read_file',
      function_args: '{"path":"a"}',
    });
    expect(described({}, { logs: [log] })).toEqual(
      shows({ kind: 'TOOL', toolName: 'read_file', input: { path: 'a' } }),
    );
  });
});

describe("Google's Agent Development Kit", () => {
  it('a call of a model by an older release', () => {
    expect(
      described({
        'gen_ai.system': 'gcp.vertex.agent',
        'gen_ai.request.model': 'gemini-2.5-flash',
        'gcp.vertex.agent.session_id': 's-1',
        'gcp.vertex.agent.llm_request': JSON.stringify({
          model: 'gemini-2.5-flash',
          config: { system_instruction: 'Be brief' },
          contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
        }),
        'gcp.vertex.agent.llm_response': JSON.stringify({
          content: { role: 'model', parts: [{ text: 'Hello' }] },
          finish_reason: 'STOP',
        }),
        'gen_ai.usage.experimental.reasoning_tokens': 7,
      }),
    ).toEqual(
      shows({
        kind: 'LLM',
        sessionId: 's-1',
        input: 'Hi',
        inputMessages: [text('system', 'Be brief'), text('user', 'Hi')],
        output: 'Hello',
        reasoningTokens: 7,
      }),
    );
  });

  it('a call of a tool, whose request to a model is empty', () => {
    expect(
      described({
        'gen_ai.tool.name': 'get_weather',
        'gcp.vertex.agent.tool_call_args': '{"city":"Paris"}',
        'gcp.vertex.agent.tool_response': '{"sky":"clear"}',
        'gcp.vertex.agent.llm_request': '{}',
        'gcp.vertex.agent.llm_response': '{}',
      }),
    ).toEqual(shows({ kind: 'TOOL', input: { city: 'Paris' }, output: { sky: 'clear' } }));
  });
});

describe('Logfire', () => {
  it('events of a call in one attribute, and the message instead of the template', () => {
    const call = {
      id: 'c1',
      type: 'function',
      function: { name: 'get_weather', arguments: '{"city":"Paris"}' },
    };
    expect(
      described({
        'logfire.msg': "Responses API with 'gpt-4o'",
        'gen_ai.operation.name': 'chat',
        events: JSON.stringify([
          { 'event.name': 'gen_ai.system.message', content: 'Be brief.', role: 'system' },
          { 'event.name': 'gen_ai.user.message', content: 'Weather?', role: 'user' },
          { 'event.name': 'gen_ai.choice', index: 0, message: { role: 'assistant', tool_calls: [call] } },
        ]),
      }),
    ).toEqual(
      shows({
        displayName: "Responses API with 'gpt-4o'",
        input: 'Weather?',
        inputMessages: [text('system', 'Be brief.'), text('user', 'Weather?')],
        outputMessages: [
          {
            role: 'assistant',
            parts: [{ type: 'tool_call', id: 'c1', name: 'get_weather', arguments: { city: 'Paris' } }],
          },
        ],
      }),
    );
  });

  it.each<[string, Values, Expected]>([
    ['text', { raw_input: 'Hi' }, { inputMessages: [text('user', 'Hi')] }],
    ['messages', { raw_input: JSON.stringify(CHAT) }, { inputMessages: [text('user', 'Hi')] }],
  ])('raw input that is %s', (_, attributes, expected) => {
    expect(described({ 'gen_ai.operation.name': 'chat', ...attributes })).toEqual(shows(expected));
  });

  it.each([{ 'logfire.msg_template': 'Function: {name}' }, { 'logfire.msg': 'Function: get_weather' }])(
    'a function tool: %j',
    (attributes) => {
      expect(
        described({ ...attributes, name: 'get_weather', input: '{"city": "Paris"}', output: '21 C' }),
      ).toEqual(shows({ kind: 'TOOL', toolName: 'get_weather', input: { city: 'Paris' }, output: '21 C' }));
    },
  );

  it('the request and response of a chat completion', () => {
    expect(
      described({
        request_data: JSON.stringify({ model: 'gpt-4o', messages: CHAT }),
        response_data: JSON.stringify({
          message: { role: 'assistant', content: 'Hello' },
          usage: { prompt_tokens: 9, completion_tokens: 2 },
        }),
      }),
    ).toEqual(
      shows({ kind: 'LLM', model: 'gpt-4o', input: 'Hi', output: 'Hello', inputTokens: 9, outputTokens: 2 }),
    );
  });

  it('request data that belong to no model are left alone', () => {
    const { fields, unmapped } = described({ request_data: '{"path":"/","model":"tractor"}' });
    expect(fields).toEqual({});
    expect(unmapped).toEqual(['request_data']);
  });
});

describe('Spring AI, where all values are texts', () => {
  it('a call of a model', () => {
    expect(
      described({
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.request.temperature': '0.7',
        'gen_ai.request.max_tokens': '500',
        'gen_ai.response.finish_reasons': '["STOP"]',
        'gen_ai.usage.input_tokens': '120',
        'gen_ai.prompt': '["You help.", "Weather in Paris?"]',
        'gen_ai.completion': '["It is sunny."]',
      }),
    ).toEqual(
      shows({
        input: 'Weather in Paris?',
        output: 'It is sunny.',
        parameters: { temperature: 0.7, maxTokens: 500 },
        finishReasons: ['STOP'],
        inputTokens: 120,
      }),
    );
  });

  it('a tool and a search', () => {
    expect(
      described({
        'spring.ai.kind': 'tool_call',
        'gen_ai.operation.name': 'framework',
        'spring.ai.tool.definition.name': 'getWeather',
        'spring.ai.tool.call.arguments': '{"city":"Paris"}',
        'spring.ai.tool.call.result': '"18 degrees"',
      }),
    ).toEqual(
      shows({ kind: 'TOOL', toolName: 'getWeather', input: { city: 'Paris' }, output: '18 degrees' }),
    );
    expect(
      described({
        'spring.ai.kind': 'vector_store',
        'db.vector.query.content': 'paris',
        'db.vector.query.response.documents': '["Paris is nice."]',
      }),
    ).toEqual(shows({ kind: 'RETRIEVER', input: 'paris', documents: [{ content: 'Paris is nice.' }] }));
  });
});

describe('other frameworks', () => {
  it.each<[string, Values, Expected]>([
    [
      'Genkit: a model',
      {
        'genkit:type': 'action',
        'genkit:metadata:subtype': 'model',
        'genkit:name': 'googleai/gemini-2.5-flash',
        'genkit:input': '{"messages":[{"role":"user","content":[{"text":"Hi"}]}]}',
        'genkit:output':
          '{"message":{"role":"model","content":[{"text":"Hello"}]},"finishReason":"stop","usage":{"inputTokens":10,"outputTokens":5}}',
        'genkit:sessionId': 's-1',
      },
      {
        kind: 'LLM',
        model: 'gemini-2.5-flash',
        provider: 'googleai',
        input: 'Hi',
        output: 'Hello',
        inputTokens: 10,
        outputTokens: 5,
        finishReasons: ['stop'],
        sessionId: 's-1',
      },
    ],
    [
      'Genkit: a request for a tool',
      {
        'genkit:metadata:subtype': 'model',
        'genkit:output':
          '{"message":{"role":"model","content":[{"toolRequest":{"name":"f","ref":"c","input":{"a":1}}}]}}',
      },
      {
        outputMessages: [
          { role: 'model', parts: [{ type: 'tool_call', id: 'c', name: 'f', arguments: { a: 1 } }] },
        ],
      },
    ],
    [
      'Laminar',
      {
        'lmnr.span.type': 'LLM',
        'lmnr.span.input': JSON.stringify(CHAT),
        'lmnr.span.output': '"Hello"',
        'lmnr.association.properties.session_id': 's-1',
        'lmnr.association.properties.user_id': 'u-1',
        'lmnr.association.properties.metadata.plan': '"pro"',
      },
      {
        kind: 'LLM',
        input: 'Hi',
        output: 'Hello',
        sessionId: 's-1',
        userId: 'u-1',
        metadata: { plan: 'pro' },
      },
    ],
    [
      'LangWatch',
      {
        'langwatch.span.type': 'llm',
        'langwatch.input': JSON.stringify({ type: 'chat_messages', value: CHAT }),
        'langwatch.output': '{"type":"text","value":"Hello"}',
        'langwatch.metrics': '{"type":"json","value":{"promptTokens":9,"completionTokens":2,"cost":0.25}}',
        'langwatch.thread.id': 's-1',
        'langwatch.user.id': 'u-1',
      },
      {
        kind: 'LLM',
        input: 'Hi',
        output: 'Hello',
        inputTokens: 9,
        outputTokens: 2,
        cost: 0.25,
        sessionId: 's-1',
        userId: 'u-1',
      },
    ],
    [
      'Braintrust',
      {
        'braintrust.span_attributes': '{"type":"llm"}',
        'braintrust.input_json': JSON.stringify(CHAT),
        'braintrust.output_json': '[{"message":{"role":"assistant","content":"Hello"}}]',
        'braintrust.metadata': '{"model":"gpt-4o","plan":"pro"}',
        'braintrust.metrics': '{"prompt_tokens":10,"completion_tokens":5,"time_to_first_token":0.25}',
      },
      {
        kind: 'LLM',
        model: 'gpt-4o',
        input: 'Hi',
        output: 'Hello',
        inputTokens: 10,
        outputTokens: 5,
        firstTokenMs: 250,
        metadata: { model: 'gpt-4o', plan: 'pro' },
      },
    ],
    [
      'Sentry, before it used messages of OpenTelemetry',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.request.messages': JSON.stringify(CHAT),
        'gen_ai.response.text': 'Hello',
        'gen_ai.response.tool_calls': '[{"name":"f","arguments":"{}"}]',
        'gen_ai.usage.input_tokens': 10,
        'gen_ai.usage.input_tokens.cached': 4,
        'gen_ai.usage.output_tokens': 5,
        'gen_ai.usage.output_tokens.reasoning': 2,
      },
      {
        input: 'Hi',
        outputMessages: [
          {
            role: 'assistant',
            parts: [
              { type: 'text', text: 'Hello' },
              { type: 'tool_call', name: 'f', arguments: {} },
            ],
          },
        ],
        cacheReadTokens: 4,
        reasoningTokens: 2,
      },
    ],
    [
      'vLLM',
      {
        'gen_ai.request.id': 'chatcmpl-1',
        'gen_ai.response.model': 'meta-llama/Llama-3.1-8B-Instruct',
        'gen_ai.usage.prompt_tokens': 10,
        'gen_ai.latency.time_to_first_token': 0.12,
      },
      { kind: 'LLM', responseId: 'chatcmpl-1', inputTokens: 10, firstTokenMs: 120 },
    ],
    [
      'Gemini CLI: a call of a tool',
      {
        'gen_ai.operation.name': 'tool_call',
        'gen_ai.tool.name': 'read_file',
        'gen_ai.tool.call_id': 'c1',
        'gen_ai.input.messages': '{"args":{"path":"a"}}',
        'gen_ai.output.messages': '{"content":"x"}',
      },
      { kind: 'TOOL', toolCallId: 'c1', input: { path: 'a' }, output: { content: 'x' } },
    ],
    [
      'LiveKit Agents',
      {
        'lk.function_tool.name': 'book',
        'lk.function_tool.id': 'c1',
        'lk.pii.function_tool.arguments': '{"day":"Monday"}',
        'lk.pii.function_tool.output': 'booked',
      },
      { kind: 'TOOL', toolName: 'book', toolCallId: 'c1', input: { day: 'Monday' }, output: 'booked' },
    ],
  ])('%s', (_, attributes, expected) => expect(described(attributes)).toEqual(shows(expected)));
});

describe('OpenTelemetry since 1.41', () => {
  it.each<[string, Values, Expected]>([
    ['the version of a prompt', { 'gen_ai.prompt.version': 'v7' }, { promptVersion: 'v7' }],
    [
      'a search in a memory',
      {
        'gen_ai.operation.name': 'search_memory',
        'gen_ai.memory.query.text': 'likes?',
        'gen_ai.memory.records': '[{"id":"m-1","content":"likes tea","score":0.8}]',
      },
      { kind: 'RETRIEVER', input: 'likes?', documents: [{ id: 'm-1', content: 'likes tea', score: 0.8 }] },
    ],
    [
      'a span that is an evaluation',
      {
        'gen_ai.operation.name': 'evaluation',
        'gen_ai.evaluation.name': 'relevance',
        'gen_ai.evaluation.score.value': 0.9,
        'gen_ai.evaluation.score.label': 'pass',
      },
      { kind: 'EVALUATOR', evaluations: [{ name: 'relevance', score: 0.9, label: 'pass' }] },
    ],
    [
      'messages and instructions as lists of JSON',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.input.messages': ['{"role":"user","parts":[{"type":"text","content":"Hi"}]}'],
        'gen_ai.system_instructions': ['{"type":"text","content":"Be brief."}'],
      },
      { input: 'Hi', systemInstructions: 'Be brief.' },
    ],
  ])('%s', (_, attributes, expected) => expect(described(attributes)).toEqual(shows(expected)));
});

describe('the input of a model', () => {
  const SYSTEM = { role: 'system', content: 'You help.' };
  const IMAGE = {
    role: 'user',
    content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }],
  };
  const image = { role: 'user', parts: [{ type: 'image', uri: 'https://example.com/a.png' }] };

  it.each<[string, unknown[], JsonValue]>([
    ['is an image, not the instructions, where the user sent only that', [SYSTEM, IMAGE], [image]],
    ['is the later image', [...CHAT, { role: 'assistant', content: 'Hello' }, IMAGE], [image]],
    [
      'is the question to which results of tools belong',
      [SYSTEM, ...CHAT, { role: 'tool', tool_call_id: 'c', content: '18 degrees' }],
      'Hi',
    ],
    [
      'is the result of a tool, not the instructions, where there is nothing else',
      [SYSTEM, { role: 'tool', tool_call_id: 'c', content: '18 degrees' }],
      [{ role: 'tool', parts: [{ type: 'tool_result', id: 'c', result: '18 degrees' }] }],
    ],
  ])('%s', (_, messages, input) => {
    expect(
      described({ 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': JSON.stringify(messages) }),
    ).toEqual(shows({ input }));
  });
});

describe('the arguments and the result of a tool are the same in whatever form they are sent', () => {
  const TOOL = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'get_weather' };
  const args = { city: 'Paris' };
  const json = JSON.stringify(args);

  it.each<[string, Values, Sent]>([
    ['attributes', { 'gen_ai.tool.call.arguments': json, 'gen_ai.tool.call.result': '18 degrees' }, {}],
    [
      'events, the arguments as the message of a tool',
      {},
      {
        events: [
          { name: 'gen_ai.tool.message', attributes: { role: 'tool', content: json, id: 'c' } },
          { name: 'gen_ai.choice', attributes: { message: '[{"text":"18 degrees"}]', id: 'c' } },
        ],
      },
    ],
    [
      'messages with a call and a result',
      {
        'gen_ai.input.messages': JSON.stringify([
          {
            role: 'assistant',
            parts: [{ type: 'tool_call', id: 'c', name: 'get_weather', arguments: args }],
          },
        ]),
        'gen_ai.output.messages': JSON.stringify([
          { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c', response: '18 degrees' }] },
        ]),
      },
      {},
    ],
    ['input and output of OpenInference', { 'input.value': json, 'output.value': '18 degrees' }, {}],
  ])('%s', (_, attributes, sent) => {
    expect(described({ ...TOOL, ...attributes }, sent)).toEqual(shows({ input: args, output: '18 degrees' }));
  });
});
