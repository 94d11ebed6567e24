import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { described } from '../support/described.ts';
import type { Value, Values } from '../support/spans.ts';

const CALL = {
  'gen_ai.request.model': 'gpt-5-mini',
  'gen_ai.usage.input_tokens': 1000,
  'gen_ai.usage.output_tokens': 100,
};
const costOf = (attributes: Values) => described(attributes).cost;

describe('the cost of a span with several counts that are no numbers', () => {
  it('names the one that takes precedence, in whatever order they arrive', () => {
    const keys = ['gen_ai.usage.input_tokens.cached', 'gen_ai.usage.cache_read_input_tokens'];
    const notes = [keys, keys.toReversed()].map(
      (ordered) => costOf({ ...CALL, ...Object.fromEntries(ordered.map((key) => [key, '{}'])) })?.notes,
    );
    expect(notes[0]).toEqual(['the value of gen_ai.usage.cache_read_input_tokens is not a number of tokens']);
    expect(notes[1]).toEqual(notes[0]);
  });
});

describe('the cost of a span is shown as a calculation', () => {
  it('with each quantity, price, tier, and where they came from', () => {
    const cost = costOf({ ...CALL, 'gen_ai.openai.response.service_tier': 'flex' });
    expect(cost).toMatchObject({
      basis: 'calculated',
      parts: [
        { part: 'input', quantity: 1000, pricePerMillion: 0.125, from: 'gen_ai.usage.input_tokens' },
        { part: 'output', quantity: 100, pricePerMillion: 1, from: 'gen_ai.usage.output_tokens' },
      ],
      price: { name: 'gpt-5-mini', source: 'built-in' },
      tier: { name: 'flex', from: 'gen_ai.openai.response.service_tier', factor: 0.5 },
      above: null,
    });
    expect(cost?.cost).toBeCloseTo(0.000_225, 12);
  });

  it.each<[string, Values, basis: string | undefined, certainty: string | undefined, note: string]>([
    ['sent by its sender', { ...CALL, 'gen_ai.usage.cost': 0.5 }, 'reported', 'high', 'gen_ai.usage.cost'],
    [
      'sent by its sender in two parts',
      { ...CALL, 'llm.cost.prompt': 0.25, 'llm.cost.completion': 0.5 },
      'reported',
      'high',
      'the sender sent the cost as llm.cost.prompt and llm.cost.completion',
    ],
    [
      'of a model by another name',
      { ...CALL, 'gen_ai.request.model': 'gpt-5-mini-2025-08-07' },
      'calculated',
      'medium',
      'has the price of gpt-5-mini',
    ],
    [
      'of odd tokens',
      { ...CALL, 'gen_ai.usage.cache_read.input_tokens': 5000 },
      'calculated',
      'low',
      'more cached tokens',
    ],
    [
      'of a total',
      { 'gen_ai.request.model': 'gpt-5', 'gen_ai.usage.total_tokens': 9 },
      'unknown',
      'low',
      'only the total',
    ],
    [
      'of an unknown model',
      { ...CALL, 'gen_ai.request.model': 'acme-1' },
      'unknown',
      'low',
      'no table has a price of acme-1',
    ],
    [
      'of an unknown tier',
      { ...CALL, 'openai.response.service_tier': 'scale' },
      'unknown',
      'low',
      'tier scale',
    ],
  ])('%s', (_what, attributes, basis, certainty, note) => {
    const cost = costOf(attributes);
    expect([cost?.basis, cost?.certainty]).toEqual([basis, certainty]);
    expect(cost?.notes.join('; ')).toContain(note);
  });

  it('is absent without usage', () => {
    expect(costOf({ 'gen_ai.request.model': 'gpt-5' })).toBeNull();
  });

  it('equals the stored cost and the sum of its parts, whatever was used', () => {
    const tokens = fc.nat({ max: 500_000 });
    const model = fc.constantFrom('gpt-5', 'claude-sonnet-4-5', 'gemini-2.5-pro', 'gpt-4o-mini');
    const tier = fc.constantFrom('', 'flex', 'batch', 'priority', 'default');
    fc.assert(
      fc.property(model, tier, tokens, tokens, tokens, (name, named, input, output, cached) => {
        const { cost, fields } = described({
          'gen_ai.request.model': name,
          'openai.response.service_tier': named,
          'gen_ai.usage.input_tokens': input + 1,
          'gen_ai.usage.output_tokens': output,
          'gen_ai.usage.cache_read.input_tokens': Math.min(cached, input),
        });
        if (cost?.basis !== 'calculated') return;
        expect(cost.cost).toBe(cost.parts.reduce((sum, part) => sum + part.cost, 0));
        expect(fields.cost?.value).toBeCloseTo(cost.cost ?? -1, 9);
        expect(cost.notes.join()).not.toContain('stored as');
      }),
    );
  });
});

