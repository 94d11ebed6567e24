/** What is read of attributes that single senders have. */
import { describe, expect, it } from 'vitest';
import { scanTraces } from '../../src/ingest/otlp/scan.ts';
import type { Field } from '../../src/traces/conventions/rule.ts';
import { SpanView } from '../../src/traces/conventions/span-view.ts';
import { describe as describeSpan, type DescribedSpan } from '../../src/traces/described.ts';
import { mapSpan } from '../../src/traces/map-span.ts';
import { SpanMapping } from '../../src/traces/mapping.ts';
import type { IncomingSpan } from '../../src/traces/span.ts';
import { requestOf, spanBytes } from '../support/any-spans.ts';
import { skeletonOf } from '../support/skeletons.ts';
import { BASE_NS, PRICES, type Values } from '../support/spans.ts';
import { type EventSpec, spanView } from '../support/views.ts';

const HEAD = spanBytes({ attributes: [], events: [] });

function read(attributes: Values, events: EventSpec[] = []): DescribedSpan['fields'] {
  const sent = Buffer.concat([HEAD, spanView(attributes, events).bytes]);
  const [span] = scanTraces(requestOf([sent]), BASE_NS, PRICES).spans as [IncomingSpan];
  const mapping = mapSpan(span.bytes, new SpanMapping());
  return describeSpan(skeletonOf(span), new SpanView(span.bytes), mapping, PRICES).fields;
}

const valuesOf = (fields: DescribedSpan['fields']): Partial<Record<Field, unknown>> =>
  Object.fromEntries(Object.entries(fields).map(([field, { value }]) => [field, value]));

const json = (value: unknown): string => JSON.stringify(value);
const LLM = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-5-mini' };
const USED = { ...LLM, 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 5 };
const SAID = {
  'llm.output_messages.0.message.role': 'assistant',
  'llm.output_messages.0.message.content': 'It is 21 °C.',
};
const CONVERSATION = [
  { role: 'user', parts: [{ type: 'text', content: 'Weather?' }] },
  { role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name: 'f', arguments: {} }] },
  { role: 'user', parts: [{ type: 'tool_call_response', id: 'c', name: 'f', result: 'sunny' }] },
  { role: 'assistant', parts: [{ type: 'text', content: 'Sunny.' }] },
];
const FUNCTION = { name: 'f', arguments: '{"city":"Paris"}' };
const CALLED = [
  {
    role: 'assistant',
    parts: [{ type: 'tool_call', name: 'f', arguments: { city: 'Paris' } }],
  },
];

