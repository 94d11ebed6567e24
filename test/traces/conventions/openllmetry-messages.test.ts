import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/traces/conventions/message.ts';
import {
  openLlmetryInputMessages,
  openLlmetryOutputMessages,
  openLlmetryToolDefinitions,
} from '../../../src/traces/conventions/openllmetry-messages.ts';
import { viewOf } from '../../../src/traces/conventions/span-view.ts';
import { attributesUnder, countingView } from '../../support/flattened.ts';
import type { Values } from '../../support/spans.ts';
import { spanView } from '../../support/views.ts';
import { effort } from '../../support/effort.ts';

const READERS = [openLlmetryInputMessages, openLlmetryOutputMessages, openLlmetryToolDefinitions];
const JPEG = Buffer.alloc(3000).toString('base64');

function under(prefix: string, values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [`${prefix}.${key}`, value]));
}
const said = (role: string, text: string): Message => ({ role, parts: [{ type: 'text', text }] });

describe('a prompt', () => {
  it.each<[string, Values, Message]>([
    ['of text', { role: 'user', content: 'Hi' }, said('user', 'Hi')],
    ['of a completions API', { user: 'fib' }, said('user', 'fib')],
    ['without a role', { content: 'Hi' }, said('user', 'Hi')],
    [
      'whose content is the JSON of parts',
      {
        role: 'user',
        content: JSON.stringify([
          { type: 'text', text: 'Look:' },
          { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: JPEG } },
        ]),
      },
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'Look:' },
          { type: 'image', mimeType: 'image/jpeg', size: 3000 },
        ],
      },
    ],
    [
      'whose content is JSON of something else',
      { role: 'user', content: '[{"city":"Paris"}]' },
      said('user', '[{"city":"Paris"}]'),
    ],
    [
      'that calls tools and says so once in the content and once flattened',
      {
        role: 'assistant',
        content: '[{"type":"tool_use","id":"toolu_1","name":"get_weather","input":{"city":"Paris"}}]',
        'tool_calls.0.id': 'toolu_1',
        'tool_calls.0.name': 'get_weather',
        'tool_calls.0.arguments': '{"city": "Paris"}',
        'tool_calls.1.id': 'toolu_2',
        'tool_calls.1.name': 'get_time',
        'tool_calls.1.arguments': '{"ci',
      },
      {
        role: 'assistant',
        parts: [
          { type: 'tool_call', id: 'toolu_1', name: 'get_weather', arguments: { city: 'Paris' } },
          { type: 'tool_call', id: 'toolu_2', name: 'get_time', arguments: '{"ci' },
        ],
      },
    ],
    ['whose content was null', { role: 'assistant', content: 'null' }, { role: 'assistant', parts: [] }],
    ['of a user who says null', { role: 'user', content: 'null' }, said('user', 'null')],
    [
      'of what a tool gave back',
      { role: 'tool', tool_call_id: 'call_1', content: '{"degrees":18}' },
      { role: 'tool', parts: [{ type: 'tool_result', id: 'call_1', result: { degrees: 18 } }] },
    ],
    [
      'of a tool that gave nothing back',
      { role: 'tool', tool_call_id: 'call_1' },
      { role: 'tool', parts: [{ type: 'tool_result', id: 'call_1', result: null }] },
    ],
  ])('%s', (_, sent, read) => {
    expect(openLlmetryInputMessages(spanView(under('gen_ai.prompt.0', sent)))).toEqual([read]);
    expect(openLlmetryInputMessages(spanView(under('llm.prompts.0', sent)))).toEqual([read]);
  });

  it.each(['999999999', '-1', '1e3', 'caching'])('is not where the index is %j', (index) => {
    const view = spanView({
      [`gen_ai.prompt.${index}.content`]: 'odd',
      [`gen_ai.completion.${index}.content`]: 'odd',
      [`llm.request.functions.${index}.name`]: 'odd',
    });
    expect(READERS.map((read) => read(view))).toEqual(READERS.map(() => undefined));
  });
});

