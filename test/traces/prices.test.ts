import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculate } from '../../src/traces/prices/calculation.ts';
import { foldName } from '../../src/traces/prices/model-names.ts';
import type { ModelPrice } from '../../src/traces/prices/model-price.ts';
import { createPriceList } from '../../src/traces/prices/price-list.ts';
import { MODEL_PRICES, PRICES_DATE } from '../../src/traces/prices/table.ts';

const prices = createPriceList();
const nameOf = (model: string, provider?: string | null): string | null =>
  prices.find(model, provider)?.name ?? null;

describe('the built-in table', () => {
  const entries = Object.entries(MODEL_PRICES).flatMap(([name, listed]): [string, ModelPrice][] =>
    [listed].flat().map((price) => [name, price]),
  );

  it('has a day and at least a hundred models', () => {
    expect(new Date(PRICES_DATE).toISOString()).toBe(`${PRICES_DATE}T00:00:00.000Z`);
    expect(entries.length).toBeGreaterThanOrEqual(100);
  });

  it.each(entries)('finds %s under its own name', (name, price) => {
    const at = Date.parse(price.from ?? '2020-01-01');
    expect(prices.find(name, null, at)).toEqual({ name, price, source: 'built-in' });
  });

  it('has no two names that are the same to a look-up', () => {
    const names = Object.keys(MODEL_PRICES);
    expect(new Set(names.map(foldName)).size).toBe(names.length);
  });

  it('asks no more for reading a cache than for input, and at most 1000 dollars for a million tokens', () => {
    for (const [name, { input, output, cacheRead = input }] of entries) {
      expect(input, name).toBeGreaterThan(0);
      expect(cacheRead, name).toBeLessThanOrEqual(input);
      expect(Math.max(input, output), name).toBeLessThanOrEqual(1000);
    }
  });

  it('can be passed to a worker', () => {
    expect(structuredClone(MODEL_PRICES)).toEqual(MODEL_PRICES);
  });
});

