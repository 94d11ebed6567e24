import { z } from 'zod';
import type { JudgedEvaluator, StyleSection } from '../evaluator.ts';
import { majorityVerdict, mean } from '../judge/majority.ts';
import { promptInput, NO_OUTPUT } from './prompt-inputs.ts';

const PASS_LINE = 3.5;
/** Limit of characters of all sections, low enough that no prompt truncates them. */
const MAX_CHARACTERS = 85_000;

const ratings = z.object({
  sections: z.array(
    z.object({ section: z.int().min(1), rationale: z.string(), score: z.int().min(1).max(5) }),
  ),
});
type Answer = z.output<typeof ratings>;

const INSTRUCTIONS = `You rate how well the output of an application keeps to a style guide. The material holds the sections of the style guide as "section 1", "section 2" and so on, the "output", and, where it is known, the "input" that it answers.

For every section, in their order, give the number of the section, first the rationale in one or two sentences, then a score as a whole number from 1 (breaks it throughout) to 5 (keeps to it fully). A section that does not apply to this output is kept to fully. Rate style alone: whether what the output says is true does not matter here.`;

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
  isJudged: true,
  reads: () => ['input', 'output'],
  ask({ input, output }, { styleGuide }) {
    if (!styleGuide || styleGuide.length === 0) return { skip: 'the definition has no style guide' };
    if (output === null) return { skip: NO_OUTPUT };
    const sections = styleGuide.map(({ heading, content }, index) => ({
      label: `section ${index + 1}`,
      text: `${heading}\n\n${content}`,
    }));
    const characters = sections.reduce((sum, { text }) => sum + text.length, 0);
    if (characters > MAX_CHARACTERS)
      return {
        skip: `the style guide has ${characters} characters; a judge accepts at most ${MAX_CHARACTERS}`,
      };
    return {
      instructions: INSTRUCTIONS,
      inputs: [...sections, ...promptInput('output', output), ...promptInput('input', input)],
      answer: answerFor(styleGuide),
    };
  },
  decide(answers, { styleGuide }) {
    const opinions = answers.map((answer) => {
      const score = mean(answer.sections.map((one) => one.score));
      return { answer, score, passed: score >= PASS_LINE };
    });
    return majorityVerdict(opinions, { min: 1, max: 5 }, (shown) => ({
      results: {
        sections: (styleGuide ?? []).map(({ heading }, index) => ({
          heading,
          score: mean(answers.map((answer) => ratingOf(answer, index + 1).score)),
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