describe('a completion', () => {
  it.each<[string, Values, Message]>([
    [
      'of text',
      { role: 'assistant', content: 'Hi', finish_reason: 'stop' },
      { ...said('assistant', 'Hi'), finishReason: 'stop' },
    ],
    ['without a role', { content: 'Hi' }, said('assistant', 'Hi')],
    ['that was refused', { role: 'assistant', refusal: 'I will not.' }, said('assistant', 'I will not.')],
    [
      'that calls tools',
      {
        role: 'assistant',
        content: '',
        finish_reason: 'tool_calls',
        'tool_calls.0.name': 'get_weather',
        'tool_calls.0.arguments': '{"city":"Paris"}',
      },
      {
        role: 'assistant',
        parts: [{ type: 'tool_call', name: 'get_weather', arguments: { city: 'Paris' } }],
        finishReason: 'tool_calls',
      },
    ],
    [
      'that calls a function in the old way',
      { role: 'assistant', 'function_call.name': 'add', 'function_call.arguments': '{"a":1}' },
      { role: 'assistant', parts: [{ type: 'tool_call', name: 'add', arguments: { a: 1 } }] },
    ],
    [
      'of a tool that the provider runs, which has no arguments',
      { role: 'assistant', 'tool_calls.0.id': 'ws_1', 'tool_calls.0.name': 'web_search_call' },
      {
        role: 'assistant',
        parts: [{ type: 'tool_call', id: 'ws_1', name: 'web_search_call', arguments: null }],
      },
    ],
    [
      'with summaries of the reasoning',
      {
        role: 'assistant',
        reasoning: '[{"type":"summary_text","text":"First,"},{"type":"summary_text","text":"then."}]',
        content: 'Hi',
      },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'First,\nthen.' },
          { type: 'text', text: 'Hi' },
        ],
      },
    ],
    [
      'with reasoning in words',
      { reasoning: 'Because.', content: 'Hi' },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'Because.' },
          { type: 'text', text: 'Hi' },
        ],
      },
    ],
    [
      'with reasoning that is JSON of something else',
      { reasoning: '{"effort":"low"}' },
      { role: 'assistant', parts: [{ type: 'reasoning', text: '{"effort":"low"}' }] },
    ],
    [
      'of nothing but thinking',
      { role: 'thinking', content: 'The tool knows.', finish_reason: 'end_turn' },
      {
        role: 'assistant',
        parts: [{ type: 'reasoning', text: 'The tool knows.' }],
        finishReason: 'end_turn',
      },
    ],
    [
      'of nothing but an end',
      { finish_reason: 'content_filter' },
      { role: 'assistant', parts: [], finishReason: 'content_filter' },
    ],
  ])('%s', (_, sent, read) => {
    expect(openLlmetryOutputMessages(spanView(under('gen_ai.completion.0', sent)))).toEqual([read]);
    expect(openLlmetryOutputMessages(spanView(under('llm.completions.0', sent)))).toEqual([read]);
  });
});

it.each(['parameters', 'arguments', 'input_schema'])(
  'a tool has the schema of its arguments as %s',
  (key) => {
    const view = spanView({
      'llm.request.functions.0.name': 'get_weather',
      'llm.request.functions.0.description': 'The weather in a city',
      [`llm.request.functions.0.${key}`]: '{"type":"object"}',
      'llm.request.functions.1.name': 'get_time',
      'llm.request.functions.2.description': 'of nothing',
    });
    expect(openLlmetryToolDefinitions(view)).toEqual([
      { name: 'get_weather', description: 'The weather in a city', parameters: { type: 'object' } },
      { name: 'get_time' },
    ]);
  },
);

describe('whatever is sent', () => {
  it('nothing is reported of a span that says nothing, or says it in the words of OpenInference', () => {
    const view = spanView({
      'gen_ai.request.model': 'gpt',
      'gen_ai.prompt.prompt_filter_results': '[]',
      'llm.prompts.0.prompt.text': 'fib',
      'llm.request.type': 'chat',
    });
    expect(READERS.map((read) => read(view))).toEqual(READERS.map(() => undefined));
  });

  it('no reader throws', () => {
    const prefixes = ['gen_ai.prompt.', 'gen_ai.completion.', 'llm.prompts.', 'llm.request.functions.'];
    const names =
      'role|content|user|reasoning|refusal|tool_call_id|tool_calls|function_call|finish_reason|name|arguments|id|type|parts|audio|0.tool_calls.0|1.function_call';
    fc.assert(
      fc.property(attributesUnder(prefixes, names.split('|')), (attributes) => {
        for (const read of READERS) expect(() => read(viewOf(attributes))).not.toThrow();
      }),
      { numRuns: effort(167) },
    );
  });

  it('the work grows as the span does', () => {
    const looksAt = (messages: number): number => {
      const keys = Array.from({ length: messages }, (_, i) => [
        [`gen_ai.prompt.${i}.role`, 'assistant'],
        [`gen_ai.prompt.${i}.content`, 'Hi'],
        [`gen_ai.prompt.${i}.tool_calls.0.name`, 'f'],
        [`gen_ai.prompt.${i}.tool_calls.1.name`, 'g'],
      ]);
      const { view, count } = countingView(Object.fromEntries(keys.flat()) as Record<string, string>);
      expect(openLlmetryInputMessages(view)).toHaveLength(messages);
      return count();
    };
    expect(looksAt(5_000)).toBe(10 * looksAt(500));
    expect(looksAt(5_000)).toBeLessThan(4 * 20_000);
  });
});
