import { describe, expect, it } from 'vitest';
import { readChatMessages } from '../../../src/traces/conventions/chat-messages.ts';
import type { Message, MessagePart } from '../../../src/traces/conventions/message.ts';
import type { JsonValue } from '../../../src/traces/span-wire.ts';

type Case = [shape: string, value: JsonValue, messages: Message[]];

const says = (role: string, ...parts: (MessagePart | string)[]): Message => ({
  role,
  parts: parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
});
const call: MessagePart = { type: 'tool_call', id: 'call_1', name: 'weather', arguments: { city: 'Paris' } };
const result: MessagePart = { type: 'tool_result', id: 'call_1', result: { degrees: 18 } };
const reasoning: MessagePart = { type: 'reasoning', text: 'The tool knows.' };

/** Seven bytes. */
const BASE64 = 'aGVsbG8hIQ==';

describe('the chat API of OpenAI', () => {
  const toolCalls = [
    { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } },
  ];

  it.each<Case>([
    [
      'has texts',
      [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', name: 'ann', content: 'Hi' },
      ],
      [says('developer', 'Be brief.'), { ...says('user', 'Hi'), name: 'ann' }],
    ],
    [
      'has calls of tools',
      [{ role: 'assistant', content: null, tool_calls: toolCalls }],
      [says('assistant', call)],
    ],
    [
      'has text and calls',
      { role: 'assistant', content: 'Let me see.', tool_calls: toolCalls },
      [says('assistant', 'Let me see.', call)],
    ],
    [
      'has arguments that are no JSON',
      { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'weather', arguments: '{"city":' } }] },
      [says('assistant', { type: 'tool_call', id: 'c', name: 'weather', arguments: '{"city":' })],
    ],
    [
      'has calls that name no tool',
      { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: {} }] },
      [says('assistant', { type: 'other', value: { id: 'c', type: 'function', function: {} } })],
    ],
    [
      'has what tools answered',
      [{ role: 'tool', tool_call_id: 'call_1', content: '{"degrees":18}' }],
      [says('tool', result)],
    ],
    [
      'has the one call and the answer of old',
      [
        { role: 'assistant', content: null, function_call: { name: 'weather', arguments: '{}' } },
        { role: 'function', name: 'weather', content: 'sunny' },
      ],
      [
        says('assistant', { type: 'tool_call', name: 'weather', arguments: {} }),
        says('function', { type: 'tool_result', name: 'weather', result: 'sunny' }),
      ],
    ],
    ['has refusals', { role: 'assistant', content: null, refusal: 'No.' }, [says('assistant', 'No.')]],
    [
      'has the reasoning that others add to it',
      { role: 'assistant', reasoning_content: 'The tool knows.', content: 'Sunny.' },
      [says('assistant', reasoning, 'Sunny.')],
    ],
    [
      'has speech, given as its words and its size',
      { role: 'assistant', content: null, audio: { id: 'audio_1', data: BASE64, transcript: 'Sunny.' } },
      [says('assistant', { type: 'audio', size: 7 }, 'Sunny.')],
    ],
    [
      'has parts',
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: 'https://a.test/cat.png', detail: 'low' } },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${BASE64}` } },
            { type: 'input_audio', input_audio: { data: BASE64, format: 'wav' } },
            { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${BASE64}` } },
            { type: 'file', file: { file_id: 'file-1' } },
          ],
        },
      ],
      [
        says(
          'user',
          'What is this?',
          { type: 'image', uri: 'https://a.test/cat.png' },
          { type: 'image', mimeType: 'image/png', size: 7 },
          { type: 'audio', mimeType: 'audio/wav', size: 7 },
          { type: 'file', mimeType: 'application/pdf', size: 7 },
          { type: 'file', fileId: 'file-1' },
        ),
      ],
    ],
    [
      'stands in requests',
      { model: 'gpt-5', messages: [{ role: 'user', content: 'Hi' }], temperature: 0.5 },
      [says('user', 'Hi')],
    ],
    [
      'stands in responses, with one message for each choice',
      {
        id: 'chatcmpl-1',
        choices: [
          { index: 0, message: { role: 'assistant', content: 'A' }, finish_reason: 'stop' },
          { index: 1, message: { role: 'assistant', content: 'B' }, finish_reason: 'length' },
        ],
      },
      [
        { ...says('assistant', 'A'), finishReason: 'stop' },
        { ...says('assistant', 'B'), finishReason: 'length' },
      ],
    ],
    [
      'stands in responses of completions',
      { choices: [{ index: 0, text: 'world', finish_reason: 'stop', logprobs: null }] },
      [{ ...says('assistant', 'world'), finishReason: 'stop' }],
    ],
    ['stands in requests of completions', { model: 'm', prompt: 'Hello' }, [says('user', 'Hello')]],
    [
      'is one message beside other things, as in Ollama',
      { model: 'm', message: { role: 'assistant', content: 'Hi' }, done: true },
      [says('assistant', 'Hi')],
    ],
    ['is the JSON of itself', '[{"role":"user","content":"Hi"}]', [says('user', 'Hi')]],
  ])('%s', (_shape, value, messages) => {
    expect(readChatMessages(value)).toStrictEqual(messages);
  });
});

