import type { AppliedDefinition } from '../../src/evaluate/evaluator.ts';
import type { SpanFact, Subject, ToolCall } from '../../src/evaluate/subject.ts';

/** Returns a subject whose input is a question about the capital of France. */
export const subjectOf = (fields: Partial<Subject> = {}): Subject => ({
  input: 'What is the capital of France?',
  output: 'Paris is the capital of France.',
  documents: [],
  turns: [],
  toolCalls: [],
  spans: [spanOf({ name: 'answer' })],
  latencyMs: 1_200,
  usage: { inputTokens: 80, outputTokens: 20, totalTokens: 100 },
  cost: 0.002,
  isTruncated: false,
  ...fields,
});

export const spanOf = (fields: Partial<SpanFact>): SpanFact => ({
  name: 'chat',
  kind: 'LLM',
  model: null,
  durationMs: 100,
  isError: false,
  ...fields,
});

export const callOf = (name: string, fields: Partial<ToolCall> = {}): ToolCall => ({
  name,
  arguments: {},
  result: null,
  isError: false,
  ...fields,
});

export const appliedDefinition = (
  type: string,
  config: AppliedDefinition['config'],
  fields: Partial<AppliedDefinition> = {},
): AppliedDefinition => ({
  definitionId: '11111111-1111-4111-8111-111111111111',
  version: 1,
  name: type,
  type,
  config,
  expected: undefined,
  styleGuide: null,
  repeats: 1,
  ...fields,
});