describe('a model is found', () => {
  it.each([
    ['in any case', 'GPT-4o', 'gpt-4o'],
    ['in any case', 'Claude-3-5-Haiku-Latest', 'claude-3-5-haiku'],
    ['in any case', 'MiniMax-M2', 'minimax-m2'],
    ['in any case', 'Mistral-Large-2411', 'mistral-large-2411'],
    ['with spaces around it', ' gpt-4o ', 'gpt-4o'],
    ['with another sign in its version', 'claude-3.5-sonnet', 'claude-3-5-sonnet'],
    ['with another sign in its version', 'anthropic/claude-opus-4.5', 'claude-opus-4-5'],
    ['with another sign in its version', 'grok-4.1-fast', 'grok-4-1-fast'],
    ['with another sign in its version', 'gpt-5-1-codex', 'gpt-5.1-codex'],
    ['behind a provider', 'openai/gpt-4o', 'gpt-4o'],
    ['behind a provider', 'openai:gpt-4.1-mini', 'gpt-4.1-mini'],
    ['behind a provider', 'azure/gpt-4o-mini', 'gpt-4o-mini'],
    ['behind a provider', 'azure/eu/gpt-4.1', 'gpt-4.1'],
    ['behind a provider', 'gemini/gemini-2.5-flash', 'gemini-2.5-flash'],
    ['behind a provider', 'google-gla:gemini-2.5-pro', 'gemini-2.5-pro'],
    ['behind a provider', 'vertex_ai/claude-sonnet-4-5@20250929', 'claude-sonnet-4-5'],
    ['behind a provider', 'mistral/mistral-small-latest', 'mistral-small-latest'],
    ['behind a provider', 'xai/grok-4-latest', 'grok-4'],
    ['behind a provider', 'deepseek/deepseek-chat', 'deepseek-chat'],
    ['behind a provider', 'cohere/command-a-03-2025', 'command-a'],
    ['behind a provider', 'groq/llama-3.3-70b-versatile', 'llama-3.3-70b-versatile'],
    ['behind a provider', 'voyage/voyage-3.5', 'voyage-3.5'],
    ['behind two providers', 'openrouter/anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5'],
    ['behind a path', 'models/gemini-2.0-flash', 'gemini-2.0-flash'],
    ['behind a path', 'publishers/google/models/gemini-2.5-pro', 'gemini-2.5-pro'],
    [
      'behind a path',
      'projects/p/locations/us-east5/publishers/anthropic/models/claude-3-5-haiku@20241022',
      'claude-3-5-haiku',
    ],
    ['behind a path', 'accounts/fireworks/models/gpt-oss-120b', 'gpt-oss-120b'],
    ['on Bedrock', 'anthropic.claude-3-haiku-20240307-v1:0', 'claude-3-haiku'],
    ['on Bedrock', 'anthropic.claude-3-5-sonnet-20241022-v2:0', 'claude-3-5-sonnet'],
    ['on Bedrock', 'us.anthropic.claude-opus-4-1-20250805-v1:0', 'claude-opus-4-1'],
    ['on Bedrock', 'eu.anthropic.claude-haiku-4-5-20251001-v1:0', 'claude-haiku-4-5'],
    ['on Bedrock', 'us-gov.anthropic.claude-3-7-sonnet-20250219-v1:0', 'claude-3-7-sonnet'],
    ['on Bedrock', 'global.anthropic.claude-opus-4-6-v1', 'claude-opus-4-6'],
    ['on Bedrock', 'bedrock/us.anthropic.claude-sonnet-4-20250514-v1:0', 'claude-sonnet-4'],
    ['on Bedrock', 'bedrock/us-east-1/anthropic.claude-3-opus-20240229-v1:0', 'claude-3-opus'],
    [
      'on Bedrock',
      'arn:aws:bedrock:us-east-1:1234:inference-profile/us.anthropic.claude-opus-4-20250514-v1:0',
      'claude-opus-4',
    ],
    ['on Bedrock', 'amazon.nova-lite-v1:0', 'nova-lite'],
    ['on Bedrock', 'us.amazon.nova-premier-v1:0', 'nova-premier'],
    ['on Bedrock', 'amazon.nova-pro-v1:0:300k', 'nova-pro'],
    ['on Bedrock', 'amazon.titan-embed-text-v2:0', 'titan-embed-text-v2'],
    ['on Bedrock', 'amazon.titan-embed-text-v1', 'titan-embed-text-v1'],
    ['on Bedrock', 'us.meta.llama3-3-70b-instruct-v1:0', 'meta.llama3-3-70b-instruct'],
    ['on Bedrock', 'us.deepseek.r1-v1:0', 'deepseek.r1'],
    ['with a date', 'gpt-4o-2024-08-06', 'gpt-4o'],
    ['with a date', 'gpt-4.1-nano-2025-04-14', 'gpt-4.1-nano'],
    ['with a date', 'o3-mini-2025-01-31', 'o3-mini'],
    ['with a date', 'gpt-5-pro-2025-10-06', 'gpt-5-pro'],
    ['with a date', 'claude-3-5-sonnet-20241022', 'claude-3-5-sonnet'],
    ['with a date', 'claude-3-5-sonnet@20240620', 'claude-3-5-sonnet'],
    ['with a date', 'claude-3-5-sonnet-v2@20241022', 'claude-3-5-sonnet'],
    ['with a date', 'gemini-2.5-pro-preview-05-06', 'gemini-2.5-pro'],
    ['with a date', 'gemini-2.5-flash-preview-09-2025', 'gemini-2.5-flash'],
    ['with a date', 'command-r-plus-08-2024', 'command-r-plus'],
    ['with a version', 'gemini-1.5-pro-002', 'gemini-1.5-pro'],
    ['with a version', 'gemini-2.0-flash-lite-001', 'gemini-2.0-flash-lite'],
    ['with a version', 'gemini-2.0-flash@001', 'gemini-2.0-flash'],
    ['with an alias', 'claude-3-7-sonnet-latest', 'claude-3-7-sonnet'],
    ['with an alias', 'gpt-5-chat-latest', 'gpt-5-chat'],
    ['with an alias', 'openai/gpt-5-mini:latest', 'gpt-5-mini'],
    ['with an alias', 'claude-opus-4@default', 'claude-opus-4'],
    ['as a preview', 'gpt-4-turbo-preview', 'gpt-4-turbo'],
    ['as a preview', 'gemini-3.1-flash-lite-preview', 'gemini-3.1-flash-lite'],
    ['as a variant', 'anthropic/claude-3.7-sonnet:thinking', 'claude-3-7-sonnet'],
    ['as a variant', 'openai/gpt-4o-mini:online', 'gpt-4o-mini'],
    ['as a variant', 'openai/gpt-4o:extended', 'gpt-4o'],
    ['as a variant', 'anthropic/claude-sonnet-4.5:nitro', 'claude-sonnet-4-5'],
    ['with a longer context', 'claude-opus-4-6[1m]', 'claude-opus-4-6'],
    ['with reasoning', 'claude-sonnet-4-5-20250929-thinking', 'claude-sonnet-4-5'],
    ['with an effort of reasoning', 'gpt-5-mini-2025-08-07-high', 'gpt-5-mini'],
    ['with its version first', 'claude-4-sonnet', 'claude-sonnet-4'],
    ['with a date first', '2024-08-06-gpt-4o', 'gpt-4o'],
    ['with a date first after a gateway', 'azure/20241022-claude-3-5-sonnet', 'claude-3-5-sonnet'],
    ['with its version first', 'anthropic/claude-4.5-sonnet-20250929', 'claude-sonnet-4-5'],
    ['with a vendor and two dashes', 'anthropic--claude-4.5-sonnet', 'claude-sonnet-4-5'],
    ['of Databricks', 'databricks-claude-sonnet-4-5', 'claude-sonnet-4-5'],
    ['of Bedrock with a version', 'openai.gpt-oss-120b-1:0', 'gpt-oss-120b'],
    ['fine-tuned', 'ft:gpt-4o-mini-2024-07-18:acme::AbC12', 'ft:gpt-4o-mini'],
    ['fine-tuned', 'openai/ft:gpt-4.1-2025-04-14:acme:name:AbC12', 'ft:gpt-4.1'],
    ['by its release when that has its own price', 'openai/gpt-4o-2024-05-13', 'gpt-4o-2024-05-13'],
    ['by its release when that has its own price', 'azure/2024-05-13-gpt-4o', 'gpt-4o-2024-05-13'],
    ['by its release when that has its own price', 'gpt-4-0125-preview', 'gpt-4-0125-preview'],
    ['by its release when that has its own price', 'command-r-03-2024', 'command-r-03-2024'],
    [
      'by its release when that has its own price',
      'gemini-2.5-flash-preview-05-20',
      'gemini-2.5-flash-preview-05-20',
    ],
  ])('%s: %s', (_how, model, name) => {
    expect(nameOf(model)).toBe(name);
  });

  it.each([
    ['openai/gpt-oss-120b', 'groq', 'groq/openai/gpt-oss-120b'],
    ['gpt-oss-120b', 'Cerebras', 'cerebras/gpt-oss-120b'],
    ['gpt-oss-120b', 'openrouter', 'gpt-oss-120b'],
    ['gpt-oss-120b', '', 'gpt-oss-120b'],
    ['gpt-oss-120b', null, 'gpt-oss-120b'],
    ['gpt-oss-120b', 'x'.repeat(1000), 'gpt-oss-120b'],
    ['groq/qwen/qwen3-32b', null, 'groq/qwen/qwen3-32b'],
  ])('%s of %j as %s', (model, provider, name) => {
    expect(nameOf(model, provider)).toBe(name);
  });

  it('for nothing, where its name says so', () => {
    expect(prices.find('openai/gpt-oss-120b:free')).toEqual({
      name: 'gpt-oss-120b',
      price: { input: 0, output: 0 },
      source: 'free',
    });
  });
});

