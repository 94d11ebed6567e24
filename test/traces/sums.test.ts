/** Tokens and cost of one span, from what its sender reports. */
import { describe, expect, it } from 'vitest';
import { SpanFlag } from '../../src/traces/span.ts';
import { incomingSpans, type Values } from '../support/spans.ts';

interface Expected {
  inputTokens: number;
  cost: number | null;
  /** True if it is a guess that cached tokens are counted apart. */
  isOdd?: boolean;
}

function sumsOf(attributes: Values): Expected {
  const [span] = incomingSpans([{ id: 1, attributes: { 'gen_ai.operation.name': 'chat', ...attributes } }]);
  const { inputTokens = 0, cost = 0, flags = 0 } = span ?? {};
  const isOdd = (flags & SpanFlag.oddTokens) !== 0;
  return {
    inputTokens,
    cost: (flags & SpanFlag.costKnown) === 0 ? null : Number(cost.toFixed(12)),
    ...(isOdd && { isOdd }),
  };
}

describe('cached tokens that a sender counts apart are added to the input', () => {
  const CACHED = {
    'llm.model_name': 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'llm.token_count.prompt': 3,
    'llm.token_count.completion': 12,
    'llm.token_count.prompt_details.cache_read': 13_216,
    'llm.token_count.prompt_details.cache_write': 25,
  };
  // 3 at $3, 13 216 at $0.30, 25 at $3.75, 12 at $15, for a million each.
  const cost = 0.004_247_55;

  it('as the total shows', () => {
    expect(sumsOf({ ...CACHED, 'llm.token_count.total': 13_256 })).toEqual({ inputTokens: 13_244, cost });
  });

  it('as there are more of them than input tokens, which is flagged', () => {
    expect(sumsOf(CACHED)).toEqual({ inputTokens: 13_244, cost, isOdd: true });
  });

  it('even if there are fewer of them, where the total shows it', () => {
    const usage = { 'gen_ai.usage.input_tokens': 100, 'gen_ai.usage.output_tokens': 10 };
    const cached = { 'gen_ai.usage.cache_read.input_tokens': 50, 'gen_ai.request.model': 'gpt-4o' };
    const inputCost = (input: number): number => (input * 2.5 + 50 * 1.25 + 10 * 10) / 1e6;
    expect(sumsOf({ ...usage, ...cached, 'gen_ai.usage.total_tokens': 160 })).toEqual({
      inputTokens: 150,
      cost: inputCost(100),
    });
    expect(sumsOf({ ...usage, ...cached, 'gen_ai.usage.total_tokens': 110 })).toEqual({
      inputTokens: 100,
      cost: inputCost(50),
    });
  });
});

