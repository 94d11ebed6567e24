import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OwnMappings } from '../../src/traces/own-rules/own-mappings.ts';
import { OWN_FIELDS, type OwnRule, parsePath, PREFIX_FIELDS } from '../../src/traces/own-rules/own-rule.ts';
import { proposedField } from '../../src/traces/own-rules/propose.ts';
import { described } from '../support/described.ts';
import type { Values } from '../support/spans.ts';

const read = (attributes: Values, ...rules: OwnRule[]) =>
  described(attributes, { own: new OwnMappings(rules) });
const valueOf = (attributes: Values, ...rules: OwnRule[]): unknown => {
  const [rule] = rules as [OwnRule];
  return read(attributes, ...rules).fields[rule.field]?.value;
};

describe('an own rule', () => {
  it.each<[how: string, attributes: Values, rule: OwnRule, value: unknown]>([
    ['a text', { 'acme.q': 'Hi' }, { key: 'acme.q', field: 'input' }, 'Hi'],
    ['a number', { 'acme.in': 12 }, { key: 'acme.in', field: 'inputTokens' }, 12],
    [
      'a number as text',
      { 'acme.in': '1,234' },
      { key: 'acme.in', field: 'inputTokens', type: 'number' },
      1234,
    ],
    [
      'a part of JSON',
      { 'acme.call': '{"request":{"m":[{"content":"Hi"}]}}' },
      { key: 'acme.call', field: 'input', path: 'request.m[0].content' },
      'Hi',
    ],
    [
      'JSON inside JSON',
      { 'acme.call': JSON.stringify({ body: '{"model":"acme-1"}' }) },
      { key: 'acme.call', field: 'model', path: '$.body.model' },
      'acme-1',
    ],
    ['a key that is not ASCII', { 'größe.modell': 'm' }, { key: 'größe.modell', field: 'model' }, 'm'],
    [
      'an object from several keys',
      { 'acme.in.a': 'x', 'acme.in.b': 'y' },
      { key: 'acme.in.*', field: 'promptVariables' },
      { a: 'x', b: 'y' },
    ],
    [
      'an object from those keys that have the path',
      { 'acme.in.a': '{"v":"x"}', 'acme.in.b': '{"w":"y"}', 'acme.in.c': '{"v":"z"}' },
      { key: 'acme.in.*', field: 'promptVariables', path: 'v' },
      { a: 'x', c: 'z' },
    ],
    [
      'metadata',
      { 'acme.meta.tenant': 'a', 'acme.meta.plan': 'b' },
      { key: 'acme.meta.*', field: 'metadata' },
      { tenant: 'a', plan: 'b' },
    ],
    ['a kind by its name', { 'acme.type': 'tool' }, { key: 'acme.type', field: 'kind' }, 'TOOL'],
    [
      'a kind by the sender’s name',
      { 'acme.type': 'completion' },
      { key: 'acme.type', field: 'kind', kinds: { completion: 'LLM' } },
      'LLM',
    ],
    ['a kind by a prefix', { 'acme.llm.x': 1 }, { key: 'acme.llm.*', field: 'kind', kind: 'LLM' }, 'LLM'],
    [
      'messages',
      { 'acme.m': '[{"role":"user","content":"Hi"}]' },
      { key: 'acme.m', field: 'inputMessages' },
      [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
    ],
    ['instructions', { 'acme.s': 'Be kind.' }, { key: 'acme.s', field: 'systemInstructions' }, 'Be kind.'],
  ])('gives %s', (_how, attributes, rule, value) => {
    expect(valueOf(attributes, rule)).toEqual(value);
    const { fields, unmapped } = read(attributes, rule);
    expect(fields[rule.field]).toMatchObject({ vocabulary: 'own', from: rule.key });
    expect(unmapped).toEqual([]);
  });

  it('precedes every vocabulary, and the first own rule the second', () => {
    const attributes = { 'gen_ai.request.model': 'gpt-4o', 'acme.a': 'a', 'acme.b': 'b' };
    const [a, b] = [
      { key: 'acme.a', field: 'model' },
      { key: 'acme.b', field: 'model' },
    ] as const;
    expect(valueOf(attributes, a, b)).toBe('a');
    expect(valueOf(attributes, b, a)).toBe('b');
    expect(valueOf({ ...attributes, 'acme.a': '' }, a)).toBe('gpt-4o');
  });

  it('means a kind besides its field', () => {
    const { fields } = read({ 'acme.q': 'Hi' }, { key: 'acme.q', field: 'input', kind: 'RETRIEVER' });
    expect([fields.kind?.value, fields.input?.value]).toEqual(['RETRIEVER', 'Hi']);
  });

  it.each<[what: string, value: Values[string], rule: Partial<OwnRule>]>([
    ['a path that leads nowhere', '{"a":1}', { path: 'b.c' }],
    ['a path into a text', 'plain', { path: 'b' }],
    ['a text that is no number', 'many', { type: 'number' }],
    ['an empty text', '', {}],
  ])('with %s changes nothing', (_what, value, rule) => {
    const sent = { 'acme.in': value, 'gen_ai.usage.input_tokens': 5 };
    expect(valueOf(sent, { key: 'acme.in', field: 'inputTokens', ...rule })).toBe(5);
  });

  it('takes any value by any rule, and leaves JSON', () => {
    const key = fc.constantFrom('acme.a', 'acme.b.c', 'acme.b.d', 'gen_ai.request.model', 'ai.value');
    const rule = fc
      .record(
        {
          key: fc.oneof(key, fc.constantFrom('acme.*', 'acme.b.*')),
          field: fc.constantFrom(...OWN_FIELDS),
          path: fc.constantFrom('a', '[0]', 'a.b[1]', '["a b"]'),
          type: fc.constantFrom('text' as const, 'number' as const, 'json' as const),
          kind: fc.constantFrom('LLM' as const, 'TOOL' as const),
        },
        { requiredKeys: ['key', 'field'] },
      )
      .filter(({ key: named, field }) => !named.endsWith('*') || PREFIX_FIELDS.includes(field));
    const value = fc.oneof(fc.json(), fc.string(), fc.integer(), fc.boolean());
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), fc.dictionary(key, value), (rules, attributes) => {
        const one = read(attributes, ...rules);
        expect(JSON.parse(JSON.stringify(one))).toEqual(JSON.parse(JSON.stringify(one)));
      }),
    );
  });
});