describe('no price is found', () => {
  it.each([
    'gpt-4o-mini-tts',
    'gpt-4o-transcribe',
    'gpt-4o-realtime-preview',
    'gpt-4o-audio-preview-2024-12-17',
    'gpt-4o-mini-search-preview',
    'gpt-5-ultra',
    'kimi-k9-thinking',
    'claude-9-sonnet',
    'my-model-high',
    'gpt-5.9',
    'gpt-image-1',
    'gpt-4-0999',
    'o3-vision',
    'ft:gpt-4-0613:acme::AbC12',
    'claude-opus-4-99',
    'claude',
    'gemini-2.5-flash-image-preview',
    'gemini-2.5-pro-preview-tts',
    'mistral-large-2701',
    'deepseek-v9',
    'amazon.titan-embed-text-v3:0',
    'llama3.3',
    'my-gpt-4o',
    'gpt-4o-acme',
    '',
    ' ',
    '/',
    'openai/',
    'gpt-4o\n',
    'gpt-4o\0',
    'gpt-4o'.padStart(300, '/'),
    'x'.repeat(1_000_000),
    '__proto__',
    'constructor',
  ])('for %j', (model) => {
    expect(nameOf(model)).toBeNull();
  });

  it.each([
    ['mistral-embed', 'ollama'],
    ['ollama/command-r', null],
    ['hosted_vllm/deepseek-chat', 'openai'],
  ])('for %s on one’s own machine (%s)', (model, provider) => {
    expect(nameOf(model, provider)).toBeNull();
  });
});

