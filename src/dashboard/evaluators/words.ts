import type { EvaluationDefinition } from '../../api/generated/schema.ts';

export type EvaluatorType = EvaluationDefinition['type'];

interface TypeWords {
  /** Sentence about what it measures. */
  measures: string;
  /** True if a judge model decides. */
  isJudged: boolean;
  /** Configuration to begin with. */
  template: Readonly<Record<string, unknown>>;
}

const TYPES: Readonly<Partial<Record<string, TypeWords>>> = {
  ASSERT: {
    measures: 'Rules check the output and the trace: texts, numbers, JSON, duration, cost, tools.',
    isJudged: false,
    template: { assertions: [{ type: 'contains', value: 'refund' }] },
  },
  OUTPUT_MATCH: {
    measures: 'A rule compares the output with the expected output of the example or the link.',
    isJudged: false,
    template: { type: 'string', matchMode: 'contains', ignoreCase: true },
  },
  CUSTOM: {
    measures: 'A judge model answers yes or no to your criterion, or rates by it on a scale of your own.',
    isJudged: true,
    template: { criterion: 'The answer addresses the question of the customer.' },
  },
  FACT: {
    measures: 'A judge model compares the statements of the output with those that are expected.',
    isJudged: true,
    template: {},
  },
  NATURALNESS: {
    measures:
      'A judge model rates coherence, naturalness, relevance, clarity and how engaging the answer is.',
    isJudged: true,
    template: {},
  },
  RECALL: {
    measures: 'A judge model compares the answer with the documents that the app retrieved.',
    isJudged: true,
    template: {},
  },
  TOXICITY: {
    measures: 'A judge model rates insults, hate, threats, sexual content, self-harm and dangerous advice.',
    isJudged: true,
    template: {},
  },
  SIMILARITY: {
    measures: 'An embedding model compares the output with the expected output.',
    isJudged: true,
    template: { passThreshold: 0.8 },
  },
  CONVERSATION: {
    measures:
      'A judge model decides whether the user reached their goal in the turns of a test or a conversation.',
    isJudged: true,
    template: { maxTurns: 10 },
  },
  PAIRWISE: {
    measures: 'A judge model compares each output with that of the same example in a baseline run.',
    isJudged: true,
    template: { baselineRunIds: [] },
  },
  HTTP: {
    measures: 'Your own endpoint returns the score.',
    isJudged: false,
    template: { url: 'https://scorer.example.com/', passThreshold: 0.5 },
  },
  STYLE: {
    measures: 'A judge model compares the answer with the style guide.',
    isJudged: true,
    template: {},
  },
};

const OTHER: TypeWords = { measures: '', isJudged: true, template: {} };

export const evaluatorWords = (type: EvaluatorType): TypeWords => TYPES[type] ?? OTHER;

/** Types that the dashboard can create: those that need no other record. */
export const NEW_TYPES = [
  'ASSERT',
  'OUTPUT_MATCH',
  'HTTP',
  'CUSTOM',
  'FACT',
  'SIMILARITY',
  'NATURALNESS',
  'RECALL',
  'TOXICITY',
  'CONVERSATION',
  'PAIRWISE',
] as const;
