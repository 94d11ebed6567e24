import { expect, it } from 'vitest';
import {
  langfuseInputMessages,
  langfuseOutputMessages,
} from '../../../src/traces/conventions/langfuse-messages.ts';
import { spanView } from '../../support/views.ts';

it('observations of Langfuse have messages on either side', () => {
  const view = spanView({
    'langfuse.observation.input': '[{"role":"user","content":"Weather?"}]',
    'langfuse.observation.output':
      '{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"weather","arguments":"{}"}}]}',
  });
  expect(langfuseInputMessages(view)).toEqual([
    { role: 'user', parts: [{ type: 'text', text: 'Weather?' }] },
  ]);
  expect(langfuseOutputMessages(view)).toEqual([
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'call_1', name: 'weather', arguments: {} }] },
  ]);
});

it.each<[what: string, value: string]>([
  ['a text', 'Hello'],
  ['the JSON of a text', '"Hello"'],
  ['an object', '{"city":"Paris"}'],
  ['a list', '["a","b"]'],
  ['JSON that was cut', '[{"role":"user","con'],
])('observations of Langfuse have no messages in %s', (_what, value) => {
  const view = spanView({ 'langfuse.observation.input': value, 'langfuse.observation.output': value });
  expect(langfuseInputMessages(view)).toBeUndefined();
  expect(langfuseOutputMessages(view)).toBeUndefined();
});

it('observations of Langfuse may have neither side', () => {
  expect(langfuseInputMessages(spanView({}))).toBeUndefined();
  expect(langfuseOutputMessages(spanView({}))).toBeUndefined();
});
