import { describe, expect, it } from 'vitest';
import { sumOnce } from '../../src/traces/open-trace.ts';
import { buildTree } from '../../src/traces/tree.ts';
import { skeletonOf } from '../support/skeletons.ts';
import { batchOf, incomingSpans, MS, type SpanSpec, type Values } from '../support/spans.ts';

const ROOT: SpanSpec = { id: 1, name: 'agent', end: 1_000 * MS };
const MODEL = 'gpt-5-mini-2026-08-07';

/** A call of 196 and 40 tokens that takes from 10 to 90 ms. */
function call(id: number, scope: string, attributes: Values = {}, more: Partial<SpanSpec> = {}): SpanSpec {
  return {
    id,
    parent: 1,
    scope,
    start: 10 * MS,
    end: 90 * MS,
    attributes: {
      'gen_ai.response.model': MODEL,
      'gen_ai.usage.input_tokens': 196,
      'gen_ai.usage.output_tokens': 40,
      ...attributes,
    },
    ...more,
  };
}

const within = { start: 11 * MS, end: 89 * MS };
const later = { start: 200 * MS, end: 280 * MS };
const response = (id: string): Values => ({ 'gen_ai.response.id': id });
const openinference: Values = {
  'gen_ai.response.model': null,
  'gen_ai.usage.input_tokens': null,
  'gen_ai.usage.output_tokens': null,
  'llm.model_name': 'gpt-5-mini',
  'llm.token_count.prompt': 196,
  'llm.token_count.completion': 40,
};

describe('a call that two instrumentations report', () => {
  it.each<[rule: string, spans: SpanSpec[], calls: number]>([
    ['siblings of one response', [call(2, 'a', response('r')), call(3, 'b', response('r'))], 1],
    [
      'of one response, below different spans',
      [
        { ...ROOT, id: 9, parent: 1 },
        call(2, 'a', response('r')),
        call(3, 'b', response('r'), { parent: 9 }),
      ],
      1,
    ],
    [
      'of one response, with other counts',
      [call(2, 'a', response('r')), call(3, 'b', { ...response('r'), 'gen_ai.usage.input_tokens': 12 })],
      1,
    ],
    ['siblings of one model, time and usage', [call(2, 'a'), call(3, 'b', openinference, within)], 1],
    ['only one of which has a response', [call(2, 'a', response('r')), call(3, 'b', openinference)], 1],
    ['three of them', [call(2, 'a'), call(3, 'b'), call(4, 'c', openinference)], 1],
    [
      'two in turn',
      [call(2, 'a'), call(3, 'b', {}, within), call(4, 'a', {}, later), call(5, 'b', {}, later)],
      2,
    ],
    [
      'two at the same time',
      [call(2, 'a'), call(3, 'b', {}, within), call(4, 'a'), call(5, 'b', {}, within)],
      2,
    ],
  ])('counts once: %s', (_rule, spans, calls) => {
    const usage = { inputTokens: 196 * calls, outputTokens: 40 * calls, totalTokens: 236 * calls };
    for (const sent of [spans, spans.toReversed()]) {
      expect(sumsOf([ROOT, ...sent])).toMatchObject(usage);
      expect(batchOf([ROOT, ...sent]).traces[0]?.rollup).toMatchObject(usage);
    }
  });

  it.each<[rule: string, spans: SpanSpec[]]>([
    ['one instrumentation', [call(2, 'a'), call(3, 'a', {}, within)]],
    [
      'one instrumentation and a response id that is always the same',
      [call(2, 'a', response('r')), call(3, 'a', response('r'))],
    ],
    ['different responses', [call(2, 'a', response('r')), call(3, 'b', response('s'))]],
    ['another time', [call(2, 'a'), call(3, 'b', {}, later)]],
    ['another model', [call(2, 'a'), call(3, 'b', { 'gen_ai.response.model': 'claude-sonnet-5' })]],
    ['another parent', [call(2, 'a'), { ...ROOT, id: 9, parent: 1 }, call(3, 'b', {}, { parent: 9 })]],
  ])('counts twice for %s', (_rule, spans) => {
    expect(sumsOf([ROOT, ...spans])).toMatchObject({ inputTokens: 392, outputTokens: 80 });
  });

  it('counts another usage for itself', () => {
    const other = call(3, 'b', { 'gen_ai.usage.input_tokens': 197 });
    expect(sumsOf([ROOT, call(2, 'a'), other])).toMatchObject({ inputTokens: 393, outputTokens: 80 });
  });

  it('counts below a span that sums it up, too', () => {
    const agent = { ...call(9, 'a', { 'gen_ai.usage.input_tokens': 1_960 }), parent: 1 };
    const spans = [ROOT, agent, call(2, 'a', {}, { parent: 9 }), call(3, 'b', {}, { parent: 9, ...within })];
    expect(sumsOf(spans)).toMatchObject({ inputTokens: 196, outputTokens: 40 });
  });

  it('costs what its sender says, whichever span says it', () => {
    const sent = { 'gen_ai.usage.cost': 0.5 };
    expect(sumsOf([ROOT, call(2, 'a'), call(3, 'b', sent, within)]).cost).toBe(0.5);
    expect(sumsOf([ROOT, call(2, 'a', sent), call(3, 'b', {}, within)]).cost).toBe(0.5);
    const unknown = { 'gen_ai.response.model': null };
    expect(sumsOf([ROOT, call(2, 'a', unknown), call(3, 'b', {}, within)]).cost).toBeGreaterThan(0);
  });

  it('counts many at the same time as often as one instrumentation reports them', () => {
    const many = ['a', 'b'].flatMap((scope, i) =>
      Array.from({ length: 200 }, (_, n) => call(2 + i * 200 + n, scope)),
    );
    expect(sumsOf([ROOT, ...many]).inputTokens).toBe(196 * 200);
  });
});

const sumsOf = (spans: readonly SpanSpec[]) => sumOnce(buildTree(incomingSpans(spans).map(skeletonOf)));
