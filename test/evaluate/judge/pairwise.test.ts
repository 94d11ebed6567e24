import { describe, expect, it } from 'vitest';
import type { AppliedDefinition, JudgedEvaluator, Verdict } from '../../../src/evaluate/evaluator.ts';
import { evaluatorOf } from '../../../src/evaluate/evaluators.ts';
import type { Subject } from '../../../src/evaluate/subject.ts';
import { appliedDefinition, subjectOf } from '../../support/judged.ts';

const evaluator = evaluatorOf('PAIRWISE') as JudgedEvaluator;
const BASELINE = { testId: 'b0000000-0000-4000-8000-000000000000', output: 'Ask the shop.' };

interface Given {
  subject?: Partial<Subject>;
  definition?: Partial<AppliedDefinition>;
}

/** The verdict over votes, each of which prefers a text or a place in each of its two questions. */
async function compare(votes: readonly (readonly [string, string])[], { subject, definition }: Given = {}) {
  const applied = appliedDefinition('PAIRWISE', {
    config: { baselineRunIds: [BASELINE.testId] },
    baseline: BASELINE,
    ...definition,
  });
  const judged = subjectOf(subject);
  const inquiry = evaluator.inquiry(judged, applied);
  if (typeof inquiry !== 'function') return { inquiry, asked: [], verdict: null };
  const asked: string[][] = [];
  const answers = [];
  for (const vote of votes) {
    const preferences = [...vote];
    answers.push(
      await inquiry(async ({ inputs, answer }) => {
        asked.push(inputs.map(({ label, text }) => `${label}: ${text}`));
        const preferred = preferences.shift() as string;
        const isFirst = inputs[0]?.text === preferred;
        const isSecond = inputs[1]?.text === preferred;
        const better = isFirst ? 'first' : isSecond ? 'second' : preferred;
        return answer.parse({ rationale: `because of ${preferred}`, better });
      }),
    );
  }
  return { inquiry: null, asked, verdict: evaluator.decide(answers, applied, judged) };
}

const [OURS, THEIRS] = ['Within 30 days.', BASELINE.output];

describe('two outputs', () => {
  it.each<[what: string, votes: [string, string][], verdict: Partial<Verdict>]>([
    ['win in both orders', [[OURS, OURS]], { score: 1, passed: true }],
    ['lose in both orders', [[THEIRS, THEIRS]], { score: 0, passed: false }],
    ['are equal', [['equal', 'equal']], { score: 0.5, passed: true }],
    ['tie when one order sees no difference', [[OURS, 'equal']], { score: 0.5, passed: true }],
    [
      'tie in the one vote of three that follows the place',
      [
        ['first', 'first'],
        [OURS, OURS],
        [OURS, 'equal'],
      ],
      { passed: true, results: expect.objectContaining({ outcome: 'tie' }) as Record<string, unknown> },
    ],
    [
      'are not judged when most votes follow the place',
      [
        ['first', 'first'],
        ['second', 'second'],
        [OURS, OURS],
      ],
      {
        status: 'FAILED',
        reason:
          'judge_inconsistent: in 2 of 3 votes, the judge preferred the same place after the outputs were swapped, so its preference says nothing about them',
      },
    ],
    [
      'lose by the majority',
      [
        [THEIRS, THEIRS],
        [OURS, OURS],
        [THEIRS, THEIRS],
      ],
      { passed: false },
    ],
  ])('%s', async (_what, votes, expected) => {
    const { verdict } = await compare(votes);
    expect(verdict).toMatchObject(expected);
  });

  it('are shown in both orders, without their origin', async () => {
    const { asked, verdict } = await compare([['first', 'equal']], {
      definition: { rubric: 'Names the days.', expected: '30 days' },
    });
    const rest = ['input: How long may I return it?', 'rubric: Names the days.', 'expected output: 30 days'];
    expect(asked).toEqual([
      [`first output: ${OURS}`, `second output: ${THEIRS}`, ...rest],
      [`first output: ${THEIRS}`, `second output: ${OURS}`, ...rest],
    ]);
    expect(verdict).toMatchObject({
      results: { outcome: 'tie', isConsistent: true, baselineTestId: BASELINE.testId },
    });
  });

  it.each<[what: string, given: Given, inquiry: object]>([
    [
      'no baseline',
      { definition: { baseline: undefined } },
      { skip: expect.stringMatching(/^there is no baseline: no completed test/) as string },
    ],
    [
      'a baseline without an output',
      { definition: { baseline: { ...BASELINE, output: null } } },
      { skip: 'there is no baseline: its test has no output' },
    ],
    ['no output', { subject: { output: null } }, { fail: expect.any(String) as string, score: 0 }],
  ])('need both: %s', async (_what, given, inquiry) => {
    expect((await compare([], given)).inquiry).toEqual(inquiry);
  });
});
