import { describe, expect, it } from 'vitest';
import {
  genAiInputMessages,
  genAiOutputMessages,
  genAiSystemInstructions,
  genAiToolDefinitions,
  readToolDefinitions,
  withSystem,
} from '../../../src/traces/conventions/gen-ai-messages.ts';
import type { Message, MessagePart, ToolDefinition } from '../../../src/traces/conventions/message.ts';
import type { JsonValue } from '../../../src/traces/span-wire.ts';
import { spanView } from '../../support/views.ts';

const text = (role: string, said: string): Message => ({ role, parts: [{ type: 'text', text: said }] });
const inputOf = (value: JsonValue): Message[] | undefined =>
  genAiInputMessages(spanView({ 'gen_ai.input.messages': value }));

describe('input messages', () => {
  const conversation = [
    { role: 'system', parts: [{ type: 'text', content: 'Be brief.' }] },
    { role: 'user', name: 'ann', parts: [{ type: 'text', content: 'Weather in Paris?' }] },
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', content: 'The tool knows.' },
        { type: 'tool_call', id: 'call_1', name: 'weather', arguments: { city: 'Paris' } },
      ],
    },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_1', response: { degrees: 18 } }] },
  ];
  const read: Message[] = [
    text('system', 'Be brief.'),
    { ...text('user', 'Weather in Paris?'), name: 'ann' },
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'The tool knows.' },
        { type: 'tool_call', id: 'call_1', name: 'weather', arguments: { city: 'Paris' } },
      ],
    },
    { role: 'tool', parts: [{ type: 'tool_result', id: 'call_1', result: { degrees: 18 } }] },
  ];

  it('are read from structured values and from JSON alike', () => {
    expect(inputOf(conversation)).toEqual(read);
    expect(inputOf(JSON.stringify(conversation))).toEqual(read);
  });

  it('are read from a list within an object', () => {
    expect(inputOf(JSON.stringify({ version: '0.1.0', messages: conversation }))).toEqual(read);
  });

  it('may have contents in place of parts', () => {
    expect(inputOf('[{"role":"user","content":"Hi"}]')).toEqual([text('user', 'Hi')]);
  });

  it.each<[what: string, value: JsonValue, messages: Message[]]>([
    ['a text', 'Hi', [text('user', 'Hi')]],
    ['JSON that was cut', '[{"role":"user","par', [text('user', '[{"role":"user","par')]],
    ['a part', '[{"type":"text","content":"Hi"}]', [text('user', 'Hi')]],
    ['a list of texts', ['Hi'], [text('user', 'Hi')]],
    ['an object', { a: 1 }, [{ role: 'user', parts: [{ type: 'other', value: { a: 1 } }] }]],
  ])('that are %s are what the user said', (_what, value, messages) => {
    expect(inputOf(value)).toEqual(messages);
  });

  it.each<[what: string, value: JsonValue]>([
    ['null', null],
    ['empty', ''],
    ['an empty list', []],
    ['the JSON of an empty list', '[]'],
  ])('that are %s are none', (_what, value) => {
    expect(inputOf(value)).toBeUndefined();
  });

  it('are none where the attribute is not there', () => {
    expect(genAiInputMessages(spanView({}))).toBeUndefined();
  });

  it.each<[what: string, part: JsonValue, read: MessagePart]>([
    [
      'the older name of a result',
      { type: 'tool_call_response', id: 'c', result: 'sunny' },
      { type: 'tool_result', id: 'c', result: 'sunny' },
    ],
    [
      'a result of null',
      { type: 'tool_call_response', id: 'c', response: null },
      { type: 'tool_result', id: 'c', result: null },
    ],
    [
      'a call without an id',
      { type: 'tool_call', id: null, name: 'f', arguments: null },
      { type: 'tool_call', name: 'f', arguments: null },
    ],
    [
      'a call that the provider makes',
      {
        type: 'server_tool_call',
        id: 's',
        name: 'search',
        server_tool_call: { type: 'web_search', query: 'q' },
      },
      { type: 'tool_call', id: 's', name: 'search', arguments: { type: 'web_search', query: 'q' } },
    ],
    [
      'what the provider found',
      { type: 'server_tool_call_response', id: 's', server_tool_call_response: { type: 'web_search', n: 2 } },
      { type: 'tool_result', id: 's', result: { type: 'web_search', n: 2 } },
    ],
    [
      'a blob',
      { type: 'blob', modality: 'image', mime_type: 'image/png', content: 'aGVsbG8hIQ==' },
      { type: 'image', mimeType: 'image/png', size: 7 },
    ],
    [
      'a blob with its older member',
      { type: 'blob', mime_type: 'audio/wav', data: 'aGVsbG8hIQ==' },
      { type: 'audio', mimeType: 'audio/wav', size: 7 },
    ],
    [
      'an address',
      { type: 'uri', modality: 'video', uri: 'gs://b/a.mp4' },
      { type: 'video', uri: 'gs://b/a.mp4' },
    ],
    [
      'a file',
      { type: 'file', modality: 'document', mime_type: 'application/pdf', file_id: 'f' },
      { type: 'file', mimeType: 'application/pdf', fileId: 'f' },
    ],
    [
      'a part of a newer version',
      { type: 'compaction', id: 'k' },
      { type: 'other', value: { type: 'compaction', id: 'k' } },
    ],
  ])('have %s', (_what, part, expected) => {
    expect(inputOf([{ role: 'user', parts: [part] }])).toEqual([{ role: 'user', parts: [expected] }]);
  });

  it('have parts of any type, but never their bytes', () => {
    const bytes = 'A'.repeat(400);
    const part = {
      type: 'hologram',
      layers: [{ mime_type: 'image/png', data: bytes }, `data:image/png;base64,${bytes}`],
    };
    expect(inputOf([{ role: 'user', parts: [part] }])).toEqual([
      {
        role: 'user',
        parts: [
          {
            type: 'other',
            value: {
              type: 'hologram',
              layers: [
                { mime_type: 'image/png', data: { type: 'file', size: 300 } },
                { type: 'image', mimeType: 'image/png', size: 300 },
              ],
            },
          },
        ],
      },
    ]);
  });

  it('that nest without end stay the text they were', () => {
    const deep = `[{"role":"user","parts":[{"type":"x","a":${'['.repeat(200_000)}${']'.repeat(200_000)}}]}]`;
    expect(inputOf(deep)).toEqual([text('user', deep)]);
  });
});

