/** Subjects and rules to be judged by a model. */
import type { AppliedDefinition, JudgedEvaluator, Question } from '../../src/evaluate/evaluator.ts';
import type { Subject } from '../../src/evaluate/subject.ts';

export const subjectOf = (more: Partial<Subject> = {}): Subject => ({
  input: 'How long may I return it?',
  output: 'Within 30 days.',
  documents: [],
  turns: [],
  toolCalls: [],
  spans: [],
  latencyMs: 10,
  usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
  cost: null,
  isTruncated: false,
  ...more,
});

export const appliedDefinition = (
  type: string,
  more: Partial<AppliedDefinition> = {},
): AppliedDefinition => ({
  definitionId: 'd0000000-0000-4000-8000-000000000000',
  version: 1,
  name: 'Rule',
  type,
  config: type === 'CUSTOM' ? { criterion: 'It names a number of days.' } : {},
  expected: undefined,
  styleGuide: null,
  repeats: 1,
  ...more,
});

export const documentsOf = (...contents: string[]): Subject['documents'] =>
  contents.map((content) => ({ id: null, content, score: null }));

/** The first question that an evaluator asks about a subject. */
export function firstQuestion(
  evaluator: JudgedEvaluator,
  subject: Subject,
  definition: AppliedDefinition,
): Question {
  const inquiry = evaluator.inquiry(subject, definition);
  if (typeof inquiry !== 'function') throw new Error(JSON.stringify(inquiry));
  const questions: Question[] = [];
  void inquiry((question) => {
    questions.push(question);
    return new Promise(() => undefined);
  });
  return questions[0] as Question;
}
