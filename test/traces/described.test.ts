import { describe, expect, it } from 'vitest';
import type { Given } from '../../src/traces/content.ts';
import type { Field } from '../../src/traces/conventions/rule.ts';
import { RULE_SET_VERSION } from '../../src/traces/conventions/rule-set.ts';
import type { DescribedSpan } from '../../src/traces/described.ts';
import { decodeLogRecord } from '../../src/traces/log-record.ts';
import type { JsonValue } from '../../src/traces/span-wire.ts';
import { described } from '../support/described.ts';
import { logBytes } from '../support/otlp-logs.ts';
import { fixed64Field, varintField } from '../support/otlp-wire.ts';
import type { Values } from '../support/spans.ts';
import { useStore } from '../support/storage.ts';

const given = (value: JsonValue, vocabulary: string, from: string): Given => ({ value, vocabulary, from });

const HELLO = '[{"role":"user","parts":[{"type":"text","content":"hello"}]}]';
const HELLO_MESSAGES = [{ role: 'user', parts: [{ type: 'text', text: 'hello' }] }];
const CALL = '[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}]';
const CALL_MESSAGES = [
  { role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name: 'f', arguments: {} }] },
];
const TOOL = { 'gen_ai.operation.name': 'execute_tool' };

describe('a field', () => {
  it.each<[rule: string, attributes: Values, field: Field, expected: Given | undefined]>([
    ['says what gave it', { 'user.id': 'ada' }, 'userId', given('ada', 'otel', 'user.id')],
    ['is not there when nothing gives it', { 'user.name': 'Ada' }, 'userId', undefined],
    ['is not there when what would give it is empty', { 'user.id': null }, 'userId', undefined],
    [
      'of many keys names how they begin',
      { 'llm.input_messages.0.message.role': 'user', 'llm.input_messages.0.message.content': 'hello' },
      'inputMessages',
      given(HELLO_MESSAGES, 'openinference', 'llm.input_messages.#'),
    ],
    [
      'comes from the vocabulary that goes first',
      { 'llm.model_name': 'a', 'ai.model.id': 'b', 'gen_ai.request.model': 'c' },
      'model',
      given('b', 'vercel', 'ai.model.id'),
    ],
    [
      'comes from the response before the request',
      { 'gen_ai.request.model': 'asked', 'gen_ai.response.model': 'answered' },
      'model',
      given('answered', 'gen_ai', 'gen_ai.response.model'),
    ],
    [
      'leaves out a key that gives nothing',
      { 'gen_ai.system': 'langchain', 'ai.model.provider': 'openai.chat' },
      'provider',
      given('openai', 'vercel', 'ai.model.provider'),
    ],
    [
      'is in milliseconds where these conventions have seconds',
      { 'gen_ai.response.time_to_first_chunk': 0.25 },
      'firstTokenMs',
      given(250, 'gen_ai', 'gen_ai.response.time_to_first_chunk'),
    ],
    [
      'is a list where some send one',
      { 'llm.finish_reason': 'stop' },
      'finishReasons',
      given(['stop'], 'openinference', 'llm.finish_reason'),
    ],
    [
      'of tokens is a whole number',
      { 'gen_ai.usage.input_tokens': '7.9' },
      'inputTokens',
      given(7, 'gen_ai', 'gen_ai.usage.input_tokens'),
    ],
    [
      'of tags is a list',
      { 'langfuse.tags': 'a, b' },
      'tags',
      given(['a', 'b'], 'langfuse', 'langfuse.tags'),
    ],
    [
      'of parameters has our names',
      { 'gen_ai.request.stop_sequences': ['END'] },
      'parameters',
      given({ stop: ['END'] }, 'gen_ai', 'gen_ai.request.*'),
    ],
  ])('%s', (_definition, attributes, field, expected) => {
    expect(described(attributes).fields[field]).toEqual(expected);
  });

  it('comes from an event too', () => {
    const events = [{ name: 'gen_ai.user.message', attributes: { content: 'hello' } }];
    expect(described({}, { events }).fields).toEqual({
      input: given('hello', 'gen_ai', 'event gen_ai.user.message'),
      inputMessages: given(HELLO_MESSAGES, 'gen_ai', 'event gen_ai.user.message'),
    });
  });

  it('comes from a log record too', () => {
    const logs = [decodeLogRecord(logBytes({ event: 'gen_ai.user.message', body: { content: 'hello' } }))];
    expect(described({}, { logs }).fields.inputMessages).toEqual(
      given(HELLO_MESSAGES, 'gen_ai', 'event gen_ai.user.message'),
    );
  });

  it('is not there on a span that no rule knows', () => {
    expect(described({ a: 1 })).toEqual({
      ruleSet: RULE_SET_VERSION,
      fields: {},
      unmapped: ['a'],
      redacted: [],
      truncated: [],
      warnings: [],
      cost: null,
    });
  });
});

