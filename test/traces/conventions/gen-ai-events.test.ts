import { describe, expect, it } from 'vitest';
import {
  genAiEvaluations,
  genAiEventInput,
  genAiEventOutput,
} from '../../../src/traces/conventions/gen-ai-events.ts';
import type { Message } from '../../../src/traces/conventions/message.ts';
import { type EventSpec, type RecordSpec, spanView } from '../../support/views.ts';

const text = (role: string, said: string): Message => ({ role, parts: [{ type: 'text', text: said }] });
const calls: Message = {
  role: 'assistant',
  parts: [{ type: 'tool_call', id: 'call_1', name: 'weather', arguments: { city: 'Paris' } }],
};
const answer: Message = { role: 'tool', parts: [{ type: 'tool_result', id: 'call_1', result: 'sunny' }] };

const toolCalls = [
  { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } },
];
const prompt = [
  { name: 'gen_ai.system.message', said: { content: 'Be brief.' } },
  { name: 'gen_ai.user.message', said: { content: 'Weather?' } },
  { name: 'gen_ai.assistant.message', said: { tool_calls: toolCalls } },
  { name: 'gen_ai.tool.message', said: { id: 'call_1', content: 'sunny' } },
];
const read = [text('system', 'Be brief.'), text('user', 'Weather?'), calls, answer];
const choice = { index: 0, finish_reason: 'stop', message: { content: 'Sunny.' } };
const chosen = [{ ...text('assistant', 'Sunny.'), finishReason: 'stop' }];
const system = { 'gen_ai.system': 'openai' };

const inputOf = (events: readonly EventSpec[], records: readonly RecordSpec[] = []) =>
  genAiEventInput(spanView({}, events, records));
const outputOf = (events: readonly EventSpec[], records: readonly RecordSpec[] = []) =>
  genAiEventOutput(spanView({}, events, records));

describe('an event for each message', () => {
  it('is read from the bodies of log records', () => {
    const records = prompt.map(({ name, said }) => ({ name, body: said, attributes: system }));
    expect(inputOf([], records)).toEqual(read);
    expect(outputOf([], [{ name: 'gen_ai.choice', body: choice, attributes: system }])).toEqual(chosen);
  });

  it('is read from the attributes of span events', () => {
    const events = prompt.map(({ name, said }) => ({ name, attributes: { ...said, ...system } }));
    expect(inputOf(events)).toEqual(read);
    expect(outputOf([{ name: 'gen_ai.choice', attributes: choice }])).toEqual(chosen);
  });

  it('is read from attributes that hold JSON', () => {
    const event = { name: 'gen_ai.assistant.message', attributes: { tool_calls: JSON.stringify(toolCalls) } };
    expect(inputOf([event])).toEqual([calls]);
    const attributes = { finish_reason: 'stop', message: JSON.stringify(choice.message) };
    expect(outputOf([{ name: 'gen_ai.choice', attributes }])).toEqual(chosen);
  });

  it('is read from the JSON that Azure sends', () => {
    const asJson = (name: string, said: object): EventSpec => ({
      name,
      attributes: { ...system, 'gen_ai.event.content': JSON.stringify(said) },
    });
    expect(inputOf(prompt.map(({ name, said }) => asJson(name, said)))).toEqual(read);
    expect(outputOf([asJson('gen_ai.choice', choice)])).toEqual(chosen);
  });

  it('is read from blocks, as Strands sends them', () => {
    const blocks =
      '[{"text":"Let me see."},{"toolUse":{"toolUseId":"call_1","name":"weather","input":{"city":"Paris"}}}]';
    const events = [{ name: 'gen_ai.choice', attributes: { finish_reason: 'tool_use', message: blocks } }];
    expect(outputOf(events)).toEqual([
      {
        role: 'assistant',
        parts: [{ type: 'text', text: 'Let me see.' }, ...calls.parts],
        finishReason: 'tool_use',
      },
    ]);
  });

  it('is what the body says where the body is a text', () => {
    expect(inputOf([], [{ name: 'gen_ai.user.message', body: 'Hi' }])).toEqual([text('user', 'Hi')]);
    expect(outputOf([{ name: 'gen_ai.choice', attributes: { message: 'Hi' } }])).toEqual([
      text('assistant', 'Hi'),
    ]);
  });

  it('may name a role', () => {
    const body = { role: 'developer', content: 'Be brief.' };
    expect(inputOf([], [{ name: 'gen_ai.system.message', body }])).toEqual([text('developer', 'Be brief.')]);
  });

  it('may have its calls beside the message', () => {
    const body = {
      index: 0,
      finish_reason: 'tool_calls',
      message: { role: 'assistant' },
      tool_calls: toolCalls,
    };
    expect(outputOf([], [{ name: 'gen_ai.choice', body }])).toEqual([
      { ...calls, finishReason: 'tool_calls' },
    ]);
  });

  it('is one message for each choice', () => {
    const events = ['A', 'B'].map((content, index) => ({
      name: 'gen_ai.choice',
      attributes: { index, message: { content } },
    }));
    expect(outputOf(events)).toEqual([text('assistant', 'A'), text('assistant', 'B')]);
  });

  it('says nothing where contents were not recorded', () => {
    expect(inputOf([], [{ name: 'gen_ai.user.message', body: null, attributes: system }])).toBeUndefined();
    expect(
      outputOf([], [{ name: 'gen_ai.choice', body: { index: 0, finish_reason: 'stop' } }]),
    ).toBeUndefined();
  });
});

