import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message, MessagePart, RetrievedDocument } from '../../../src/traces/conventions/message.ts';
import { viewOf } from '../../../src/traces/conventions/span-view.ts';
import {
  vercelDocuments,
  vercelEmbeddingTexts,
  vercelInputMessages,
  vercelOutputMessages,
  vercelToolDefinitions,
} from '../../../src/traces/conventions/vercel-messages.ts';
import { attributesUnder } from '../../support/flattened.ts';
import type { Value, Values } from '../../support/spans.ts';
import { spanView } from '../../support/views.ts';
import { effort } from '../../support/effort.ts';

const READERS = [
  vercelDocuments,
  vercelEmbeddingTexts,
  vercelInputMessages,
  vercelOutputMessages,
  vercelToolDefinitions,
];
const PNG = Buffer.alloc(900).toString('base64');
const said = (role: string, text: string): Message => ({ role, parts: [{ type: 'text', text }] });

describe('the input', () => {
  it.each<[string, Values, Message[]]>([
    [
      'of a model call',
      {
        'ai.prompt.messages': JSON.stringify([
          { role: 'system', content: 'Be brief.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Look:' },
              { type: 'file', mediaType: 'image/png', data: PNG },
            ],
          },
          {
            role: 'assistant',
            content: [
              { type: 'reasoning', text: 'The tool knows.' },
              { type: 'tool-call', toolCallId: 'call_1', toolName: 'get_weather', input: { city: 'Paris' } },
            ],
          },
          {
            role: 'tool',
            content: [
              {
                type: 'tool-result',
                toolCallId: 'call_1',
                toolName: 'get_weather',
                output: { type: 'json', value: { degrees: 18 } },
              },
            ],
          },
        ]),
      },
      [
        said('system', 'Be brief.'),
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'Look:' },
            { type: 'image', mimeType: 'image/png', size: 900 },
          ],
        },
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'The tool knows.' },
            { type: 'tool_call', id: 'call_1', name: 'get_weather', arguments: { city: 'Paris' } },
          ],
        },
        {
          role: 'tool',
          parts: [{ type: 'tool_result', id: 'call_1', name: 'get_weather', result: { degrees: 18 } }],
        },
      ],
    ],
    [
      'that is a prompt',
      { 'ai.prompt': '{"system":"Be brief.","prompt":"Hi"}' },
      [said('system', 'Be brief.'), said('user', 'Hi')],
    ],
    [
      'that is messages',
      { 'ai.prompt': '{"messages":[{"role":"user","content":"Hi"}]}' },
      [said('user', 'Hi')],
    ],
    [
      'with a prompt that is messages',
      { 'ai.prompt': '{"prompt":[{"role":"user","content":"Hi"}]}' },
      [said('user', 'Hi')],
    ],
    [
      'with instructions that are messages',
      {
        'ai.prompt':
          '{"system":[{"role":"system","content":"Be brief."},{"role":"system","content":"Be kind."}],"prompt":"Hi"}',
      },
      [said('system', 'Be brief.'), said('system', 'Be kind.'), said('user', 'Hi')],
    ],
    [
      'that was sent with structure',
      { 'ai.prompt': { system: 'Be brief.', prompt: 'Hi' } },
      [said('system', 'Be brief.'), said('user', 'Hi')],
    ],
    ['that is no JSON', { 'ai.prompt': 'Hi' }, [said('user', 'Hi')]],
    ['that was cut', { 'ai.prompt.messages': '[{"role":"us' }, [said('user', '[{"role":"us')]],
    [
      'that says both what was asked and how that was put to the model',
      { 'ai.prompt': '{"prompt":"Hi"}', 'ai.prompt.messages': '[{"role":"user","content":"Hi there"}]' },
      [said('user', 'Hi there')],
    ],
  ])('%s', (_, sent, read) => {
    expect(vercelInputMessages(spanView(sent))).toEqual(read);
  });
});

