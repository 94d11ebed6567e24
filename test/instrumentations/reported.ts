/** The scenario that all applications tell, in the words of our model; and how some tell it otherwise. */
import type { Message } from '../../src/traces/conventions/message.ts';
import type { Field } from '../../src/traces/conventions/rule.ts';
import { transcript } from '../support/transcript.ts';
import type { AppPicture, SpanPicture } from './picture.ts';

export interface Call {
  model: unknown;
  provider: unknown;
  input: unknown;
  /** Messages without text are written as a transcript. */
  output: unknown;
  /** Transcripts of the messages. */
  heard: string[];
  said: string[];
  inputTokens: unknown;
  outputTokens: unknown;
  cacheReadTokens: unknown;
  cacheWriteTokens: unknown;
  reasoningTokens: unknown;
  cost: unknown;
}

export interface Scenario {
  /** Of each trace, session and user. */
  whose: [session: string | null, user: string | null][];
  /** The calls of a model, but for embeddings. */
  calls: [asked: Call, answered: Call, thanked: Call];
  tools: { toolName: unknown; toolCallId: unknown; input: unknown; output: unknown }[];
}

/** Why an application differs, and how. */
export type Difference = readonly [reason: string, change: (scenario: Scenario) => void];

export const QUESTION = 'What is the weather in Paris?';
export const ANSWER = 'It is 18 degrees and sunny in Paris.';
export const THANKS = 'Thank you!';
export const WELCOME = 'You are welcome.';

const SYSTEM = 'system: You answer questions about the weather.';
const THOUGHT = '(The tool knows the weather.) + ';
const CALL = 'get_weather({"city":"Paris"}) as call_1';
const RESULT = 'tool: → "18 degrees, sunny" as call_1';

const ASKED = [SYSTEM, `user: ${QUESTION}`];
const ANSWERED = [...ASKED, `assistant: ${CALL}`, RESULT];
const THANKED = [...ANSWERED, `assistant: ${ANSWER}`, `user: ${THANKS}`];

const OPENAI = { model: 'gpt-5-mini-2026-08-07', provider: 'openai', cacheWriteTokens: undefined };

const SCENARIO: Scenario = {
  whose: [['session-1', 'user-1']],
  calls: [
    {
      ...OPENAI,
      input: QUESTION,
      output: [`assistant: ${THOUGHT}${CALL}`],
      heard: ASKED,
      said: [`assistant: ${THOUGHT}${CALL}`],
      inputTokens: 60,
      outputTokens: 25,
      cacheReadTokens: 32,
      reasoningTokens: 8,
      cost: 0.000_057_8,
    },
    {
      ...OPENAI,
      input: QUESTION,
      output: ANSWER,
      heard: ANSWERED,
      said: [`assistant: ${ANSWER}`],
      inputTokens: 95,
      outputTokens: 12,
      cacheReadTokens: 48,
      reasoningTokens: 0,
      cost: 0.000_036_95,
    },
    {
      ...OPENAI,
      input: THANKS,
      output: WELCOME,
      heard: THANKED,
      said: [`assistant: ${WELCOME}`],
      inputTokens: 115,
      outputTokens: 5,
      cacheReadTokens: 64,
      reasoningTokens: 0,
      cost: 0.000_024_35,
    },
  ],
  tools: [
    {
      toolName: 'get_weather',
      toolCallId: 'call_1',
      input: { city: 'Paris' },
      output: '18 degrees, sunny',
    },
  ],
};

/** The scenario with these differences. */
export function scenarioWith(differences: readonly Difference[]): Scenario {
  const scenario = structuredClone(SCENARIO);
  for (const [, change] of differences) change(scenario);
  return scenario;
}

/** The scenario as an application reported it. */
export function scenarioOf({ traces }: AppPicture): Scenario {
  const spans = traces.flatMap((trace) => trace.spans);
  return {
    whose: traces.map(({ sessionId, userId }) => [sessionId, userId]),
    calls: spans.filter(({ kind }) => kind === 'LLM').map(callOf) as Scenario['calls'],
    tools: spans
      .filter(({ kind }) => kind === 'TOOL')
      .map((span) => ({
        toolName: valueOf(span, 'toolName'),
        toolCallId: valueOf(span, 'toolCallId'),
        input: valueOf(span, 'input'),
        output: valueOf(span, 'output'),
      })),
  };
}

function callOf(span: SpanPicture): Call {
  const output = valueOf(span, 'output');
  return {
    model: valueOf(span, 'model'),
    provider: valueOf(span, 'provider'),
    input: valueOf(span, 'input'),
    output: typeof output === 'string' ? output : transcript(output as Message[]),
    heard: transcript((valueOf(span, 'inputMessages') ?? []) as Message[]),
    said: transcript((valueOf(span, 'outputMessages') ?? []) as Message[]),
    inputTokens: valueOf(span, 'inputTokens'),
    outputTokens: valueOf(span, 'outputTokens'),
    cacheReadTokens: valueOf(span, 'cacheReadTokens'),
    cacheWriteTokens: valueOf(span, 'cacheWriteTokens'),
    reasoningTokens: valueOf(span, 'reasoningTokens'),
    cost: valueOf(span, 'cost'),
  };
}

const valueOf = ({ mapped }: SpanPicture, field: Field): unknown => mapped.fields[field]?.value;

export const KEEPS_THOUGHT: Difference = [
  'the library hands the thought back to the model with the tool call',
  ({ calls: [, answered, thanked] }) => {
    for (const { heard } of [answered, thanked]) heard[2] = `assistant: ${THOUGHT}${CALL}`;
  },
];

export const NO_THOUGHT: Difference = [
  'the instrumentation leaves out what the model thought',
  ({ calls: [asked] }) => {
    asked.said = [`assistant: ${CALL}`];
    asked.output = asked.said;
  },
];

export const NO_DETAILS: Difference = [
  'the instrumentation counts neither cached tokens, so that all of the input has its full price, nor reasoning',
  ({ calls }) => {
    for (const call of calls) Object.assign(call, { cacheReadTokens: undefined, reasoningTokens: undefined });
    for (const [i, cost] of [0.000_065, 0.000_047_75, 0.000_038_75].entries())
      Object.assign(calls[i] as Call, { cost });
  },
];

export const NOTHING_COUNTED_OF_STREAMS: Difference = [
  'the instrumentation does not read the usage at the end of a stream',
  ({ calls: [, , thanked] }) => {
    const counts = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'reasoningTokens', 'cost'];
    for (const name of counts) Object.assign(thanked, { [name]: undefined });
  },
];

export const CLAUDE: Difference = [
  'the chat is with Anthropic, which counts what was written to the cache, and no reasoning',
  ({ calls }) => {
    const costs = [0.000_480_6, 0.000_335_4, 0.000_247_2];
    for (const [i, call] of calls.entries()) {
      call.model = 'claude-sonnet-5-20260807';
      call.provider = 'anthropic';
      call.cacheWriteTokens = i === 0 ? 16 : 0;
      call.reasoningTokens = undefined;
      call.cost = costs[i];
    }
  },
];

export const NO_CALL_ID: Difference = [
  'the span of the tool is made around a function that knows no id of the call',
  ({ tools }) => {
    for (const tool of tools) tool.toolCallId = undefined;
  },
];

export const NO_TOOL_SPAN: Difference = [
  'the application makes no span of its tool',
  (scenario) => {
    scenario.tools = [];
  },
];

export const NO_THANKS: Difference = [
  'the application ends with the answer',
  ({ calls }) => {
    (calls as Call[]).pop();
  },
];
