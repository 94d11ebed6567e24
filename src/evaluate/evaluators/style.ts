import { z } from 'zod';
import type { JudgedEvaluator, StyleSection } from '../evaluator.ts';
import { majorityVerdict } from '../judge/majority.ts';
import { settledMean } from '../statistics/settled.ts';
import { promptInput, noOutput } from './prompt-inputs.ts';

const PASS_LINE = 3.5;
/** Limit of characters of all sections. */
const MAX_CHARACTERS = 85_000;

const ratings = z.object({
  sections: z.array(
    z.object({ section: z.int().min(1), rationale: z.string(), score: z.int().min(1).max(5) }),
  ),
});
type Answer = z.output<typeof ratings>;

const instructionsFor = (sections: string): string =>
  `Rate how well the output of an application follows a style guide. You are given the "output" and, where it is known, the "input" that it answers.

The style guide:

${sections}

For each section, in their order, give its number, then a rationale in one or two sentences, then a score as a whole number from 1 (breaks it throughout) to 5 (follows it completely). A section that does not apply to this output is followed completely. Rate style only: whether the output is true does not matter.`;

/** Requires each section once. */
const answerFor = (sections: readonly StyleSection[]): z.ZodType<Answer> =>
  ratings.refine(
    (given) =>
      given.sections.length === sections.length &&
      new Set(given.sections.map(({ section }) => section)).size === sections.length &&
      given.sections.every(({ section }) => section <= sections.length),
    `must rate each of the sections 1 to ${sections.length} once`,
  );

/**
 * `STYLE`: a rating from 1 to 5 for each section of the style guide; their mean passes from 3.5. `results`: `{
 * sections }` of `{ heading, score, rationale }`, with scores averaged over all repeats.
 */
export const style: JudgedEvaluator<Answer> = {
  judgedBy: 'model',
  reads: () => ['input', 'output'],
  inquiry({ input, output }, { styleGuide }) {
    if (!styleGuide || styleGuide.length === 0) return { skip: 'the definition has no style guide' };
    if (output === null) return noOutput(1);
    const sections = styleGuide
      .map(({ heading, content }, index) => `Section ${index + 1}: ${heading}\n\n${content}`)
      .join('\n\n');
    if (sections.length > MAX_CHARACTERS)
      return {
        skip: `the style guide has ${sections.length} characters; a judge accepts at most ${MAX_CHARACTERS}`,
      };
    const question = {
      instructions: instructionsFor(sections),
      inputs: [...promptInput('output', output), ...promptInput('input', input)],
      answer: answerFor(styleGuide),
    };
    return (ask) => ask(question);
  },
  decide(answers, { styleGuide }) {
    const opinions = answers.map((answer) => {
      const score = settledMean(answer.sections.map((one) => one.score));
      return { answer, score, passed: score >= PASS_LINE };
    });
    return majorityVerdict(opinions, { min: 1, max: 5 }, (shown) => ({
      results: {
        sections: (styleGuide ?? []).map(({ heading }, index) => ({
          heading,
          score: settledMean(answers.map((answer) => ratingOf(answer, index + 1).score)),
          rationale: ratingOf(shown, index + 1).rationale,
        })),
      },
      reason: null,
    }));
  },
};

type Rating = Answer['sections'][number];
const ratingOf = ({ sections }: Answer, number: number): Rating =>
  sections.find(({ section }) => section === number) as Rating;