describe("OpenAI's Responses API", () => {
  it.each<Case>([
    [
      'has a list of items of several kinds',
      [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Weather?' }] },
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'The tool knows.' }] },
        {
          type: 'function_call',
          id: 'fc_1',
          call_id: 'call_1',
          name: 'weather',
          arguments: '{"city":"Paris"}',
        },
        { type: 'function_call_output', call_id: 'call_1', output: '{"degrees":18}' },
        { type: 'web_search_call', id: 'ws_1', status: 'completed' },
        { role: 'assistant', content: [{ type: 'output_text', text: 'Sunny.', annotations: [] }] },
        { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
      ],
      [
        says('user', 'Weather?'),
        says('assistant', reasoning),
        says('assistant', call),
        says('tool', result),
        says('web_search_call', {
          type: 'other',
          value: { type: 'web_search_call', id: 'ws_1', status: 'completed' },
        }),
        says('assistant', 'Sunny.'),
        says('assistant', 'No.'),
      ],
    ],
    [
      'has images and files',
      {
        role: 'user',
        content: [
          { type: 'input_image', image_url: `data:image/webp;base64,${BASE64}` },
          { type: 'input_image', file_id: 'file-1' },
          { type: 'input_file', file_url: 'https://a.test/a.pdf' },
          { type: 'input_file', filename: 'a.bin', file_data: BASE64 },
        ],
      },
      [
        says(
          'user',
          { type: 'image', mimeType: 'image/webp', size: 7 },
          { type: 'image', fileId: 'file-1' },
          { type: 'file', uri: 'https://a.test/a.pdf' },
          { type: 'file', size: 7 },
        ),
      ],
    ],
    [
      'has items that say nothing that we know',
      [{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' }],
      [
        says('assistant', {
          type: 'other',
          value: { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' },
        }),
      ],
    ],
    [
      'has instructions',
      { instructions: 'Be brief.', input: [{ role: 'user', content: 'Hi' }] },
      [says('system', 'Be brief.'), says('user', 'Hi')],
    ],
    [
      'answers with items',
      {
        object: 'response',
        output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'A' }] }],
      },
      [says('assistant', 'A')],
    ],
    [
      'keeps the size of an image that the model made',
      [
        { role: 'user', content: 'A cat' },
        { type: 'image_generation_call', id: 'ig_1', result: BASE64 },
      ],
      [says('user', 'A cat'), says('image_generation_call', { type: 'image', size: 7 })],
    ],
  ])('%s', (_shape, value, messages) => {
    expect(readChatMessages(value)).toStrictEqual(messages);
  });
});

