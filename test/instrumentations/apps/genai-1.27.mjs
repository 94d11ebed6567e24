/** Contents as span events `gen_ai.content.*`, each with one JSON text. */
import { Scenario, usage } from '../handmade.mjs';
import { CHAT_MODEL, QUESTION, SESSION, SYSTEM, TOOL, USER } from '../scenario.mjs';

const toolCall = {
  id: 'call_1',
  type: 'function',
  function: { name: TOOL.name, arguments: '{"city":"Paris"}' },
};
const question = [
  { role: 'system', content: SYSTEM },
  { role: 'user', content: QUESTION },
];
const call = { role: 'assistant', tool_calls: [toolCall] };
const result = { role: 'tool', tool_call_id: 'call_1', content: '18 degrees, sunny' };
const answer = { role: 'assistant', content: 'It is 18 degrees and sunny in Paris.' };

const scenario = new Scenario();
const contents = (prompt, completion) => [
  ['gen_ai.content.prompt', { 'gen_ai.prompt': JSON.stringify(prompt) }],
  ['gen_ai.content.completion', { 'gen_ai.completion': JSON.stringify([completion]) }],
];
const root = scenario.span('weather', { kind: 1, attributes: { 'session.id': SESSION, 'user.id': USER } });
const chat = (finishReason, tokens, events) =>
  scenario.span(`chat ${CHAT_MODEL}`, {
    parent: root,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.system': 'openai',
      'gen_ai.request.model': CHAT_MODEL,
      'gen_ai.request.max_tokens': 1000,
      'gen_ai.request.top_p': 0.9,
      'gen_ai.response.model': `${CHAT_MODEL}-2026-08-07`,
      'gen_ai.response.id': 'chatcmpl-1',
      'gen_ai.response.finish_reasons': [finishReason],
      ...tokens,
    },
    events,
  });
chat('tool_calls', usage(60, 25), contents(question, call));
chat('stop', usage(95, 12), contents([...question, call, result], answer));
await scenario.send('1.27.0');