describe('prices of one’s own', () => {
  const own = createPriceList({
    file: {
      'gpt-4o': { input: 1, output: 2 },
      'GPT-4o': { input: 3, output: 4 },
      'azure/gpt-4o': { input: 5, output: 6 },
      'Acme-Chat-1.5': { input: 7, output: 8 },
      'ollama/command-r': { input: 9, output: 9 },
    },
  });

  it.each([
    ['the same letters first', 'gpt-4o', null, 'gpt-4o'],
    ['the same letters first', 'GPT-4o', null, 'GPT-4o'],
    ['those of the provider before that', 'gpt-4o', 'azure', 'azure/gpt-4o'],
    ['the provider in the name', 'azure/gpt-4o-2024-08-06', null, 'azure/gpt-4o'],
    ['other spellings', 'acme/acme-chat-1-5-20260101', null, 'Acme-Chat-1.5'],
    ['what the built-in table has a release of', 'gpt-4o-2024-05-13', null, 'gpt-4o'],
    ['what runs on one’s own machine', 'command-r', 'ollama', 'ollama/command-r'],
    ['the built-in table for the rest', 'gpt-4o-mini', null, 'gpt-4o-mini'],
  ])('take precedence: %s (%s of %s)', (_definition, model, provider, name) => {
    expect(own.find(model, provider)?.name).toBe(name);
  });

  it('leave other lists alone', () => {
    expect(prices.find('gpt-4o')?.price).toMatchObject({ input: 2.5, output: 10, cacheRead: 1.25 });
  });
});

describe('prices of several periods', () => {
  const at = (day: string): number => Date.parse(`${day}T00:00:00Z`);
  const own = createPriceList({
    application: { 'gpt-4o': { from: '2026-06-01', input: 1, output: 1 } },
    file: {
      dated: [
        { from: '2026-09-01', input: 3, output: 3 },
        { input: 2, output: 2 },
      ],
    },
  });

  it.each<[model: string, day: string, input: number, source: string]>([
    ['dated', '2020-01-01', 2, 'file'],
    ['dated', '2026-08-31', 2, 'file'],
    ['dated', '2026-09-01', 3, 'file'],
    ['gpt-4o', '2026-05-31', 2.5, 'built-in'],
    ['gpt-4o', '2026-06-01', 1, 'application'],
    ['claude-sonnet-5', '2026-08-31', 2, 'built-in'],
    ['claude-sonnet-5', '2026-09-01', 3, 'built-in'],
  ])('%s on %s', (model, day, input, source) => {
    const found = own.find(model, null, at(day));
    expect([found?.price.input, found?.source]).toEqual([input, source]);
  });
});

