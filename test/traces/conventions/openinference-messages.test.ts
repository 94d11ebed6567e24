import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/traces/conventions/message.ts';
import {
  openInferenceEmbeddingTexts,
  openInferenceEvaluations,
  openInferenceInputMessages,
  openInferenceOutputMessages,
  openInferenceToolDefinitions,
} from '../../../src/traces/conventions/openinference-messages.ts';
import { viewOf } from '../../../src/traces/conventions/span-view.ts';
import { attributesUnder, countingView } from '../../support/flattened.ts';
import type { Values } from '../../support/spans.ts';
import { spanView } from '../../support/views.ts';
import { effort } from '../../support/effort.ts';

const READERS = [
  openInferenceInputMessages,
  openInferenceOutputMessages,
  openInferenceToolDefinitions,
  openInferenceEmbeddingTexts,
  openInferenceEvaluations,
];
const PNG = `data:image/png;base64,${Buffer.alloc(1000).toString('base64')}`;
const CALL = {
  'tool_call.id': 'call_1',
  'tool_call.function.name': 'get_weather',
  'tool_call.function.arguments': '{"city":"Paris"}',
};
const READ_CALL = { type: 'tool_call', id: 'call_1', name: 'get_weather', arguments: { city: 'Paris' } };

/** `{ a: 1 }` under `prefix` as `{ 'prefix.a': 1 }`. */
function under(prefix: string, values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [`${prefix}.${key}`, value]));
}

describe('a flattened message', () => {
  it.each<[string, Values, Message]>([
    ['of text', { role: 'user', content: 'Hi' }, { role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
    ['of nothing but a role', { role: 'assistant' }, { role: 'assistant', parts: [] }],
    ['without a role', { content: 'Hi' }, { role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
    [
      'with the name of who spoke',
      { role: 'user', name: 'Ada', content: 'Hi' },
      { role: 'user', name: 'Ada', parts: [{ type: 'text', text: 'Hi' }] },
    ],
    [
      'that calls tools',
      {
        role: 'assistant',
        content: '',
        ...under('tool_calls.0', CALL),
        ...under('tool_calls.1', {
          ...CALL,
          'tool_call.id': 'call_2',
          'tool_call.function.arguments': '{"ci',
        }),
      },
      {
        role: 'assistant',
        parts: [
          READ_CALL,
          { type: 'tool_call', id: 'call_2', name: 'get_weather', arguments: '{"ci' },
        ] as Message['parts'],
      },
    ],
    [
      'that calls a function in the old way',
      { role: 'assistant', function_call_name: 'add', function_call_arguments_json: '{"a":1}' },
      { role: 'assistant', parts: [{ type: 'tool_call', name: 'add', arguments: { a: 1 } }] },
    ],
    [
      'of what a tool gave back',
      { role: 'tool', tool_call_id: 'call_1', name: 'get_weather', content: '{"degrees":18}' },
      {
        role: 'tool',
        parts: [{ type: 'tool_result', id: 'call_1', name: 'get_weather', result: { degrees: 18 } }],
      },
    ],
    [
      'of what a function gave back',
      { role: 'function', function_call_name: 'add', content: '3' },
      { role: 'function', parts: [{ type: 'tool_result', name: 'add', result: '3' }] },
    ],
    [
      'of what a tool gave back in parts',
      {
        role: 'tool',
        tool_call_id: 'call_1',
        'contents.0.message_content.type': 'text',
        'contents.0.message_content.text': 'one',
        'contents.1.message_content.type': 'image',
        'contents.1.message_content.image.image.url': 'https://example.com/a.png',
        'contents.2.message_content.text': 'two',
      },
      {
        role: 'tool',
        parts: [
          { type: 'tool_result', id: 'call_1', result: 'one\ntwo' },
          { type: 'image', uri: 'https://example.com/a.png' },
        ],
      },
    ],
    [
      'of a user who hands in a result and asks, as Anthropic has it',
      {
        role: 'user',
        tool_call_id: 'call_1',
        content: '18 degrees',
        'contents.1.message_content.type': 'text',
        'contents.1.message_content.text': 'And tomorrow?',
      },
      {
        role: 'user',
        parts: [
          { type: 'tool_result', id: 'call_1', result: '18 degrees' },
          { type: 'text', text: 'And tomorrow?' },
        ],
      },
    ],
    [
      'that says one text twice',
      {
        role: 'user',
        content: 'Hi',
        'contents.0.message_content.type': 'text',
        'contents.0.message_content.text': 'Hi',
      },
      { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
    ],
    [
      'that says one result twice, and all that an agent did',
      {
        role: 'assistant',
        tool_call_id: 'call_1',
        content: '18 degrees',
        ...under('tool_calls.0', CALL),
        'contents.0.message_content.text': '18 degrees',
        'contents.1.message_content.text': 'It is warm.',
      },
      {
        role: 'assistant',
        parts: [
          READ_CALL,
          { type: 'tool_result', id: 'call_1', result: '18 degrees' },
          { type: 'text', text: 'It is warm.' },
        ] as Message['parts'],
      },
    ],
    [
      'with parts in order, whose calls are written twice',
      {
        role: 'assistant',
        'contents.0.message_content.type': 'reasoning',
        'contents.0.message_content.text': 'The tool knows.',
        'contents.0.message_content.signature': 'EuYB',
        'contents.1.message_content.type': 'tool_use',
        ...under('contents.1', CALL),
        'contents.2.message_content.type': 'output_text',
        'contents.2.message_content.text': 'One moment.',
        ...under('tool_calls.0', CALL),
        'tool_calls.1.tool_call.function.name': 'get_time',
      },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'The tool knows.' },
          READ_CALL,
          { type: 'text', text: 'One moment.' },
          { type: 'tool_call', name: 'get_time', arguments: null },
        ] as Message['parts'],
      },
    ],
    [
      'with calls written twice that have no id',
      {
        role: 'assistant',
        'contents.0.message_content.type': 'tool_use',
        'contents.0.tool_call.function.name': 'get_time',
        'tool_calls.0.tool_call.function.name': 'get_time',
      },
      { role: 'assistant', parts: [{ type: 'tool_call', name: 'get_time', arguments: null }] },
    ],
    [
      'with media, of which no bytes are kept',
      {
        role: 'user',
        'contents.0.message_content.type': 'image',
        'contents.0.message_content.image.image.url': PNG,
        'contents.1.message_content.type': 'image',
        'contents.1.message_content.image.image.url': 's3://bucket/a.png',
        'contents.2.message_content.type': 'audio',
        'contents.2.message_content.audio.audio.url': 'https://example.com/a.mp3',
        'contents.3.message_content.type': 'image',
        'contents.3.message_content.image.image.url': '__REDACTED__',
        'contents.4.message_content.type': 'image',
        'contents.4.message_content.image.type': 'base64',
        'contents.4.message_content.image.media_type': 'image/jpeg',
      },
      {
        role: 'user',
        parts: [
          { type: 'image', mimeType: 'image/png', size: 1000 },
          { type: 'image', uri: 's3://bucket/a.png' },
          { type: 'audio', uri: 'https://example.com/a.mp3' },
          { type: 'image' },
          { type: 'image', mimeType: 'image/jpeg' },
        ],
      },
    ],
    [
      'with parts that have no type here',
      {
        role: 'user',
        'contents.0.message_content.type': 'uri',
        'contents.0.message_content.text': '{"type":"uri","uri":"https://example.com/a.pdf"}',
        'contents.1.message_content.type': 'note',
        'contents.1.message_content.text': 'by hand',
        'contents.2.message_content.type': 'reasoning',
        'contents.2.message_content.encrypted_content': 'gAAA',
        'contents.3.message_content.type': 'tool_use',
      },
      {
        role: 'user',
        parts: [
          { type: 'file', uri: 'https://example.com/a.pdf' },
          { type: 'text', text: 'by hand' },
          { type: 'other', value: { type: 'reasoning', encrypted_content: 'gAAA' } },
        ],
      },
    ],
    [
      'whose content is a list of parts',
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look:' },
          { type: 'image_url', image_url: { url: PNG } },
        ],
      },
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'Look:' },
          { type: 'image', mimeType: 'image/png', size: 1000 },
        ],
      },
    ],
    [
      'that says what no rule knows',
      { mood: 'good' },
      { role: 'user', parts: [{ type: 'other', value: { 'message.mood': 'good' } }] },
    ],
  ])('%s', (_, sent, read) => {
    expect(openInferenceInputMessages(spanView(under('llm.input_messages.0.message', sent)))).toEqual([read]);
  });
});