describe('the kind', () => {
  it.each<[rule: string, attributes: Values, expected: Given | undefined]>([
    [
      'comes from the key that names it',
      { 'openinference.span.kind': 'AGENT', 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' },
      given('AGENT', 'openinference', 'openinference.span.kind'),
    ],
    [
      'comes from the next key where a value is unknown',
      { 'openinference.span.kind': 'odd', 'gen_ai.operation.name': 'chat' },
      given('LLM', 'gen_ai', 'gen_ai.operation.name'),
    ],
    [
      'comes from a key that only one kind has',
      { 'retrieval.documents.0.document.id': 'd' },
      given('RETRIEVER', 'openinference', 'retrieval.documents.#'),
    ],
    [
      'is that of a model call for a span that names a model and no more',
      { 'gen_ai.request.model': 'm' },
      given('LLM', 'gen_ai', 'gen_ai.request.model'),
    ],
    [
      'is none for a native event that names a model',
      { 'touchstone.event': 'log', 'gen_ai.request.model': 'm' },
      undefined,
    ],
  ])('%s', (_definition, attributes, expected) => {
    expect(described(attributes).fields.kind).toEqual(expected);
  });
});

describe('input and output', () => {
  it.each<[rule: string, attributes: Values, field: Field, expected: Given | undefined]>([
    [
      'are what a person would read of the messages',
      { 'gen_ai.input.messages': HELLO },
      'input',
      given('hello', 'gen_ai', 'gen_ai.input.messages'),
    ],
    [
      'are the messages where those have no text',
      { 'langfuse.observation.output': CALL },
      'output',
      given(CALL_MESSAGES, 'langfuse', 'langfuse.observation.output'),
    ],
    [
      'are text that was sent as such, whatever messages there are',
      { 'gen_ai.input.messages': HELLO, 'input.value': 'short' },
      'input',
      given('short', 'openinference', 'input.value'),
    ],
    [
      'are the messages’ text where the raw request was sent as well',
      {
        'gen_ai.input.messages': HELLO,
        'input.value': '{"messages":[]}',
        'input.mime_type': 'application/json',
      },
      'input',
      given('hello', 'gen_ai', 'gen_ai.input.messages'),
    ],
    [
      'are JSON where it is said to be',
      { 'output.value': '{"a":1}', 'output.mime_type': 'application/json' },
      'output',
      given({ a: 1 }, 'openinference', 'output.value'),
    ],
    [
      'stay text where JSON was not said',
      { 'output.value': '{"a":1}' },
      'output',
      given('{"a":1}', 'openinference', 'output.value'),
    ],
    [
      'are what was found where nothing else came out',
      { 'gen_ai.retrieval.documents': [{ id: 'd' }] },
      'output',
      given([{ id: 'd' }], 'gen_ai', 'gen_ai.retrieval.documents'),
    ],
    [
      'are texts that were embedded',
      { 'embedding.embeddings.0.embedding.text': 'a', 'embedding.embeddings.0.embedding.vector': [0.5] },
      'input',
      given(['a'], 'openinference', 'embedding.embeddings.#'),
    ],
    ['are no vectors', { 'embedding.embeddings.0.embedding.vector': [0.5, -0.25] }, 'input', undefined],
  ])('%s', (_definition, attributes, field, expected) => {
    expect(described(attributes).fields[field]).toEqual(expected);
  });
});

describe('the name of a tool', () => {
  it.each<[rule: string, attributes: Values, expected: Given | undefined]>([
    [
      'is what its span says',
      { ...TOOL, 'gen_ai.tool.name': 'search' },
      given('search', 'gen_ai', 'gen_ai.tool.name'),
    ],
    ['is else that of the span', TOOL, given('span', 'otel', 'span name')],
    [
      'is none for an entity that is no tool',
      { 'traceloop.span.kind': 'workflow', 'traceloop.entity.name': 'w' },
      undefined,
    ],
  ])('%s', (_definition, attributes, expected) => {
    expect(described(attributes).fields.toolName).toEqual(expected);
  });
});

/** 28 × 0.25 + 32 × 0.025 + 25 × 2 millionths of a dollar. */
const CALLED = {
  'gen_ai.response.model': 'gpt-5-mini',
  'gen_ai.usage.input_tokens': 60,
  'gen_ai.usage.cache_read.input_tokens': 32,
  'gen_ai.usage.output_tokens': 25,
};

describe('the cost', () => {
  it.each<[rule: string, attributes: Values, expected: Given | undefined]>([
    [
      'is what the sender says',
      { ...CALLED, 'gen_ai.usage.cost': 0.3 },
      given(0.3, 'gen_ai', 'gen_ai.usage.cost'),
    ],
    [
      'is nothing where the sender says so',
      { ...CALLED, 'llm.cost.total': 0 },
      given(0, 'openinference', 'llm.cost.total'),
    ],
    ['is else estimated from the built-in prices', CALLED, given(0.000_057_8, 'touchstone', 'price table')],
    [
      'is the same for a sender that counts cached tokens apart',
      { ...CALLED, 'gen_ai.usage.input_tokens': 28 },
      given(0.000_057_8, 'touchstone', 'price table'),
    ],
    ['is unknown for a model without a price', { ...CALLED, 'gen_ai.response.model': 'my-own' }, undefined],
    ['is unknown without tokens', { 'gen_ai.response.model': 'gpt-5-mini' }, undefined],
  ])('%s', (_definition, attributes, expected) => {
    expect(described(attributes).fields.cost).toEqual(expected);
  });
});

describe('what is reported besides', () => {
  it.each<[rule: string, attributes: Values, expected: Partial<DescribedSpan>]>([
    [
      'names what no rule reads, in order',
      { 'b.c': 1, a: 2, 'user.id': 'ada', 'llm.input_messages.x': 3 },
      { unmapped: ['a', 'b.c', 'llm.input_messages.x'] },
    ],
    [
      'names what was hidden, whether a rule reads it or not',
      { 'input.value': '__REDACTED__', own: '__REDACTED__', not: '"__REDACTED__"' },
      { redacted: ['input.value', 'own'] },
    ],
    [
      'names JSON that was cut, and takes it for the text it is',
      {
        'langfuse.observation.input': '[{"role":"user","content":"he',
        own: '{"a',
        whole: '{"a":1}',
        list: '[a',
      },
      {
        truncated: ['langfuse.observation.input', 'own'],
        fields: { input: given('[{"role":"user","content":"he', 'langfuse', 'langfuse.observation.input') },
      },
    ],
    [
      'warns of more cached tokens than input tokens',
      { 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.cache_read.input_tokens': 11 },
      { warnings: ['more cached tokens than input tokens: counted as further input'] },
    ],
    [
      'does not warn when all input was cached',
      { 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.cache_read.input_tokens': 10 },
      { warnings: [] },
    ],
  ])('%s', (_definition, attributes, expected) => {
    expect(described(attributes)).toMatchObject(expected);
  });

  it('warns of times that are in milliseconds', () => {
    const more = Buffer.concat([fixed64Field(7, 1_767_225_600_000n), fixed64Field(8, 1_767_225_600_005n)]);
    const warnings = ['the times look like Unix milliseconds; OTLP times are in Unix nanoseconds'];
    expect(described({}, { more }).warnings).toEqual(warnings);
  });

  it.each([
    ['attributes', 10],
    ['events', 12],
    ['links', 14],
  ])('warns of %s that the sender dropped', (_what, field) => {
    const warnings = ['the sender dropped attributes, events or links'];
    expect(described({}, { more: varintField(field, 2n) }).warnings).toEqual(warnings);
    expect(described({}, { more: varintField(field, 0n) }).warnings).toEqual([]);
  });
});

describe('in whatever order attributes come', () => {
  it.each<[rule: string, one: Values, other: Values, field: Field, value: JsonValue]>([
    [
      'metadata of one name has the value of the key that goes first',
      { 'metadata.tier': 'gold' },
      { 'langsmith.metadata.tier': 'silver', 'langsmith.metadata.run': 7 },
      'metadata',
      { tier: 'gold', run: 7 },
    ],
    [
      'metadata in one object goes before its entries',
      { metadata: { tier: 'gold' } },
      { 'metadata.tier': 'silver', 'metadata.run': 7 },
      'metadata',
      { tier: 'gold', run: 7 },
    ],
    [
      'a parameter that is spelt in two ways has one value',
      { 'gen_ai.request.max_tokens': 1 },
      { 'gen_ai.request.max_completion_tokens': 2 },
      'parameters',
      { maxTokens: 2 },
    ],
  ])('%s', (_definition, one, other, field, value) => {
    expect(described({ ...one, ...other }).fields[field]?.value).toEqual(value);
    expect(described({ ...other, ...one }).fields[field]?.value).toEqual(value);
  });
});

describe('tokens on a span above others', () => {
  const store = useStore();

  it('are marked as counted below, where they are', () => {
    const tenant = store.newTenant();
    tenant.store([
      { id: 1, attributes: CALLED },
      { id: 2, parent: 1, attributes: CALLED },
      { id: 3, parent: 1 },
      { id: 4, attributes: CALLED },
      { id: 5, parent: 4 },
    ]);
    const spans = tenant.spans(1, { payload: true })?.data ?? [];
    const warnings = spans.map(({ id, mapped }) => [Number(id), (mapped as DescribedSpan).warnings]);
    expect(warnings).toEqual([
      [1, ['tokens are counted on other spans']],
      [2, []],
      [3, []],
      [4, []],
      [5, []],
    ]);
  });
});
