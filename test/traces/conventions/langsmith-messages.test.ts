import { expect, it } from 'vitest';
import {
  langsmithInputMessages,
  langsmithOutputMessages,
} from '../../../src/traces/conventions/langsmith-messages.ts';
import { spanView } from '../../support/views.ts';

const user = [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }];
const assistant = [{ role: 'assistant', parts: [{ type: 'text', text: 'Hello' }] }];
const constructed = (name: string, content: string) => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', name],
  kwargs: { content },
});

it.each<[of: string, inputs: object, outputs: object]>([
  [
    'a model of LangChain',
    { messages: [[constructed('HumanMessage', 'Hi')]] },
    { generations: [[{ text: 'Hello', message: constructed('AIMessage', 'Hello') }]], llmOutput: {} },
  ],
  [
    'a client of OpenAI',
    { model: 'gpt-5', messages: [{ role: 'user', content: 'Hi' }] },
    { choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' } }] },
  ],
  [
    'a call of the AI SDK',
    { input: [{ role: 'user', content: 'Hi' }] },
    { role: 'assistant', content: 'Hello' },
  ],
  [
    'a function',
    { input: [{ role: 'user', content: 'Hi' }] },
    { outputs: { role: 'assistant', content: 'Hello' } },
  ],
])('runs of LangSmith have the messages of %s', (_of, inputs, outputs) => {
  const view = spanView({
    'gen_ai.prompt': JSON.stringify(inputs),
    'gen_ai.completion': JSON.stringify(outputs),
  });
  expect(langsmithInputMessages(view)).toEqual(user);
  expect(langsmithOutputMessages(view)).toEqual(assistant);
});

it.each<[of: string, inputs: string, outputs: string]>([
  ['a tool', '{"city":"Paris"}', '{"outputs":"18 degrees, sunny"}'],
  ['a retriever', '{"input":"Paris?"}', '{"outputs":[{"page_content":"x","type":"Document","metadata":{}}]}'],
  ['a text', 'Hi', 'Hello'],
])('runs of LangSmith have no messages in the values of %s', (_of, inputs, outputs) => {
  const view = spanView({ 'gen_ai.prompt': inputs, 'gen_ai.completion': outputs });
  expect(langsmithInputMessages(view)).toBeUndefined();
  expect(langsmithOutputMessages(view)).toBeUndefined();
});