describe('the details of an operation', () => {
  const details = (user: string) => ({
    name: 'gen_ai.client.inference.operation.details',
    attributes: {
      'gen_ai.system_instructions': [{ type: 'text', content: 'Be brief.' }],
      'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: user }] }],
      'gen_ai.output.messages': `[{"role":"assistant","parts":[{"type":"text","content":"To ${user}"}],"finish_reason":"stop"}]`,
    },
  });

  it('are read from span events and from log records', () => {
    for (const view of [spanView({}, [details('Hi')]), spanView({}, [], [details('Hi')])]) {
      expect(genAiEventInput(view)).toEqual([text('system', 'Be brief.'), text('user', 'Hi')]);
      expect(genAiEventOutput(view)).toEqual([{ ...text('assistant', 'To Hi'), finishReason: 'stop' }]);
    }
  });

  it('are those of the last that say something', () => {
    const events = [details('one'), details('two'), { name: details('').name, attributes: {} }];
    expect(inputOf(events)).toEqual([text('system', 'Be brief.'), text('user', 'two')]);
  });

  it('go before events for each message, and these before events for all', () => {
    const each = { name: 'gen_ai.user.message', attributes: { content: 'each' } };
    const all = { name: 'gen_ai.content.prompt', attributes: { 'gen_ai.prompt': 'all' } };
    expect(inputOf([all, each, details('Hi')])).toEqual([text('system', 'Be brief.'), text('user', 'Hi')]);
    expect(inputOf([all, each])).toEqual([text('user', 'each')]);
    expect(inputOf([all])).toEqual([text('user', 'all')]);
  });
});

describe('an event for all messages', () => {
  it('is read from JSON', () => {
    const attributes = {
      'gen_ai.prompt': '[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}]',
    };
    expect(inputOf([{ name: 'gen_ai.content.prompt', attributes }])).toEqual([
      text('system', 'Be brief.'),
      text('user', 'Hi'),
    ]);
  });

  it('may be a text', () => {
    const attributes = { 'gen_ai.completion': 'Hello' };
    expect(outputOf([{ name: 'gen_ai.content.completion', attributes }])).toEqual([
      text('assistant', 'Hello'),
    ]);
  });
});

it('no event, no messages', () => {
  const other = [{ name: 'exception', attributes: { content: 'Hi', 'gen_ai.prompt': 'Hi' } }];
  expect(inputOf(other)).toBeUndefined();
  expect(outputOf(other)).toBeUndefined();
  expect(genAiEvaluations(spanView({}, other))).toBeUndefined();
});

describe('evaluations', () => {
  const event = (attributes: EventSpec['attributes']) => ({
    name: 'gen_ai.evaluation.result',
    ...(attributes && { attributes }),
  });

  it('are read in order, with what they say', () => {
    const events = [
      event({
        'gen_ai.evaluation.name': 'relevance',
        'gen_ai.evaluation.score.value': 0.5,
        'gen_ai.evaluation.score.label': 'fair',
        'gen_ai.evaluation.explanation': 'Half of it.',
      }),
      event({ 'gen_ai.evaluation.name': 'tone' }),
      event({ 'gen_ai.evaluation.score.value': 1 }),
    ];
    const evaluations = [
      { name: 'relevance', score: 0.5, label: 'fair', explanation: 'Half of it.' },
      { name: 'tone' },
    ];
    expect(genAiEvaluations(spanView({}, events))).toStrictEqual(evaluations);
    expect(genAiEvaluations(spanView({}, [], events))).toStrictEqual(evaluations);
  });
});