const unreadable = (key: string, value: Value, more: Values = {}): [string, Values, string] => [
  `${key} ${JSON.stringify(value)}`,
  { 'gen_ai.request.model': 'gpt-4o', 'gen_ai.usage.output_tokens': 500, ...more, [key]: value },
  key,
];
const INPUT = 'gen_ai.usage.input_tokens';

describe('a cost is unknown if a count of tokens is not readable, which a note shows', () => {
  it.each([
    unreadable(INPUT, '1,000'),
    unreadable(INPUT, '1_000'),
    unreadable(INPUT, '1 000'),
    unreadable(INPUT, '1000 tokens'),
    unreadable(INPUT, 'NaN'),
    unreadable(INPUT, -1),
    unreadable(INPUT, '-1'),
    unreadable(INPUT, -1.5),
    unreadable(INPUT, true),
    unreadable(INPUT, [100]),
    unreadable('gen_ai.usage.output_tokens', '1,000', { [INPUT]: 1000 }),
    unreadable('gen_ai.usage.cache_read.input_tokens', '1,000', { [INPUT]: 2000 }),
    unreadable('gen_ai.usage.audio.input_tokens', '1,000', { [INPUT]: 2000 }),
    unreadable('langfuse.observation.usage_details', '{"input":"1,000"}'),
    unreadable('gen_ai.usage.output_tokens', 'many'),
  ])('%s', (_what, attributes, key) => {
    const { cost, fields } = described(attributes);
    expect([cost?.basis, cost?.cost]).toEqual(['unknown', null]);
    expect(cost?.notes.join('; ')).toContain(`the value of ${key} is not a number of tokens`);
    expect(fields.cost?.value ?? null).toBeNull();
  });

  it('and is calculated if another key gave the count', () => {
    const cost = costOf({ ...CALL, 'llm.token_count.prompt': '1,000' });
    expect([cost?.basis, cost?.parts.length]).toEqual(['calculated', 2]);
  });

  it('and is calculated if the count of a text is a number', () => {
    const cost = costOf({ ...CALL, 'gen_ai.usage.input_tokens': ' 1000 ' });
    expect([cost?.basis, cost?.parts.length]).toEqual(['calculated', 2]);
  });
});

describe('a sent cost that is negative or not readable counts as absent', () => {
  it.each<[Value]>([[-1], ['-1'], ['$0.02']])('%s', (sent) => {
    const cost = costOf({ ...CALL, 'gen_ai.usage.cost': sent });
    expect(cost?.basis).toBe('calculated');
    expect(cost?.notes.join()).toContain('the value of gen_ai.usage.cost is not a cost');
  });
});

const GPT = { 'gen_ai.request.model': 'gpt-4o', 'gen_ai.usage.total_tokens': 150 };
const GENKIT = {
  'genkit:metadata:subtype': 'model',
  'genkit:name': 'googleai/gemini-2.5-pro',
  'genkit:output': JSON.stringify({
    usage: { inputTokens: 100, outputTokens: 50, thoughtsTokens: 350, totalTokens: 500 },
  }),
};
const AI_SDK = {
  'ai.operationId': 'ai.generateText.doGenerate',
  'ai.model.id': 'gemini-2.5-pro',
  'ai.usage.inputTokens': 100,
  'ai.usage.outputTokens': 50,
  'ai.usage.reasoningTokens': 350,
  'ai.usage.totalTokens': 500,
};