describe('the API of Anthropic', () => {
  it.each<Case>([
    [
      'has blocks',
      {
        system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
        messages: [
          { role: 'user', content: 'Weather?' },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'The tool knows.', signature: 's' },
              { type: 'redacted_thinking', data: 'x' },
              { type: 'text', text: 'Let me see.' },
              { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Paris' } },
            ],
          },
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: 'call_1', content: '{"degrees":18}' }],
          },
        ],
      },
      [
        says('system', 'Be brief.'),
        says('user', 'Weather?'),
        says(
          'assistant',
          reasoning,
          { type: 'other', value: { type: 'redacted_thinking', data: 'x' } },
          'Let me see.',
          call,
        ),
        says('user', result),
      ],
    ],
    [
      'has images and documents',
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: BASE64 } },
          { type: 'image', source: { type: 'url', url: 'https://a.test/cat.png' } },
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: BASE64 } },
          { type: 'document', source: { type: 'file', file_id: 'file_1' } },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Hello' } },
        ],
      },
      [
        says(
          'user',
          { type: 'image', mimeType: 'image/jpeg', size: 7 },
          { type: 'image', uri: 'https://a.test/cat.png' },
          { type: 'file', mimeType: 'application/pdf', size: 7 },
          { type: 'file', fileId: 'file_1' },
          'Hello',
        ),
      ],
    ],
    [
      'has results of blocks, and of errors',
      [
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: '{"degrees":18}' }] },
            { type: 'tool_result', tool_use_id: 'b', is_error: true, content: 'no such city' },
            {
              type: 'tool_result',
              tool_use_id: 'c',
              content: [
                { type: 'text', text: 'a map' },
                {
                  type: 'image',
                  source: { type: 'base64', media_type: 'image/png', data: BASE64.repeat(20) },
                },
              ],
            },
          ],
        },
      ],
      [
        says(
          'user',
          { type: 'tool_result', id: 'a', result: { degrees: 18 } },
          { type: 'tool_result', id: 'b', result: { error: 'no such city' } },
          {
            type: 'tool_result',
            id: 'c',
            result: [
              { type: 'text', text: 'a map' },
              {
                type: 'image',
                source: { type: 'base64', media_type: 'image/png', data: { type: 'file', size: 178 } },
              },
            ],
          },
        ),
      ],
    ],
    [
      'answers with a message',
      {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'A' }],
        stop_reason: 'end_turn',
      },
      [{ ...says('assistant', 'A'), finishReason: 'end_turn' }],
    ],
  ])('%s', (_shape, value, messages) => {
    expect(readChatMessages(value)).toStrictEqual(messages);
  });
});

describe('the AI SDK', () => {
  it.each<Case>([
    [
      'has calls and results as parts',
      [
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'The tool knows.' },
            { type: 'tool-call', toolCallId: 'call_1', toolName: 'weather', args: { city: 'Paris' } },
            { type: 'tool-call', toolCallId: 'call_1', toolName: 'weather', input: { city: 'Paris' } },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'call_1', toolName: 'weather', result: { degrees: 18 } },
            {
              type: 'tool-result',
              toolCallId: 'call_1',
              toolName: 'weather',
              output: { type: 'json', value: { degrees: 18 } },
            },
            {
              type: 'tool-result',
              toolCallId: 'call_1',
              toolName: 'weather',
              output: { type: 'error-text', value: 'down' },
            },
          ],
        },
      ],
      [
        says('assistant', reasoning, call, call),
        says(
          'tool',
          { ...result, name: 'weather' },
          { ...result, name: 'weather' },
          { type: 'tool_result', id: 'call_1', name: 'weather', result: { error: 'down' } },
        ),
      ],
    ],
    [
      'has images and files',
      {
        role: 'user',
        content: [
          { type: 'image', image: 'https://a.test/cat.png' },
          { type: 'image', image: BASE64, mediaType: 'image/png' },
          { type: 'image', image: { 0: 137, 1: 80, 2: 78 }, mimeType: 'image/png' },
          { type: 'image', image: { type: 'Buffer', data: [1, 2] } },
          { type: 'file', data: BASE64, mediaType: 'audio/mpeg', filename: 'a.mp3' },
          { type: 'file', url: `data:text/plain,hello%20you`, mediaType: 'text/plain' },
        ],
      },
      [
        says(
          'user',
          { type: 'image', uri: 'https://a.test/cat.png' },
          { type: 'image', mimeType: 'image/png', size: 7 },
          { type: 'image', mimeType: 'image/png', size: 3 },
          { type: 'image', size: 2 },
          { type: 'audio', mimeType: 'audio/mpeg', size: 7 },
          { type: 'file', mimeType: 'text/plain', size: 9 },
        ),
      ],
    ],
    [
      'has a prompt',
      { system: 'Be brief.', prompt: 'Hi' },
      [says('system', 'Be brief.'), says('user', 'Hi')],
    ],
    ['has a prompt of messages', { prompt: [{ role: 'user', content: 'Hi' }] }, [says('user', 'Hi')]],
  ])('%s', (_shape, value, messages) => {
    expect(readChatMessages(value)).toStrictEqual(messages);
  });
});

