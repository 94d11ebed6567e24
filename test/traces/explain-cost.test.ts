import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { described } from '../support/described.ts';
import type { Values } from '../support/spans.ts';

const CALL = {
  'gen_ai.request.model': 'gpt-5-mini',
  'gen_ai.usage.input_tokens': 1000,
  'gen_ai.usage.output_tokens': 100,
};
const costOf = (attributes: Values) => described(attributes).cost;

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