describe('the cost', () => {
  const SONNET = { 'gen_ai.request.model': 'claude-sonnet-4-5', 'gen_ai.usage.output_tokens': 100 };
  const MINI = { 'gen_ai.request.model': 'gpt-5-mini', 'gen_ai.usage.input_tokens': 2000 };

  it.each<[string, Values, Expected]>([
    [
      'of a batch is half',
      { ...SONNET, 'gen_ai.usage.input_tokens': 1000, 'anthropic.response.service_tier': 'batch' },
      { inputTokens: 1000, cost: 0.002_25 },
    ],
    [
      'of flexible processing is half',
      { ...MINI, 'gen_ai.openai.response.service_tier': 'flex' },
      { inputTokens: 2000, cost: 0.000_25 },
    ],
    [
      'of the default tier is the list price',
      { ...MINI, 'openai.response.service_tier': 'default' },
      { inputTokens: 2000, cost: 0.000_5 },
    ],
    [
      'of a tier with prices of its own has those',
      { ...MINI, 'openai.response.service_tier': 'priority' },
      { inputTokens: 2000, cost: 0.000_9 },
    ],
    [
      'of a tier without a known price is unknown',
      { ...MINI, 'openai.response.service_tier': 'scale' },
      { inputTokens: 2000, cost: null },
    ],
    [
      'of what a cache keeps for an hour is twice that of input',
      {
        ...SONNET,
        'gen_ai.usage.input_tokens': 1100,
        'gen_ai.usage.cache_write.input_tokens': 1000,
        'anthropic.usage.cache_creation.ephemeral_1h_input_tokens': 1000,
      },
      { inputTokens: 1100, cost: (100 * 3 + 1000 * 6 + 100 * 15) / 1e6 },
    ],
    [
      'of a long request is that of long requests',
      {
        'gen_ai.request.model': 'gemini-2.5-pro',
        'gen_ai.usage.input_tokens': 300_000,
        'gen_ai.usage.output_tokens': 1000,
      },
      { inputTokens: 300_000, cost: 0.765 },
    ],
    [
      'of audio without a price is unknown',
      {
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.usage.input_tokens': 300,
        'gen_ai.usage.audio.input_tokens': 200,
      },
      { inputTokens: 300, cost: null },
    ],
    [
      'of a call that says it had no audio is that of its text',
      {
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.usage.input_tokens': 300,
        'gen_ai.usage.audio.input_tokens': 0,
        'llm.token_count.completion_details.audio': 0,
      },
      { inputTokens: 300, cost: 0.000_75 },
    ],
    [
      'of a tier that only the request names is that of the tier',
      { ...MINI, 'gen_ai.openai.request.service_tier': 'flex' },
      { inputTokens: 2000, cost: 0.000_25 },
    ],
    [
      'of the tier of the response, not of the request',
      {
        ...MINI,
        'gen_ai.openai.request.service_tier': 'flex',
        'gen_ai.openai.response.service_tier': 'default',
      },
      { inputTokens: 2000, cost: 0.000_5 },
    ],
    [
      'of a tier among the parameters of OpenInference',
      { ...MINI, 'llm.invocation_parameters': '{"service_tier":"flex","temperature":1}' },
      { inputTokens: 2000, cost: 0.000_25 },
    ],
    [
      'of a tier among the parameters of Langfuse',
      { ...MINI, 'langfuse.observation.model.parameters': '{"service_tier":"flex"}' },
      { inputTokens: 2000, cost: 0.000_25 },
    ],
    [
      'of a tier in the metadata of Braintrust',
      { ...MINI, 'braintrust.metadata': '{"service_tier":"flex"}' },
      { inputTokens: 2000, cost: 0.000_25 },
    ],
    [
      'of a tier in the metadata of a provider of the AI SDK',
      {
        ...MINI,
        'ai.request.providerOptions': '{"openai":{"serviceTier":"flex"}}',
        'ai.response.providerMetadata': '{"openai":{"responseId":"r","serviceTier":"priority"}}',
      },
      { inputTokens: 2000, cost: 0.000_9 },
    ],
    [
      'of a tier in the options of a provider of the AI SDK',
      {
        ...MINI,
        'ai.request.providerOptions': '{"gateway":{"order":["openai"]},"openai":{"serviceTier":"flex"}}',
      },
      { inputTokens: 2000, cost: 0.000_25 },
    ],
    [
      'of a tier in the usage of Anthropic by the AI SDK',
      {
        ...SONNET,
        'ai.usage.inputTokens': 1000,
        'ai.response.providerMetadata':
          '{"anthropic":{"usage":{"input_tokens":1000,"service_tier":"batch"}}}',
      },
      { inputTokens: 1000, cost: 0.002_25 },
    ],
    [
      'of tokens that Anthropic wrote to a cache, by the AI SDK',
      {
        ...SONNET,
        'ai.usage.inputTokens': 3,
        'ai.response.providerMetadata': '{"anthropic":{"usage":{},"cacheCreationInputTokens":3241}}',
      },
      { inputTokens: 3244, cost: (3 * 3 + 3241 * 3.75 + 100 * 15) / 1e6, isOdd: true },
    ],
    [
      'of a call of the AI SDK with several steps does not count what the last step wrote to a cache',
      {
        ...SONNET,
        'gen_ai.operation.name': 'invoke_agent',
        'ai.operationId': 'ai.generateText',
        'ai.usage.inputTokens': 9000,
        'ai.response.providerMetadata': '{"anthropic":{"usage":{},"cacheCreationInputTokens":3241}}',
      },
      { inputTokens: 9000, cost: (9000 * 3 + 100 * 15) / 1e6 },
    ],
    [
      'of a step of the AI SDK that has the metadata of its call, but no usage, is none',
      {
        'gen_ai.request.model': 'claude-sonnet-4-5',
        'ai.response.providerMetadata': '{"anthropic":{"cacheCreationInputTokens":3241}}',
      },
      { inputTokens: 0, cost: null },
    ],
    [
      'of tokens that Anthropic keeps for an hour, by the AI SDK',
      {
        ...SONNET,
        'ai.usage.inputTokens': 1100,
        'ai.response.providerMetadata': JSON.stringify({
          anthropic: {
            usage: {
              cache_creation_input_tokens: 1000,
              cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 1000 },
            },
          },
        }),
      },
      { inputTokens: 1100, cost: (100 * 3 + 1000 * 6 + 100 * 15) / 1e6 },
    ],
    [
      'of input and of output that are sent is their sum',
      { ...MINI, 'gen_ai.usage.output_tokens': 5, 'llm.cost.prompt': 0.25, 'llm.cost.completion': '0.5' },
      { inputTokens: 2000, cost: 0.75 },
    ],
    [
      'that is sent counts, not its parts',
      { ...MINI, 'llm.cost.prompt': 0.25, 'llm.cost.completion': 0.5, 'llm.cost.total': 0.7 },
      { inputTokens: 2000, cost: 0.7 },
    ],
    [
      'of input alone is that of a call without output',
      { ...MINI, 'llm.cost.prompt': 0.25 },
      { inputTokens: 2000, cost: 0.25 },
    ],
    [
      'is calculated if that of the output was not sent',
      { ...MINI, 'gen_ai.usage.output_tokens': 100, 'llm.cost.prompt': 0.25 },
      { inputTokens: 2000, cost: 0.000_7 },
    ],
    [
      'of a total alone is unknown, not 0',
      { 'gen_ai.request.model': 'gpt-4o', 'gen_ai.usage.total_tokens': 50 },
      { inputTokens: 0, cost: null },
    ],
  ])('%s', (_, attributes, expected) => expect(sumsOf(attributes)).toEqual(expected));
});