describe('a sender is understood', () => {
  it.each<[rule: string, attributes: Values, expected: Partial<Record<Field, unknown>>]>([
    ['its cost as gen_ai.usage.cost', { ...USED, 'gen_ai.usage.cost': 0.5 }, { cost: 0.5 }],
    ['its cost as gen_ai.usage.total_cost', { ...USED, 'gen_ai.usage.total_cost': 0.5 }, { cost: 0.5 }],
    ['its cost as gen_ai.cost.total_cost', { ...USED, 'gen_ai.cost.total_cost': 0.5 }, { cost: 0.5 }],
    ['its cost as operation.cost', { ...USED, 'operation.cost': 0.5 }, { cost: 0.5 }],
    [
      'its cost within LangSmith’s usage',
      { ...USED, 'langsmith.usage_metadata': json({ total_cost: 0.5 }) },
      { cost: 0.5 },
    ],
    ['its cost as mlflow.llm.cost', { ...USED, 'mlflow.llm.cost': json({ total_cost: 0.5 }) }, { cost: 0.5 }],
    [
      'OpenAI’s usage of chat completions within Langfuse',
      {
        ...LLM,
        'langfuse.observation.usage_details': json({
          prompt_tokens: 10,
          completion_tokens: 5,
          total_tokens: 15,
          prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0 },
          completion_tokens_details: { reasoning_tokens: 3 },
        }),
      },
      { inputTokens: 10, outputTokens: 5, totalTokens: 15, cacheReadTokens: 4, reasoningTokens: 3 },
    ],
    [
      'OpenAI’s usage of responses within Langfuse',
      {
        ...LLM,
        'langfuse.observation.usage_details': json({
          input_tokens: 10,
          output_tokens: 5,
          input_tokens_details: { cached_tokens: 4 },
          output_tokens_details: { reasoning_tokens: 3 },
        }),
      },
      { inputTokens: 10, outputTokens: 5, cacheReadTokens: 4, reasoningTokens: 3 },
    ],
    [
      'details of usage',
      { ...USED, 'gen_ai.usage.details.reasoning_tokens': 3, 'gen_ai.usage.details.cached_tokens': 4 },
      { reasoningTokens: 3, cacheReadTokens: 4 },
    ],
    [
      'MLflow, whose values are JSON',
      {
        'mlflow.spanType': '"CHAT_MODEL"',
        'mlflow.llm.model': '"gpt-5-mini"',
        'mlflow.spanInputs': json({ messages: [{ role: 'user', content: 'Hi' }] }),
        'mlflow.spanOutputs': json({
          choices: [{ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
        }),
        'mlflow.chat.tokenUsage': json({ input_tokens: 10, output_tokens: 5, total_tokens: 15 }),
        'mlflow.chat.tools': json([{ type: 'function', function: { name: 'f' } }]),
      },
      {
        kind: 'LLM',
        model: 'gpt-5-mini',
        input: 'Hi',
        output: 'Hello',
        finishReasons: ['stop'],
        inputTokens: 10,
        outputTokens: 5,
        totalTokens: 15,
        toolDefinitions: [{ name: 'f' }],
      },
    ],
    [
      'a tool of MLflow',
      {
        'mlflow.spanType': '"TOOL"',
        'mlflow.spanInputs': '{"city":"Paris"}',
        'mlflow.spanOutputs': '"sunny"',
      },
      { kind: 'TOOL', input: { city: 'Paris' }, output: 'sunny' },
    ],
    ['operations in upper case', { 'gen_ai.operation.name': 'CHAT' }, { kind: 'LLM' }],
    ['kinds in lower case', { 'openinference.span.kind': 'agent' }, { kind: 'AGENT' }],
    [
      'messages before their rendering',
      { ...LLM, ...SAID, 'output.value': 'assistant: It is 21 °C.' },
      { output: 'It is 21 °C.' },
    ],
    [
      'the text of a call without messages',
      { ...LLM, 'output.value': 'It is 21 °C.' },
      { output: 'It is 21 °C.' },
    ],
    [
      'the call of a function',
      {
        ...LLM,
        'gen_ai.completion.0.role': 'assistant',
        'gen_ai.completion.0.function_call.name': FUNCTION.name,
        'gen_ai.completion.0.function_call.arguments': FUNCTION.arguments,
      },
      { outputMessages: CALLED },
    ],
    [
      'the call of a function as JSON',
      {
        ...LLM,
        'gen_ai.completion.0.role': 'assistant',
        'gen_ai.completion.0.function_call': json(FUNCTION),
      },
      { outputMessages: CALLED },
    ],
    [
      'the run of an agent',
      {
        'gen_ai.operation.name': 'invoke_agent',
        'pydantic_ai.all_messages': json(CONVERSATION),
        final_result: 'Sunny.',
      },
      { kind: 'AGENT', input: 'Weather?', output: 'Sunny.' },
    ],
    [
      'the run of an agent without a result of its own',
      { 'gen_ai.operation.name': 'invoke_agent', 'pydantic_ai.all_messages': json(CONVERSATION) },
      { input: 'Weather?', output: 'Sunny.' },
    ],
    [
      'the model of a call that failed',
      {
        'openinference.span.kind': 'LLM',
        'llm.invocation_parameters': json({ model: 'gpt-5-mini', temperature: 1 }),
      },
      { model: 'gpt-5-mini', parameters: { temperature: 1 } },
    ],
    [
      'the result of a tool within a message',
      {
        'openinference.span.kind': 'TOOL',
        'output.mime_type': 'application/json',
        'output.value': json({ type: 'tool', content: 'sunny', tool_call_id: 'c', name: 'f' }),
      },
      { output: 'sunny' },
    ],
    [
      'the text of an embedding',
      { 'openinference.span.kind': 'EMBEDDING', 'embedding.text': 'Paris' },
      { input: 'Paris' },
    ],
    [
      'why Anthropic stopped',
      { ...LLM, 'anthropic.message.stop_reason': 'end_turn' },
      { finishReasons: ['end_turn'] },
    ],
    ['the user of a call', { ...LLM, 'llm.user': 'ada' }, { userId: 'ada' }],
    [
      'metadata as JSON',
      { 'langfuse.trace.metadata.plan': '{"name":"pro"}', 'langfuse.trace.metadata.beta': 'yes' },
      { metadata: { plan: { name: 'pro' }, beta: 'yes' } },
    ],
    ['a version', { 'langfuse.version': '1.2' }, { version: '1.2' }],
    [
      'the time of the first token',
      { 'langfuse.observation.completion_start_time': '"2026-01-01T00:00:00.250Z"' },
      { firstTokenMs: expect.closeTo(250, 3) as number },
    ],
  ])('%s', (_rule, attributes, expected) => {
    expect(valuesOf(read(attributes))).toMatchObject(expected);
  });

  it('by events of its choices', () => {
    const choice = {
      name: 'gen_ai.choice',
      attributes: { finish_reason: 'stop', message: '{"content":"Hi"}' },
    };
    expect(valuesOf(read(LLM, [choice]))).toMatchObject({ output: 'Hi', finishReasons: ['stop'] });
  });
});