describe('messages', () => {
  it('stand in the order of their index, whatever gaps there are', () => {
    const sent = { '10.message.content': 'c', '2.message.content': 'b', '0.message.content': 'a' };
    expect(openInferenceInputMessages(spanView(under('llm.input_messages', sent)))).toEqual(
      ['a', 'b', 'c'].map((text) => ({ role: 'user', parts: [{ type: 'text', text }] })),
    );
  });

  it.each(['999999999', '-1', '1e3', 'x', ''])('leave out the index %j', (index) => {
    const odd = { [`llm.input_messages.${index}.message.content`]: 'odd' };
    const even = { 'llm.input_messages.3.message.content': 'even' };
    expect(openInferenceInputMessages(spanView(odd))).toBeUndefined();
    expect(openInferenceInputMessages(spanView({ ...odd, ...even }))).toEqual([
      { role: 'user', parts: [{ type: 'text', text: 'even' }] },
    ]);
  });

  it('that came out end with the finish reason of the call if there is one of them', () => {
    const one = { 'llm.finish_reason': 'stop', 'llm.output_messages.0.message.content': 'a' };
    const two = { ...one, 'llm.output_messages.1.message.content': 'b' };
    const a = { role: 'assistant', parts: [{ type: 'text', text: 'a' }] };
    const b = { role: 'assistant', parts: [{ type: 'text', text: 'b' }] };
    expect(openInferenceOutputMessages(spanView(one))).toEqual([{ ...a, finishReason: 'stop' }]);
    expect(openInferenceOutputMessages(spanView(two))).toEqual([a, b]);
  });

  it.each<[string, Values]>([
    ['flattened', { 'llm.prompts.0.prompt.text': 'fib', 'llm.prompts.1.prompt.text': 'fac' }],
    ['in one list', { 'llm.prompts': ['fib', 'fac'] }],
  ])('are made of the prompts of a completions API, %s', (_, prompts) => {
    const view = spanView({ ...prompts, 'llm.choices.0.completion.text': ' = 1' });
    expect(openInferenceInputMessages(view)).toEqual([
      { role: 'user', parts: [{ type: 'text', text: 'fib' }] },
      { role: 'user', parts: [{ type: 'text', text: 'fac' }] },
    ]);
    expect(openInferenceOutputMessages(view)).toEqual([
      { role: 'assistant', parts: [{ type: 'text', text: ' = 1' }] },
    ]);
  });
});

