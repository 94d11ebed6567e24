/** Compares what the stand-in model and the tool really said with what is shown of a recorded application. */
import type { Message } from '../../src/traces/conventions/message.ts';
import { transcript } from '../support/transcript.ts';
import type { AppPicture, SpanPicture } from './picture.ts';

export const COLUMNS = [
  'Input',
  'Output',
  'Model',
  'Question',
  'Tool call',
  'Answer',
  'Finish reasons',
  'Tool result',
  'Tokens',
  'Cached',
  'Reasoning',
  'Cost',
] as const;
export type ColumnName = (typeof COLUMNS)[number];
/** Values of one application. */
export type Cells = Record<ColumnName, unknown>;

const QUESTION = 'What is the weather in Paris?';
const ANSWER = 'It is 18 degrees and sunny in Paris.';
const CALL = 'get_weather({"city":"Paris"})';

/** What was said, whoever reports it. */
export const SAID: Cells = {
  Input: QUESTION,
  Output: ANSWER,
  Model: ['gpt-5-mini-2026-08-07'],
  Question: QUESTION,
  'Tool call': CALL,
  Answer: ANSWER,
  'Finish reasons': ['tool_calls', 'stop'],
  'Tool result': ['get_weather', { city: 'Paris' }, '18 degrees, sunny'],
  Tokens: [155, 37],
  Cached: 80,
  Reasoning: 8,
  Cost: 0.000_094_75,
};

/** Returns what is shown; null for what the sender does not report. */
export function shown({ traces }: AppPicture): Cells {
  const spans = traces.flatMap((trace) => trace.spans);
  const calls = spans.filter((span) => span.kind === 'LLM');
  const counted = calls.filter((span) => !isDouble(span));
  const tool = spans.find((span) => span.kind === 'TOOL');
  const [first, last] = [calls.find(hasMessages), calls.findLast(hasMessages)];
  const sum = (name: string): number | null =>
    traces.reduce((total, { usage }) => total + (usage[name] ?? 0), 0) || null;
  const tokens = [sum('promptTokens'), sum('completionTokens')];
  return {
    Input: traces[0]?.input ?? null,
    Output: traces[0]?.output ?? null,
    Model: unique(counted.map((call) => valueOf(call, 'model'))),
    Question: valueOf(first, 'input'),
    'Tool call': lines(first, 'outputMessages').match(/get_weather\(.*?\)/)?.[0] ?? null,
    Answer: valueOf(last, 'output'),
    'Finish reasons': nothing(counted.flatMap((call) => valueOf(call, 'finishReasons') ?? [])),
    'Tool result':
      tool === undefined
        ? null
        : nothing(['toolName', 'input', 'output'].map((field) => valueOf(tool, field))),
    Tokens: nothing(tokens),
    Cached: sum('cacheReadTokens'),
    Reasoning: sum('reasoningTokens'),
    Cost: traces.reduce((total, { cost }) => total + (cost ?? 0), 0) || null,
  };
}

const hasMessages = ({ mapped }: SpanPicture): boolean => mapped.fields.outputMessages !== undefined;

const isDouble = ({ mapped }: SpanPicture): boolean =>
  mapped.warnings.some((warning) => warning.includes('counted on other spans'));

function valueOf(span: SpanPicture | undefined, field: string): unknown {
  const fields = (span?.mapped.fields ?? {}) as Record<string, { value: unknown }>;
  return fields[field]?.value ?? null;
}

function lines(span: SpanPicture | undefined, field: string): string {
  return transcript((valueOf(span, field) ?? []) as Message[]).join('\n');
}

function unique(values: readonly unknown[]): unknown[] | null {
  return nothing([...new Set(values.filter((value) => value !== null))]);
}

/** Returns null for a list without any value. */
function nothing(values: unknown[]): unknown[] | null {
  return values.every((value) => value === null || value === undefined) ? null : values;
}
