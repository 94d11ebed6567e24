/** Contents as attributes, structured or as JSON texts, and as one event with the same attributes. */
import { Scenario, usage } from '../handmade.mjs';
import { CHAT_MODEL, EMBEDDING_MODEL, QUESTION, SESSION, SYSTEM, THANKS, TOOL, USER } from '../scenario.mjs';

const text = (content) => ({ type: 'text', content });
const call = { type: 'tool_call', id: 'call_1', name: TOOL.name, arguments: { city: 'Paris' } };
const result = { type: 'tool_call_response', id: 'call_1', response: '18 degrees, sunny' };
const ANSWER = 'It is 18 degrees and sunny in Paris.';

const question = { role: 'user', parts: [text(QUESTION)] };
const calling = { role: 'assistant', parts: [{ type: 'reasoning', content: 'The tool knows.' }, call] };
const messages = (input, output, finishReason) => ({
  'gen_ai.system_instructions': [text(SYSTEM)],
  'gen_ai.input.messages': input,
  'gen_ai.output.messages': [{ ...output, finish_reason: finishReason }],
});
const asJson = (attributes) =>
  Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, JSON.stringify(value)]));

const ofAll = { 'gen_ai.provider.name': 'openai', 'gen_ai.conversation.id': SESSION };
const scenario = new Scenario();
const agent = scenario.span('invoke_agent weather-agent', {
  kind: 1,
  attributes: {
    ...ofAll,
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.id': 'agent-1',
    'gen_ai.agent.name': 'weather-agent',
    'user.id': USER,
    ...asJson(messages([question], { role: 'assistant', parts: [text(ANSWER)] }, 'stop')),
    // The sum of the calls below: counted once more, it would be counted twice.
    ...usage(155, 37),
  },
});
const chat = (finishReason, attributes) =>
  scenario.span(`chat ${CHAT_MODEL}`, {
    parent: agent,
    attributes: {
      ...ofAll,
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': CHAT_MODEL,
      'gen_ai.request.temperature': 0.5,
      'gen_ai.request.stop_sequences': ['END'],
      'gen_ai.response.model': `${CHAT_MODEL}-2026-08-07`,
      'gen_ai.response.finish_reasons': [finishReason],
      ...attributes,
    },
  });

scenario.span(`embeddings ${EMBEDDING_MODEL}`, {
  parent: agent,
  attributes: {
    ...ofAll,
    'gen_ai.operation.name': 'embeddings',
    'gen_ai.request.model': EMBEDDING_MODEL,
    'gen_ai.embeddings.dimension.count': 3,
    'gen_ai.usage.input_tokens': 4,
  },
});
scenario.span('retrieval atlas', {
  parent: agent,
  attributes: {
    ...ofAll,
    'gen_ai.operation.name': 'retrieval',
    'gen_ai.data_source.id': 'atlas',
    'gen_ai.retrieval.query.text': QUESTION,
    'gen_ai.retrieval.documents': [{ id: 'doc-1', score: 0.9 }],
  },
});
chat('tool_call', {
  ...messages([question], calling, 'tool_call'),
  'gen_ai.tool.definitions': [{ type: 'function', ...TOOL }],
  ...usage(60, 25),
  'gen_ai.usage.cache_read.input_tokens': 32,
  'gen_ai.usage.cache_creation.input_tokens': 16,
  'gen_ai.usage.reasoning.output_tokens': 8,
});
scenario.span(`execute_tool ${TOOL.name}`, {
  kind: 1,
  parent: agent,
  attributes: {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': TOOL.name,
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': 'call_1',
    'gen_ai.tool.call.arguments': { city: 'Paris' },
    'gen_ai.tool.call.result': JSON.stringify({ weather: '18 degrees, sunny' }),
  },
});
const heard = [question, calling, { role: 'tool', parts: [result] }];
const answer = chat('stop', {
  ...asJson(messages(heard, { role: 'assistant', parts: [text(ANSWER)] }, 'stop')),
  ...usage(95, 12),
  'gen_ai.usage.cache_read.input_tokens': 48,
});
scenario.log(answer, {
  eventName: 'gen_ai.evaluation.result',
  attributes: {
    'gen_ai.evaluation.name': 'Relevance',
    'gen_ai.evaluation.score.value': 0.75,
    'gen_ai.evaluation.score.label': 'relevant',
    'gen_ai.evaluation.explanation': 'It says what was asked for.',
  },
});
const thanks = chat('stop', usage(115, 5));
scenario.log(thanks, {
  eventName: 'gen_ai.client.inference.operation.details',
  attributes: {
    ...ofAll,
    'gen_ai.operation.name': 'chat',
    ...messages(
      [{ role: 'user', parts: [text(THANKS)] }],
      { role: 'assistant', parts: [text('You are welcome.')] },
      'stop',
    ),
  },
});
await scenario.send('1.41.0');