describe('of the rest', () => {
  it('tools are read in the words of any API', () => {
    const view = spanView({
      'llm.tools.0.tool.json_schema':
        '{"type":"function","function":{"name":"get_weather","description":"The weather","parameters":{"type":"object"}}}',
      'llm.tools.1.tool.json_schema': '{"name":"get_time","input_schema":{"type":"object"}}',
    });
    expect(openInferenceToolDefinitions(view)).toEqual([
      { name: 'get_weather', description: 'The weather', parameters: { type: 'object' } },
      { name: 'get_time', parameters: { type: 'object' } },
    ]);
  });

  it('embedded texts are shown without their vectors', () => {
    const view = spanView({
      'embedding.embeddings.0.embedding.text': 'one',
      'embedding.embeddings.0.embedding.vector': [0.1, 0.2],
      'embedding.embeddings.1.embedding.text': 'two',
    });
    expect(openInferenceEmbeddingTexts(view)).toEqual(['one', 'two']);
  });

  it('evaluations and annotations are the same thing, and one that is sent as both counts once', () => {
    const view = spanView({
      'annotations.0.annotation.name': 'correctness',
      'annotations.0.annotation.score': 0.5,
      'annotations.0.annotation.label': 'half',
      'annotations.0.annotation.explanation': 'Half of it is right.',
      'annotations.1.annotation.label': 'of nothing',
      'evaluations.0.evaluation.name': 'correctness',
      'evaluations.0.evaluation.score': 0.5,
      'evaluations.0.evaluation.label': 'half',
      'evaluations.0.evaluation.explanation': 'Half of it is right.',
      'evaluations.1.evaluation.name': 'tone',
      'evaluations.1.evaluation.score': 'good',
    });
    expect(openInferenceEvaluations(view)).toEqual([
      { name: 'correctness', score: 0.5, label: 'half', explanation: 'Half of it is right.' },
      { name: 'tone' },
    ]);
  });
});

describe('whatever is sent', () => {
  it('nothing is reported of a span that says nothing', () => {
    const view = spanView({
      'llm.model_name': 'gpt',
      'llm.finish_reason': 'stop',
      'llm.input_messages': 'x',
    });
    expect(READERS.map((read) => read(view))).toEqual(READERS.map(() => undefined));
  });

  it('no reader throws', () => {
    const prefixes = [
      'llm.input_messages.',
      'llm.output_messages.',
      'llm.prompts.',
      'llm.choices.',
      'llm.tools.',
    ];
    const others = ['llm.prompts', 'embedding.embeddings.', 'annotations.', 'evaluations.'];
    const names =
      'message|role|content|name|tool_call_id|contents|tool_calls|message_content|type|text|image|audio|url|tool_call|function|arguments|id|function_call_name|prompt|completion|tool|json_schema|embedding|annotation|evaluation|score|label';
    const wholes = ['0.message.contents.0.message_content', '0.message.tool_calls.0.tool_call'];
    fc.assert(
      fc.property(
        attributesUnder([...prefixes, ...others], [...names.split('|'), ...wholes]),
        (attributes) => {
          for (const read of READERS) expect(() => read(viewOf(attributes))).not.toThrow();
        },
      ),
      { numRuns: effort(167) },
    );
  });

  it('the work grows as the span does', () => {
    const looksAt = (messages: number): number => {
      const keys = Array.from({ length: messages }, (_, i) => [
        [`llm.input_messages.${i}.message.role`, 'assistant'],
        [`llm.input_messages.${i}.message.contents.0.message_content.type`, 'text'],
        [`llm.input_messages.${i}.message.contents.0.message_content.text`, 'Hi'],
        [`llm.input_messages.${i}.message.tool_calls.0.tool_call.function.name`, 'f'],
      ]);
      const { view, count } = countingView(Object.fromEntries(keys.flat()) as Record<string, string>);
      expect(openInferenceInputMessages(view)).toHaveLength(messages);
      return count();
    };
    expect(looksAt(5_000)).toBe(10 * looksAt(500));
    expect(looksAt(5_000)).toBeLessThan(4 * 20_000);
  });
});