describe('a total that is larger than its parts', () => {
  it.each<[string, Values, number]>([
    ['gives a missing output', { ...GPT, 'gen_ai.usage.input_tokens': 100 }, 0.000_75],
    ['gives a missing input', { ...GPT, 'gen_ai.usage.output_tokens': 50 }, 0.000_75],
    ['shows reasoning apart from the output (Genkit)', GENKIT, 0.004_125],
    ['shows reasoning apart from the output (AI SDK)', AI_SDK, 0.004_125],
    ['is not needed for more reasoning than output', { ...AI_SDK, 'ai.usage.totalTokens': '' }, 0.004_125],
  ])('%s', (_what, attributes, expected) => {
    const { cost, fields } = described(attributes);
    expect(cost?.cost).toBeCloseTo(expected, 12);
    expect(fields.cost?.value).toBeCloseTo(expected, 12);
  });

  it('by other tokens makes the cost unknown', () => {
    const cost = costOf({ ...GPT, 'gen_ai.usage.input_tokens': 50, 'gen_ai.usage.output_tokens': 70 });
    expect([cost?.basis, cost?.notes.join()]).toEqual([
      'unknown',
      'the total has 30 tokens that are neither input nor output',
    ]);
  });
});

const CLAUDE = {
  'gen_ai.request.model': 'claude-sonnet-4-5',
  'gen_ai.usage.input_tokens': 3,
  'gen_ai.usage.output_tokens': 12,
  'gen_ai.usage.total_tokens': 13_231,
};

describe('tokens with prices of their own are found under every name', () => {
  it.each<[string, Values, number | null]>([
    ['of Strands', { ...CLAUDE, 'gen_ai.usage.cache_write_input_tokens': 13_216 }, 0.049_749],
    ['cache_write_tokens', { ...CLAUDE, 'gen_ai.usage.cache_write_tokens': 13_216 }, 0.049_749],
    [
      'of Mastra: an hour',
      {
        ...CLAUDE,
        'gen_ai.usage.cache_creation.input_tokens': 13_216,
        'gen_ai.usage.cache_creation.1h_input_tokens': 13_216,
      },
      (3 * 3 + 12 * 15 + 13_216 * 6) / 1e6,
    ],
    [
      'of Mastra: an hour and minutes without their sum',
      {
        ...CLAUDE,
        'gen_ai.usage.cache_creation.1h_input_tokens': 13_000,
        'gen_ai.usage.cache_creation.5m_input_tokens': 216,
      },
      (3 * 3 + 12 * 15 + 13_000 * 6 + 216 * 3.75) / 1e6,
    ],
    [
      'of Anthropic: an hour and minutes without their sum',
      {
        ...CLAUDE,
        'anthropic.usage.cache_creation.ephemeral_1h_input_tokens': 13_000,
        'anthropic.usage.cache_creation.ephemeral_5m_input_tokens': 216,
      },
      (3 * 3 + 12 * 15 + 13_000 * 6 + 216 * 3.75) / 1e6,
    ],
    [
      'of LangChain: an hour and minutes beside a zero',
      {
        'gen_ai.request.model': 'claude-sonnet-4-5',
        'langsmith.usage_metadata': JSON.stringify({
          input_tokens: 13_219,
          output_tokens: 12,
          total_tokens: 13_231,
          input_token_details: {
            cache_creation: 0,
            ephemeral_5m_input_tokens: 216,
            ephemeral_1h_input_tokens: 13_000,
          },
        }),
      },
      (3 * 3 + 12 * 15 + 13_000 * 6 + 216 * 3.75) / 1e6,
    ],
    [
      'audio of Mastra, without a price',
      { ...GPT, [INPUT]: 100, 'gen_ai.usage.output_tokens': 50, 'gen_ai.usage.audio_input_tokens': 90 },
      null,
    ],
    [
      'audio of Langfuse, without a price',
      {
        'gen_ai.request.model': 'gpt-4o',
        'langfuse.observation.usage_details': '{"input":100,"input_audio":900,"output":1}',
      },
      null,
    ],
    [
      'audio of LangChain, without a price',
      {
        'gen_ai.request.model': 'gpt-4o',
        'langsmith.usage_metadata':
          '{"input_tokens":1000,"output_tokens":1,"input_token_details":{"audio":900}}',
      },
      null,
    ],
  ])('%s', (_what, attributes, expected) => {
    const cost = costOf(attributes);
    expect(cost?.cost === null ? null : Number(cost?.cost.toFixed(9))).toBe(
      expected === null ? null : Number(expected.toFixed(9)),
    );
  });
});