describe('a calculation', () => {
  const tokens = fc.nat({ max: 2_000_000 });
  const usage = fc.record({
    inputTokens: tokens,
    outputTokens: tokens,
    cacheReadTokens: tokens,
    cacheWriteTokens: tokens,
    cacheWriteHourTokens: tokens,
    audio: fc.record({ inputTokens: tokens, cacheReadTokens: tokens, outputTokens: tokens }),
  });
  const amount = fc.double({ min: 0, max: 1000, noNaN: true });
  const tokenPrice = {
    input: amount,
    output: amount,
    cacheRead: amount,
    cacheWrite: amount,
    cacheWriteHour: amount,
    audioInput: amount,
    audioOutput: amount,
    audioCacheRead: amount,
  };
  const price = fc.record(
    {
      ...tokenPrice,
      long: fc.array(fc.record({ ...tokenPrice, above: fc.nat({ max: 2_000_000 }) })),
      tiers: fc.record({ flex: amount, priority: fc.record(tokenPrice) }),
    },
    { requiredKeys: ['input', 'output'] },
  );
  const tier = fc.constantFrom(null, '', 'default', 'flex', 'priority', 'batch', 'other');

  it('is the sum of its parts, each quantity × price, and counts every token once', () => {
    fc.assert(
      fc.property(usage, price, tier, (used, priced, named) => {
        const calculated = calculate(used, priced, 'gpt-5', named);
        if (typeof calculated === 'string') return;
        let sum = 0;
        for (const { quantity, pricePerMillion, cost } of calculated.parts) {
          expect(cost).toBe((quantity * pricePerMillion) / 1e6);
          sum += cost;
        }
        expect(calculated.cost).toBe(sum);
        const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = used;
        if (cacheReadTokens + cacheWriteTokens > inputTokens) return;
        const audioIn = Math.max(
          0,
          Math.min(used.audio.inputTokens, inputTokens) -
            Math.min(used.audio.cacheReadTokens, cacheReadTokens),
        );
        if (cacheReadTokens + cacheWriteTokens + audioIn > inputTokens) return;
        const counted = calculated.parts.reduce((total, { quantity }) => total + quantity, 0);
        expect(counted).toBe(inputTokens + outputTokens);
      }),
    );
  });

  const priced = {
    input: 2,
    output: 8,
    long: [
      { above: 200, input: 6, output: 24 },
      { above: 100, input: 4, output: 16 },
    ],
    tiers: { flex: 0.25, priority: { input: 10, output: 20 } },
  };
  const of = (inputTokens: number, tierName: string | null) =>
    calculate(
      { inputTokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
      priced,
      'my-model',
      tierName,
    );

  it.each<[inputTokens: number, tier: string | null, perMillion: number, shown: object]>([
    [100, null, 2, { tier: 'standard', factor: 1, above: null }],
    [101, 'default', 4, { tier: 'standard', factor: 1, above: 100 }],
    [201, null, 6, { tier: 'standard', factor: 1, above: 200 }],
    [201, 'Flex', 1.5, { tier: 'flex', factor: 0.25, above: 200 }],
    [201, 'priority', 10, { tier: 'priority', factor: null, above: null }],
  ])('of %i tokens in the tier %j has a price of %f dollars', (inputTokens, tierName, perMillion, shown) => {
    const calculated = of(inputTokens, tierName);
    expect(calculated).toMatchObject({ ...shown, parts: [{ pricePerMillion: perMillion }] });
  });

  it.each<[what: string, inputTokens: number, tier: string | null, perMillion: number[]]>([
    ['of few', 100, null, [2, 0.2, 2.5, 5]],
    ['of many', 400, null, [4, 0.4, 5, 10]],
    ['of very many, with a price of its own', 800, null, [6, 0.9, 7.5, 15]],
    ['of few in a tier', 100, 'priority', [10, 1, 12.5, 25]],
    ['of many in a tier that is a factor', 400, 'flex', [2, 0.2, 2.5, 5]],
  ])('%s tokens keeps the discount of cached tokens', (_, inputTokens, tierName, perMillion) => {
    const [cacheReadTokens, cacheWriteTokens, cacheWriteHourTokens] = [20, 40, 10];
    const cached = { cacheReadTokens, cacheWriteTokens, cacheWriteHourTokens };
    const discounted = {
      input: 2,
      output: 8,
      cacheRead: 0.2,
      cacheWrite: 2.5,
      cacheWriteHour: 5,
      long: [
        { above: 300, input: 4, output: 16 },
        { above: 500, input: 6, output: 24, cacheRead: 0.9 },
      ],
      tiers: { flex: 0.5, priority: { input: 10, output: 20 } },
    };
    const calculated = calculate({ inputTokens, outputTokens: 0, ...cached }, discounted, 'm', tierName);
    const parts = typeof calculated === 'string' ? [] : calculated.parts;
    expect(parts.map(({ part }) => part)).toEqual(['input', 'cacheRead', 'cacheWrite', 'cacheWriteHour']);
    for (const [index, { pricePerMillion }] of parts.entries())
      expect(pricePerMillion).toBeCloseTo(perMillion[index] as number, 12);
  });

  it('says why it is not possible', () => {
    expect(of(100, 'batch')).toBe('tier');
    const audio = { inputTokens: 5, cacheReadTokens: 0, outputTokens: 0 };
    const used = { inputTokens: 10, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, audio };
    expect(calculate(used, { input: 1, output: 1 })).toBe('audio');
  });
});

describe('a look-up', () => {
  it('returns the same again, also for names without a price, and after very many others', () => {
    const list = createPriceList();
    const first = list.find('gpt-4o-2024-08-06', 'openai');
    expect(list.find('gpt-4o-2024-08-06', 'openai')).toBe(first);
    for (let i = 0; i < 10_000; i++) expect(list.find(`unknown-${i}`)).toBeNull();
    expect(list.find('unknown-1')).toBeNull();
    expect(list.find('gpt-4o-2024-08-06', 'openai')).toEqual(first);
  });

  it('throws nothing, and finds only what is in the table', () => {
    const part = fc.constantFrom(
      'openai',
      '/',
      ':',
      '.',
      '-',
      '@',
      'us.',
      'ft:',
      'gpt-4o',
      '-20241022',
      '-v1',
      ' ',
    );
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.array(part).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(name, fc.option(name), (model, provider) => {
        const found = prices.find(model, provider);
        expect(found === null || found.name in MODEL_PRICES).toBe(true);
      }),
    );
  });
});

