/** Each message a log record, named by the record's own event name, with a structured body. */
import { Scenario, usage } from '../handmade.mjs';
import { CHAT_MODEL, QUESTION, SESSION, SYSTEM, TOOL } from '../scenario.mjs';

const toolCalls = [
  { id: 'call_1', type: 'function', function: { name: TOOL.name, arguments: '{"city":"Paris"}' } },
];
const question = [
  ['gen_ai.system.message', { content: SYSTEM }],
  ['gen_ai.user.message', { content: QUESTION }],
];
const callChoice = {
  index: 0,
  finish_reason: 'tool_calls',
  message: { role: 'assistant', tool_calls: toolCalls },
};
const result = [
  ['gen_ai.assistant.message', { tool_calls: toolCalls }],
  ['gen_ai.tool.message', { id: 'call_1', content: '18 degrees, sunny' }],
];
const answer = {
  index: 0,
  finish_reason: 'stop',
  message: { role: 'assistant', content: 'It is 18 degrees and sunny in Paris.' },
};

const scenario = new Scenario();
const agent = scenario.span('invoke_agent weather-agent', {
  kind: 1,
  attributes: {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.system': 'openai',
    'gen_ai.agent.name': 'weather-agent',
    'gen_ai.conversation.id': SESSION,
  },
});
function chat(finishReason, tokens, events) {
  const span = scenario.span(`chat ${CHAT_MODEL}`, {
    parent: agent,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.system': 'openai',
      'gen_ai.conversation.id': SESSION,
      'gen_ai.request.model': CHAT_MODEL,
      'gen_ai.response.model': `${CHAT_MODEL}-2026-08-07`,
      'gen_ai.response.finish_reasons': [finishReason],
      ...tokens,
    },
  });
  for (const [eventName, body] of events)
    scenario.log(span, { eventName, body, attributes: { 'gen_ai.system': 'openai' } });
}

chat('tool_calls', usage(60, 25), [...question, ['gen_ai.choice', callChoice]]);
scenario.span(`execute_tool ${TOOL.name}`, {
  kind: 1,
  parent: agent,
  attributes: {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': TOOL.name,
    'gen_ai.tool.call.id': 'call_1',
    'gen_ai.tool.description': TOOL.description,
  },
});
chat('stop', usage(95, 12), [...question, ...result, ['gen_ai.choice', answer]]);
await scenario.send('1.36.0');