describe('Gemini', () => {
  it.each<Case>([
    [
      'has contents, without a role those of the user',
      {
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
        contents: [
          { parts: [{ text: 'Weather?' }, { inlineData: { mimeType: 'image/png', data: BASE64 } }] },
          {
            role: 'model',
            parts: [
              { text: 'The tool knows.', thought: true, thoughtSignature: 's' },
              { functionCall: { id: 'call_1', name: 'weather', args: { city: 'Paris' } } },
            ],
          },
          {
            role: 'user',
            parts: [
              { functionResponse: { id: 'call_1', name: 'weather', response: { degrees: 18 } } },
              { fileData: { mimeType: 'video/mp4', fileUri: 'gs://bucket/a.mp4' } },
              { executableCode: { language: 'PYTHON', code: '1+1' } },
            ],
          },
        ],
      },
      [
        says('system', 'Be brief.'),
        says('user', 'Weather?', { type: 'image', mimeType: 'image/png', size: 7 }),
        says('model', reasoning, call),
        says(
          'user',
          { ...result, name: 'weather' },
          { type: 'video', mimeType: 'video/mp4', uri: 'gs://bucket/a.mp4' },
          { type: 'other', value: { executableCode: { language: 'PYTHON', code: '1+1' } } },
        ),
      ],
    ],
    [
      'answers with candidates',
      { candidates: [{ content: { role: 'model', parts: [{ text: 'A' }] }, finishReason: 'STOP' }] },
      [{ ...says('model', 'A'), finishReason: 'STOP' }],
    ],
  ])('%s', (_shape, value, messages) => {
    expect(readChatMessages(value)).toStrictEqual(messages);
  });
});

describe('LangChain', () => {
  const constructed = (name: string, kwargs: JsonValue): JsonValue => ({
    lc: 1,
    type: 'constructor',
    id: ['langchain_core', 'messages', name],
    kwargs,
  });
  const answer = constructed('AIMessageChunk', {
    content: [
      { type: 'text', text: 'Let me see.' },
      { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Paris' } },
    ],
    tool_calls: [{ id: 'call_1', name: 'weather', args: { city: 'Paris' }, type: 'tool_call' }],
    response_metadata: { stop_reason: 'tool_use' },
  });

  it.each<Case>([
    [
      'has types in place of roles',
      [
        { type: 'system', content: 'Be brief.' },
        { type: 'human', content: 'Hi' },
        {
          _getType: 'ai',
          content: '',
          tool_calls: [{ id: 'call_1', name: 'weather', args: { city: 'Paris' } }],
        },
        { type: 'tool', content: '{"degrees":18}', tool_call_id: 'call_1', id: 'msg-1', status: 'success' },
        { type: 'human', data: { content: 'Thanks' } },
        { type: 'chat', role: 'critic', content: 'Hm' },
      ],
      [
        says('system', 'Be brief.'),
        says('user', 'Hi'),
        says('assistant', call),
        says('tool', result),
        says('user', 'Thanks'),
        says('critic', 'Hm'),
      ],
    ],
    [
      'has constructors, in lists of prompts',
      { messages: [[constructed('HumanMessage', { content: 'Weather?' }), answer]] },
      [says('user', 'Weather?'), { ...says('assistant', 'Let me see.', call), finishReason: 'tool_use' }],
    ],
    [
      'has the calls of a provider',
      constructed('AIMessage', {
        content: '',
        tool_calls: [],
        additional_kwargs: {
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } },
          ],
        },
      }),
      [says('assistant', call)],
    ],
    [
      'answers with generations',
      {
        generations: [
          [
            {
              text: 'A',
              message: constructed('AIMessage', { content: 'A' }),
              generationInfo: { finish_reason: 'stop' },
            },
          ],
        ],
      },
      [{ ...says('assistant', 'A'), finishReason: 'stop' }],
    ],
    [
      'answers with generations of text',
      {
        generations: [
          [
            { text: 'A', generation_info: null },
            { text: 'B', generation_info: null },
          ],
        ],
        llm_output: {},
      },
      [says('assistant', 'A'), says('assistant', 'B')],
    ],
    [
      'has prompts that hold messages',
      {
        lc: 1,
        type: 'constructor',
        id: ['langchain_core', 'prompt_values', 'ChatPromptValue'],
        kwargs: { messages: [answer] },
      },
      [{ ...says('assistant', 'Let me see.', call), finishReason: 'tool_use' }],
    ],
  ])('%s', (_shape, value, messages) => {
    expect(readChatMessages(value)).toStrictEqual(messages);
  });
});