describe('what a call costs', () => {
  const usage = (inputTokens: number, outputTokens: number, cacheReadTokens = 0, cacheWriteTokens = 0) => ({
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
  });

  it.each<[string, ReturnType<typeof usage>, dollars: number]>([
    ['gpt-4o', usage(1000, 500), 0.0075],
    ['gpt-4o', usage(1_000_000, 1_000_000), 12.5],
    ['gpt-4o', usage(10_000, 1000, 8000), 0.005 + 0.01 + 0.01],
    ['gpt-4o-mini', usage(12_345, 678), 0.00185175 + 0.0004068],
    ['claude-sonnet-4-5', usage(2095, 503), 0.006285 + 0.007545],
    ['claude-sonnet-4-5', usage(30_000, 1000, 20_000, 5000), 0.015 + 0.006 + 0.01875 + 0.015],
    ['gemini-2.5-pro', usage(1000, 1000, 1000), 0.000125 + 0.01],
    ['text-embedding-3-small', usage(8192, 0), 0.00016384],
    ['gpt-5', usage(0, 0), 0],
  ])('of %s with %j', (model, tokens, dollars) => {
    const { price } = prices.find(model) as { price: ModelPrice };
    expect(prices.cost(tokens, price)).toBeCloseTo(dollars, 12);
  });

  it.each<[string, ModelPrice, ReturnType<typeof usage>, dollars: number]>([
    ['cached tokens without a price as input', { input: 2, output: 0 }, usage(1_000_000, 0, 3e5, 2e5), 2],
    ['free cache writes', { input: 2, output: 0, cacheWrite: 0 }, usage(1_000_000, 0, 0, 5e5), 1],
    [
      'tokens of a cache that input leaves out',
      { input: 2, output: 0, cacheRead: 1 },
      usage(100_000, 0, 1_000_000),
      1,
    ],
  ])('counts %s', (_definition, price, tokens, dollars) => {
    expect(prices.cost(tokens, price)).toBeCloseTo(dollars, 12);
  });

  const audioPrice = { input: 4, output: 16, cacheRead: 0.5, audioInput: 32, audioOutput: 64 };
  const audioOf = (inputTokens: number, cacheReadTokens: number, outputTokens: number) => ({
    audio: { inputTokens, cacheReadTokens, outputTokens },
  });

  it.each<[string, ModelPrice, ReturnType<typeof audioOf>, dollars: number | null]>([
    ['apart from text', audioPrice, audioOf(200, 0, 90), 20 * 4 + 80 * 0.5 + 200 * 32 + 10 * 16 + 90 * 64],
    [
      'and cached audio apart from cached text',
      { ...audioPrice, audioCacheRead: 0.4 },
      audioOf(200, 60, 90),
      80 * 4 + 20 * 0.5 + 140 * 32 + 60 * 0.4 + 10 * 16 + 90 * 64,
    ],
    ['as unknown if audio has no price', { input: 4, output: 16 }, audioOf(200, 0, 0), null],
    ['as text if there is none', { input: 4, output: 16 }, audioOf(0, 0, 0), 300 * 4 + 100 * 16],
  ])('counts audio tokens %s', (_definition, price, audio, millionths) => {
    const cost = prices.cost({ ...usage(300, 100, 80), ...audio }, price);
    expect(cost === null ? null : Math.round(cost * 1e9)).toBe(
      millionths === null ? null : Math.round(millionths * 1e3),
    );
  });

  it('is never negative, and never falls with more tokens or higher prices', () => {
    const tokens = fc.nat({ max: 1e12 });
    const dollars = fc.double({ min: 0, max: 1e6, noNaN: true });
    const somePrice = fc.record(
      { input: dollars, output: dollars, cacheRead: dollars, cacheWrite: dollars },
      { requiredKeys: ['input', 'output'] },
    );
    const someUsage = fc.tuple(tokens, tokens, tokens, tokens);
    fc.assert(
      fc.property(
        someUsage,
        somePrice,
        tokens,
        dollars,
        ([input, output, read, write], price, more, dearer) => {
          const cost = Number(prices.cost(usage(input, output, read, write), price));
          expect(cost).toBeGreaterThanOrEqual(0);
          expect(cost).toBeLessThan(Infinity);
          for (const higher of [
            prices.cost(usage(input + more, output, read, write), price),
            prices.cost(usage(input, output + more, read, write), price),
            prices.cost(usage(input + more, output, read + more, write), price),
            prices.cost(usage(input + more, output, read, write + more), price),
            prices.cost(usage(input, output, read, write), { ...price, input: price.input + dearer }),
            prices.cost(usage(input, output, read, write), { ...price, output: price.output + dearer }),
          ]) {
            expect(higher).toBeGreaterThanOrEqual(cost);
          }
        },
      ),
    );
  });
});