it.each<[path: string, segments: unknown]>([
  ['a.b[0].c', ['a', 'b', 0, 'c']],
  ['$.a', ['a']],
  ['[2]["x.y"]', [2, 'x.y']],
  ['a..b', null],
  ['a[', null],
  ['a[x]', null],
  ['a.', null],
])('the path %s has the segments %j', (path, segments) => {
  expect(parsePath(path)).toEqual(segments);
});

it.each<[key: string, value: string | number, field: string | null]>([
  ['acme.llm.promptTokens', 12, 'inputTokens'],
  ['acme.usage.output_tokens', '7', 'outputTokens'],
  ['acme.total_cost', 0.1, 'cost'],
  ['acme.cached_input_tokens', 3, 'cacheReadTokens'],
  ['acme.cache_read_tokens', 3, 'cacheReadTokens'],
  ['acme.cache_creation_input_tokens', 3, null],
  ['acme.audio_input_tokens', 3, null],
  ['acme.ephemeral_5m_input_tokens', 3, null],
  ['acme.input_cost', 0.1, null],
  ['acme.cost.output', 0.1, null],
  ['acme.conversation_id', 'c1', 'sessionId'],
  ['acme.modelName', 'm', 'model'],
  ['acme.question', 'Hi?', 'input'],
  ['acme.answer', 'Yes.', 'output'],
  ['acme.history', '[{"role":"user","content":"Hi"}]', 'inputMessages'],
  ['acme.color', 'red', null],
])('%s with %j is proposed as %s', (key, value, field) => {
  expect(proposedField(key, value)).toBe(field);
});