describe('output messages', () => {
  const outputOf = (value: JsonValue): Message[] | undefined =>
    genAiOutputMessages(spanView({ 'gen_ai.output.messages': value }));

  it('say why the model stopped', () => {
    const messages = [
      { role: 'assistant', parts: [{ type: 'text', content: 'A' }], finish_reason: 'stop' },
      { role: 'assistant', parts: [{ type: 'text', content: 'B' }], finish_reason: '' },
    ];
    expect(outputOf(messages)).toEqual([
      { ...text('assistant', 'A'), finishReason: 'stop' },
      text('assistant', 'B'),
    ]);
  });

  it('that are a text are what the assistant said', () => {
    expect(outputOf('Hi')).toEqual([text('assistant', 'Hi')]);
  });
});

describe('system instructions', () => {
  it.each<[what: string, value: JsonValue, instructions: string | undefined]>([
    ['a text', 'Be brief.', 'Be brief.'],
    [
      'parts',
      [
        { type: 'text', content: 'Be brief.' },
        { type: 'text', content: 'Be kind.' },
      ],
      'Be brief.\nBe kind.',
    ],
    ['the JSON of parts', '[{"type":"text","content":"Be brief."}]', 'Be brief.'],
    ['messages', '[{"role":"system","content":"Be brief."}]', 'Be brief.'],
    ['something else', { rules: [1] }, '{"rules":[1]}'],
    ['empty', '', undefined],
    ['null', null, undefined],
  ])('may be %s', (_what, value, instructions) => {
    expect(genAiSystemInstructions(spanView({ 'gen_ai.system_instructions': value }))).toBe(instructions);
  });

  it('come before the messages, unless these begin with some', () => {
    const user = text('user', 'Hi');
    expect(withSystem([user], 'Be brief.')).toEqual([text('system', 'Be brief.'), user]);
    for (const role of ['system', 'developer']) {
      expect(withSystem([text(role, 'Be kind.'), user], 'Be brief.')).toEqual([text(role, 'Be kind.'), user]);
    }
    expect(withSystem([user], undefined)).toEqual([user]);
    expect(withSystem([user], '')).toEqual([user]);
  });
});

describe('tool definitions', () => {
  const parameters = { type: 'object', properties: { city: { type: 'string' } } };
  const weather: ToolDefinition = { name: 'weather', description: 'The weather', parameters };

  it.each<[whose: string, tool: JsonValue]>([
    ['GenAI', { type: 'function', ...weather, parameters }],
    ['the chat API of OpenAI', { type: 'function', function: { ...weather, parameters, strict: true } }],
    ['Anthropic', { name: 'weather', description: 'The weather', input_schema: parameters }],
    [
      'the AI SDK',
      { type: 'function', name: 'weather', description: 'The weather', inputSchema: parameters },
    ],
    ['Gemini', { functionDeclarations: [{ ...weather, parameters }] }],
    [
      'Bedrock',
      { toolSpec: { name: 'weather', description: 'The weather', inputSchema: { json: parameters } } },
    ],
    ['a sender of JSON', JSON.stringify(weather)],
    ['a sender of JSON within JSON', { ...weather, parameters: JSON.stringify(parameters) }],
  ])('of %s are read', (_whose, tool) => {
    expect(readToolDefinitions([tool])).toEqual([weather]);
    expect(readToolDefinitions(tool)).toEqual([weather]);
    expect(genAiToolDefinitions(spanView({ 'gen_ai.tool.definitions': JSON.stringify([tool]) }))).toEqual([
      weather,
    ]);
  });

  it.each<[what: string, value: JsonValue, tools: ToolDefinition[] | undefined]>([
    ['by their type, where the provider runs them', [{ type: 'web_search' }], [{ name: 'web_search' }]],
    ['by their name alone', ['weather', 'news'], [{ name: 'weather' }, { name: 'news' }]],
    ['not at all, without a name', [{ description: 'x' }, 7, null], undefined],
    ['not at all, in an empty list', [], undefined],
  ])('are read %s', (_what, value, tools) => {
    expect(readToolDefinitions(value)).toEqual(tools);
  });

  it('are none where the attribute is not there', () => {
    expect(genAiToolDefinitions(spanView({}))).toBeUndefined();
  });
});