describe.each(['ai.response', 'ai.result'])('the output as %s', (prefix) => {
  const call = { toolCallId: 'call_1', toolName: 'get_weather' };
  const readCall: MessagePart = {
    type: 'tool_call',
    id: 'call_1',
    name: 'get_weather',
    arguments: { city: 'Paris' },
  };

  it.each<[string, Values, MessagePart[]]>([
    ['text', { text: 'Hi' }, [{ type: 'text', text: 'Hi' }]],
    ['text that is JSON', { text: '[{"type":"text"}]' }, [{ type: 'text', text: '[{"type":"text"}]' }]],
    [
      'no text beside calls',
      { text: '', toolCalls: JSON.stringify([{ ...call, input: { city: 'Paris' } }]) },
      [readCall],
    ],
    ['an object', { object: '{"a":1}' }, [{ type: 'text', text: '{"a":1}' }]],
    ['calls', { toolCalls: JSON.stringify([{ ...call, input: { city: 'Paris' } }]) }, [readCall]],
    [
      'calls as version 4 has them',
      { toolCalls: JSON.stringify([{ toolCallType: 'function', ...call, args: '{"city":"Paris"}' }]) },
      [readCall],
    ],
    [
      'everything',
      {
        text: 'One moment.',
        files: JSON.stringify([{ type: 'file', mediaType: 'image/png', data: PNG }]),
        toolCalls: JSON.stringify([{ ...call, input: '{"city":"Paris"}' }]),
        reasoning: 'The tool knows.',
      },
      [
        { type: 'reasoning', text: 'The tool knows.' },
        { type: 'text', text: 'One moment.' },
        readCall,
        { type: 'image', mimeType: 'image/png', size: 900 },
      ],
    ],
    ['calls that were cut', { toolCalls: '[{"toolCa' }, [{ type: 'text', text: '[{"toolCa' }]],
  ])('%s', (_, sent, parts) => {
    const attributes = Object.fromEntries(
      Object.entries(sent).map(([key, value]) => [`${prefix}.${key}`, value]),
    );
    expect(vercelOutputMessages(spanView(attributes))).toEqual([{ role: 'assistant', parts }]);
    expect(vercelOutputMessages(spanView({ ...attributes, 'ai.response.finishReason': 'stop' }))).toEqual([
      { role: 'assistant', parts, finishReason: 'stop' },
    ]);
  });
});

it.each<[string, Value]>([
  ['a list of JSON', ['{"type":"function","name":"get_weather","inputSchema":{"type":"object"}}']],
  ['the JSON of a list', '[{"type":"function","name":"get_weather","parameters":{"type":"object"}}]'],
])('tools are read from %s', (_, tools) => {
  expect(vercelToolDefinitions(spanView({ 'ai.prompt.tools': tools }))).toEqual([
    { name: 'get_weather', parameters: { type: 'object' } },
  ]);
});

describe('documents', () => {
  const texts = ['"sunny day"', '"rainy night"'];
  it.each<[string, Values, RetrievedDocument[]]>([
    [
      'stand as they were ranked',
      {
        'ai.documents': texts,
        'ai.ranking': ['{"index":1,"relevanceScore":0.9}', '{"index":0,"relevanceScore":0.2}'],
      },
      [
        { content: 'rainy night', score: 0.9 },
        { content: 'sunny day', score: 0.2 },
      ],
    ],
    ['stand as they came', { 'ai.documents': texts }, [{ content: 'sunny day' }, { content: 'rainy night' }]],
    [
      'may be objects',
      { 'ai.documents': ['{"id":7,"text":"sunny day","year":2026}', '{"title":"Rain"}'] },
      [
        { id: '7', content: 'sunny day', metadata: { id: 7, text: 'sunny day', year: 2026 } },
        { content: '{"title":"Rain"}' },
      ],
    ],
    [
      'have their place as id where they were not recorded',
      { 'ai.ranking': ['{"index":3,"relevanceScore":0.9}'] },
      [{ id: '3', score: 0.9 }],
    ],
    [
      'are told once, however often they are ranked',
      {
        'ai.documents': texts,
        'ai.ranking': '[{"index":1,"relevanceScore":0.9},{"index":1,"relevanceScore":0.8}]',
      },
      [
        { content: 'rainy night', score: 0.9 },
        { id: '1', score: 0.8 },
      ],
    ],
  ])('%s', (_, sent, documents) => {
    expect(vercelDocuments(spanView(sent))).toEqual(documents);
  });
});

it.each<[string, Values, string[]]>([
  ['one', { 'ai.value': '"sunny \\"day\\""' }, ['sunny "day"']],
  ['several', { 'ai.values': ['"sunny day"', '"rainy night"'] }, ['sunny day', 'rainy night']],
  ['one that was cut', { 'ai.value': '"sunny d' }, ['"sunny d']],
  ['one that is JSON itself', { 'ai.value': '"{\\"a\\":1}"' }, ['{"a":1}']],
])('texts that were embedded: %s', (_, sent, texts) => {
  expect(vercelEmbeddingTexts(spanView(sent))).toEqual(texts);
});

describe('whatever is sent', () => {
  it('nothing is reported of a span that says nothing', () => {
    const view = spanView({ 'ai.operationId': 'ai.generateText', 'ai.response.finishReason': 'stop' });
    expect(READERS.map((read) => read(view))).toEqual(READERS.map(() => undefined));
  });

  it('no reader throws', () => {
    const keys =
      'ai.prompt|ai.prompt.messages|ai.prompt.tools|ai.response.text|ai.response.toolCalls|ai.response.files|ai.result.object|ai.response.reasoning|ai.response.finishReason|ai.documents|ai.ranking|ai.value|ai.values';
    fc.assert(
      fc.property(attributesUnder(keys.split('|'), ['x']), (attributes) => {
        for (const read of READERS) expect(() => read(viewOf(attributes))).not.toThrow();
      }),
      { numRuns: effort(167) },
    );
  });
});
