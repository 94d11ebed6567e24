import { z } from 'zod';
import type { GradeScale } from '../definition-config.ts';
import type { Verdict } from '../evaluator.ts';
import { majorityVerdict } from '../judge/majority.ts';

/** Returns the schema of an answer on a scale. */
export const gradeAnswer = ({ min, max }: GradeScale) =>
  z.object({ rationale: z.string(), score: z.int().min(min).max(max) });
export type Grade = z.output<ReturnType<typeof gradeAnswer>>;

export const gradeInstructions = (criterion: string, { min, max, anchors = [] }: GradeScale): string =>
  `Rate how well the output of an application meets a criterion. You are given the "output" and, where they are known, the "input" that it answers, the "rubric" that lists what a good output to this input contains, an "expected output" as one example of a good output, the "tool calls" in their order, and the documents that the application retrieved.

The criterion:

${criterion}

First give the rationale: a few sentences that name the parts of the texts it is based on. Then give the score: a whole number from ${min} (worst) to ${max} (best).${anchorsText(anchors)}`;

function anchorsText(anchors: NonNullable<GradeScale['anchors']>): string {
  if (anchors.length === 0) return '';
  const lines = anchors
    .toSorted((a, b) => a.score - b.score)
    .map(({ score, description }) => `- ${score}: ${description}`);
  return ` These scores mean:\n\n${lines.join('\n')}`;
}

/** Decides by the scores of all repeats; each passes from `passThreshold`. */
export function decideGrade(answers: readonly Grade[], scale: GradeScale, passThreshold: number): Verdict {
  const opinions = answers.map((one) => {
    return { answer: one, score: one.score, passed: one.score >= passThreshold };
  });
  return majorityVerdict(opinions, scale, ({ rationale }) => ({
    results: { rationale, scale: { min: scale.min, max: scale.max }, passThreshold },
    reason: rationale,
  }));
}
