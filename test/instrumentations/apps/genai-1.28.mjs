/** Each message an event: of the span, its fields as attributes or as one JSON text; or a log record with a JSON text. */
import { Scenario, usage } from '../handmade.mjs';
import { CHAT_MODEL, QUESTION, SESSION, SYSTEM, THANKS, TOOL, USER } from '../scenario.mjs';

const toolCalls = [
  { id: 'call_1', type: 'function', function: { name: TOOL.name, arguments: '{"city":"Paris"}' } },
];
const asFields = ([name, fields]) => {
  const flat = Object.entries(fields).map(([key, value]) => [
    key,
    typeof value === 'object' ? JSON.stringify(value) : value,
  ]);
  return [name, { 'gen_ai.system': 'openai', ...Object.fromEntries(flat) }];
};
const asText = ([name, fields]) => [
  name,
  { 'gen_ai.system': 'openai', 'gen_ai.event.content': JSON.stringify(fields) },
];

const question = [
  ['gen_ai.system.message', { role: 'system', content: SYSTEM }],
  ['gen_ai.user.message', { role: 'user', content: QUESTION }],
];
const callChoice = { index: 0, finish_reason: 'tool_calls', message: { tool_calls: toolCalls } };
const result = [
  ['gen_ai.assistant.message', { role: 'assistant', tool_calls: toolCalls }],
  ['gen_ai.tool.message', { role: 'tool', id: 'call_1', content: '18 degrees, sunny' }],
];
const saying = (content) => ({
  index: 0,
  finish_reason: 'stop',
  message: { role: 'assistant', content },
});

const scenario = new Scenario();
const root = scenario.span('weather', { kind: 1, attributes: { 'session.id': SESSION, 'user.id': USER } });
const chat = (finishReason, tokens, events) =>
  scenario.span(`chat ${CHAT_MODEL}`, {
    parent: root,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.system': 'openai',
      'gen_ai.request.model': CHAT_MODEL,
      'gen_ai.response.model': `${CHAT_MODEL}-2026-08-07`,
      'gen_ai.response.finish_reasons': [finishReason],
      ...tokens,
    },
    events,
  });

chat('tool_calls', usage(60, 25), [...question, ['gen_ai.choice', callChoice]].map(asFields));
const answer = saying('It is 18 degrees and sunny in Paris.');
chat('stop', usage(95, 12), [...question, ...result, ['gen_ai.choice', answer]].map(asText));
const thanks = chat('stop', usage(115, 5), []);
for (const [name, body] of [
  ['gen_ai.user.message', { role: 'user', content: THANKS }],
  ['gen_ai.choice', saying('You are welcome.')],
]) {
  const attributes = { 'event.name': name, 'gen_ai.system': 'openai' };
  scenario.log(thanks, { body: JSON.stringify(body), attributes });
}
await scenario.send('1.28.0');