describe('content', () => {
  it.each<[shape: string, content: JsonValue, parts: MessagePart[]]>([
    ['that is nothing', null, []],
    ['that is empty', '', []],
    [
      'that is a list of texts',
      ['a', 'b'],
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    ],
    ['that is one part', { type: 'text', text: 'a' }, [{ type: 'text', text: 'a' }]],
    ['that is the JSON of parts', '[{"type":"text","text":"a"}]', [{ type: 'text', text: 'a' }]],
    ['that is the JSON of parts without type', '[{"text":"a"}]', [{ type: 'text', text: 'a' }]],
    [
      'that is the JSON of something else',
      '[{"text":"a","n":1}]',
      [{ type: 'text', text: '[{"text":"a","n":1}]' }],
    ],
    ['that is the JSON of some parts', '[{"type":"x"}]', [{ type: 'text', text: '[{"type":"x"}]' }]],
    ['that is a number', 7, [{ type: 'other', value: 7 }]],
    [
      'that is an image',
      `data:image/png;base64,${BASE64}`,
      [{ type: 'image', mimeType: 'image/png', size: 7 }],
    ],
    ['that only looks like a URI', 'data: I have some', [{ type: 'text', text: 'data: I have some' }]],
    ['with a part nobody knows', [{ type: 'x', y: 1 }], [{ type: 'other', value: { type: 'x', y: 1 } }]],
    [
      'with a text beside other things',
      [{ text: 'a', n: 1 }],
      [{ type: 'other', value: { text: 'a', n: 1 } }],
    ],
    [
      'with a text that is none',
      [{ type: 'text', text: 1 }],
      [{ type: 'other', value: { type: 'text', text: 1 } }],
    ],
    ['with null', [null], [{ type: 'other', value: null }]],
    [
      'with a placeholder where bytes were',
      [{ type: 'image', image: '<hidden>' }],
      [{ type: 'other', value: { type: 'image', image: '<hidden>' } }],
    ],
    [
      'with blocks of Bedrock',
      [
        { text: 'a' },
        { toolUse: { toolUseId: 'call_1', name: 'weather', input: { city: 'Paris' } } },
        { toolResult: { toolUseId: 'call_1', content: [{ text: '{"degrees":18}' }], status: 'success' } },
        { image: { format: 'png', source: { bytes: BASE64 } } },
      ],
      [{ type: 'text', text: 'a' }, call, result, { type: 'image', mimeType: 'image/png', size: 7 }],
    ],
  ])('%s', (_shape, content, parts) => {
    expect(readChatMessages([{ role: 'user', content }])).toStrictEqual([{ role: 'user', parts }]);
  });
});

describe('what is no message', () => {
  it.each<[what: string, value: JsonValue]>([
    ['nothing', null],
    ['a text', 'Hi'],
    ['a number', 7],
    ['an empty list', []],
    ['a list of texts', ['Hi', 'there']],
    ['a list of lists of texts', [['user', 'Hi']]],
    ['messages among other things', [{ role: 'user', content: 'Hi' }, 'there']],
    ['a list of parts', [{ type: 'text', text: 'Hi' }]],
    ['documents', [{ page_content: 'Hi', metadata: {}, type: 'Document' }]],
    ['people', [{ role: 'admin', name: 'Ann' }]],
    ['any object', { city: 'Paris', days: 3 }],
    ['a text beside other things', { text: 'Hi', input: 'there' }],
    ['a content', { content: 'Hi' }],
    ['choices of another kind', { choices: [{ text: 'red' }, { text: 'blue' }] }],
    ['a request without messages', { messages: [], model: 'm' }],
    [
      'a message deep within',
      {
        input: {
          input: { input: { input: { input: { input: { input: { role: 'user', content: 'Hi' } } } } } },
        },
      },
    ],
  ])('%s', (_what, value) => {
    expect(readChatMessages(value)).toBeUndefined();
  });
});
