import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/traces/conventions/json.ts';
import { isMappedKey, VOCABULARIES } from '../../src/traces/conventions/rule-set.ts';
import { truncate } from '../../src/traces/truncate.ts';
import { mapSpan } from '../../src/traces/map-span.ts';
import { SpanMapping } from '../../src/traces/mapping.ts';
import { SPAN_KINDS } from '../../src/traces/span-kinds.ts';
import { bytesField, textField, varintField } from '../support/otlp-wire.ts';
import { incomingSpans, uuid, type Values } from '../support/spans.ts';

const mapped = (attributes: Values): SpanMapping =>
  mapSpan(incomingSpans([{ id: 1, attributes }])[0]?.bytes ?? Buffer.alloc(0), new SpanMapping());
const kindOf = (attributes: Values): string | undefined => SPAN_KINDS[mapped(attributes).kind];

const RULES = VOCABULARIES.flatMap(({ rules }) => rules);

describe('the rules', () => {
  it('name each field of an attribute once', () => {
    const names = RULES.map(({ key, field }) => `${field} from ${key}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('are all found by their key, and by no other', () => {
    for (const { key: pattern, field, kinds, pick, isCommonWord = false } of RULES) {
      if (pattern.startsWith('event ') || pick) continue;
      const key = pattern.replace(/\.#$/, '.0.x').replace(/\.\*$/, '.x');
      const value = typeof kinds === 'object' ? (Object.keys(kinds)[0] as string) : '1';
      expect(mapped({ [key]: value }).has(field), key).toBe(true);
      expect(isMappedKey(key), key).toBe(!isCommonWord);
      expect(mapped({ [`x${key}`]: value, [key.slice(1)]: value }).has(field), key).toBe(false);
    }
    for (const key of [
      'anything.else',
      '',
      'a',
      'gen_ai.',
      'llm.input_messages',
      'llm.input_messages.x.role',
    ])
      expect(isMappedKey(key), key).toBe(false);
  });

  it('are looked up for no key, and no name of an event, that is too long', () => {
    const dots = `metadata${'.a'.repeat(500_000)}`;
    expect(isMappedKey(dots)).toBe(false);
    const logs = [{ eventName: dots }, { eventName: 'gen_ai.choice' }];
    const bytes = incomingSpans([{ id: 1 }])[0]?.bytes ?? Buffer.alloc(0);
    expect(mapSpan(bytes, new SpanMapping(), logs).has('outputMessages')).toBe(true);
  });

  it('take an index of at most four digits', () => {
    const has = (key: string): boolean => mapped({ [key]: 'x' }).has('inputMessages');
    expect(['0', '9999'].map((index) => has(`llm.input_messages.${index}.message.role`))).toEqual([
      true,
      true,
    ]);
    for (const index of ['10000', '-1', '01', '1e3', '+1', '', ' 1', '٣'])
      expect(has(`llm.input_messages.${index}.message.role`), index).toBe(false);
  });

  it('give way to those before them, in whatever order attributes come', () => {
    const keys = fc.subarray(['gen_ai.response.model', 'gen_ai.request.model', 'llm.model_name'], {
      minLength: 1,
    });
    fc.assert(
      fc.property(
        keys.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([ranked, order]) => {
          expect(mapped(Object.fromEntries(order.map((key) => [key, key]))).text('model')).toBe(ranked[0]);
        },
      ),
    );
  });
});

describe('the kind of a span', () => {
  it.each<[rule: string, attributes: Values, kind: string]>([
    ['is SPAN when nothing says more', { a: 1 }, 'SPAN'],
    ['is what OpenInference says', { 'openinference.span.kind': 'RETRIEVER' }, 'RETRIEVER'],
    ['is what the GenAI operation says', { 'gen_ai.operation.name': 'execute_tool' }, 'TOOL'],
    ['is LLM for a span that names a model', { 'gen_ai.request.model': 'm' }, 'LLM'],
    [
      'is not LLM for a native event that names one',
      { 'touchstone.event': 'log', 'gen_ai.request.model': 'm' },
      'SPAN',
    ],
    [
      'takes the first vocabulary that says something',
      { 'gen_ai.operation.name': 'chat', 'openinference.span.kind': 'AGENT' },
      'AGENT',
    ],
    [
      'asks the next one where a value is unknown',
      { 'openinference.span.kind': 'odd', 'gen_ai.operation.name': 'chat' },
      'LLM',
    ],
    ['takes no notice of a value that is no text', { 'openinference.span.kind': 1 }, 'SPAN'],
    ['takes no value from the prototype', { 'openinference.span.kind': 'constructor' }, 'SPAN'],
  ])('%s', (_definition, attributes, kind) => {
    expect(kindOf(attributes)).toBe(kind);
  });
});

describe('values', () => {
  it.each<[rule: string, value: Values[string], text: string | null]>([
    ['a text as it is', 'hello', 'hello'],
    ['a number as JSON', 7, '7'],
    ['an array as JSON', ['a', 1, null], '["a",1,null]'],
    ['an object as JSON', { a: { b: true } }, '{"a":{"b":true}}'],
    ['bytes as base64', new Uint8Array([1, 2]), 'AQI='],
    ['an integer beyond 2^53 with all its digits', 2n ** 60n, '1152921504606846976'],
    ['an empty value as none', null, null],
    ['blanks as none', ' \n\t', null],
    ['blanks of other scripts as none', '\u00a0\u3000 ', null],
    ['a text with blanks around it as it is', ' \u00a0hi ', ' \u00a0hi '],
  ])('are read as text: %s', (_definition, value, text) => {
    expect(mapped({ 'input.value': value }).text('input')).toBe(text);
  });

  it.each<[rule: string, value: Values[string], tokens: number]>([
    ['a number', 12, 12],
    ['a text that is a number', ' 12 ', 12],
    ['a fraction cut off', 12.9, 12],
    ['nothing below zero', -5, 0],
    ['no text that is no number', 'many', 0],
    ['no empty text', '', 0],
    ['no truth value', true, 0],
    ['no list', [12], 0],
    ['no infinity', Number.POSITIVE_INFINITY, 0],
    ['no more than a sum can hold', 2n ** 63n - 1n, 1e12],
  ])('are counted as tokens: %s', (_definition, value, tokens) => {
    expect(mapped({ 'gen_ai.usage.input_tokens': value }).count('inputTokens')).toBe(tokens);
  });

  it('of a key that comes twice are the last one', () => {
    const attribute = (value: Buffer): Buffer =>
      bytesField(9, Buffer.concat([textField(1, 'session.id'), bytesField(2, value)]));
    const bytes = Buffer.concat([attribute(textField(1, 'one')), attribute(varintField(3, 2n))]);
    expect(mapSpan(bytes, new SpanMapping()).text('sessionId')).toBe('2');
  });

  it('are truncated to what an index holds, and never empty there', () => {
    expect(mapped({ 'session.id': 'x'.repeat(1000) }).name('sessionId')).toBe('x'.repeat(256));
    expect(mapped({ 'session.id': '' }).name('sessionId')).toBeNull();
  });

  it.each<[rule: string, value: Values[string], tags: string[]]>([
    ['an array', ['a', ' b ', '', 'a', 3], ['a', 'b']],
    ['JSON text of an array', '["a","b"]', ['a', 'b']],
    ['a list with commas', 'a, b,,a', ['a', 'b']],
    ['nothing else', { a: 'b' }, []],
  ])('are tags: %s', (_definition, value, tags) => {
    expect(mapped({ 'tag.tags': value }).tags()).toEqual(tags);
  });

  it('are metadata when they are an object, or JSON text of one', () => {
    const pairs = [
      ['a', 'b'],
      ['n', '1'],
      ['o', '{"x":[]}'],
    ];
    const metadata = { a: 'b', n: 1, o: { x: [] } };
    expect(mapped({ metadata }).metadataPairs()).toEqual(pairs);
    expect(mapped({ metadata: JSON.stringify(metadata) }).metadataPairs()).toEqual(pairs);
    for (const odd of ['text', '{broken', '[1]', 7])
      expect(mapped({ metadata: odd }).metadataPairs()).toEqual([]);
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${i}`, i]));
    expect(mapped({ metadata: many }).metadataPairs()).toHaveLength(64);
    expect(mapped({ metadata: '{"__proto__":"x"}' }).metadataPairs()).toEqual([['__proto__', 'x']]);
  });

  it('are a test id when they are a uuid, in whatever case', () => {
    const testIdOf = (value: Values[string]): unknown => mapped({ 'service.test.id': value }).testId();
    expect(testIdOf(` ${uuid(255).toUpperCase()} `)).toBe(uuid(255));
    expect(testIdOf('nightly')).toBeUndefined();
    expect(testIdOf(7)).toBeUndefined();
    expect(testIdOf(null)).toBeNull();
    expect(mapped({}).testId()).toBeNull();
  });

  it('of one span say nothing about the next', () => {
    const mapping = new SpanMapping();
    const [one, two] = incomingSpans([
      { id: 1, attributes: { 'session.id': 's', 'openinference.span.kind': 'TOOL' } },
      { id: 2 },
    ]);
    expect(mapSpan(one?.bytes ?? Buffer.alloc(0), mapping).name('sessionId')).toBe('s');
    mapSpan(two?.bytes ?? Buffer.alloc(0), mapping);
    expect([mapping.name('sessionId'), mapping.kind, mapping.flags]).toEqual([null, 0, 0]);
  });
});

describe('texts', () => {
  it('are truncated between characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat({ max: 10 }), (text, length) => {
        const short = truncate(text, length);
        expect(
          text.startsWith(short) &&
            short.length <= length &&
            short.length >= Math.min(length, text.length) - 1,
        ).toBe(true);
        expect(short.isWellFormed()).toBe(true);
      }),
    );
  });

  it('are parsed as JSON only where they are an object or an array', () => {
    for (const text of ['1', 'true', '"x"', 'null', '{broken', '[1', '']) expect(parseJson(text)).toBe(text);
    expect(parseJson(' {"a":1}')).toEqual({ a: 1 });
    expect(parseJson('[1]')).toEqual([1]);
  });
});
