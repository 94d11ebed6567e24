import { z } from 'zod';
import type { JudgedEvaluator } from '../evaluator.ts';
import { majorityVerdict, mean } from '../judge/majority.ts';
import { promptInput, NO_OUTPUT } from './prompt-inputs.ts';

const PASS_LINE = 3.5;
const CRITERIA = {
  coherence: 'the sentences follow from each other and make one well ordered whole',
  engagingness: 'it holds the interest of the reader and goes into what they said',
  naturalness: 'it reads as an able person would write it, without stilted or mechanical phrases',
  relevance: 'it deals with what the input asks for and leaves out what has nothing to do with it',
  clarity: 'it is easy to understand and says exactly one thing',
} as const;

const rating = z.object({ rationale: z.string(), score: z.int().min(1).max(5) });
const answer = z.object({
  coherence: rating,
  engagingness: rating,
  naturalness: rating,
  relevance: rating,
  clarity: rating,
});
type Answer = z.output<typeof answer>;

const INSTRUCTIONS = `You rate how natural the output of an application is. The material holds its "output" and, where it is known, the "input" that it answers.

Rate each criterion from 1 (not at all) to 5 (fully), as a whole number, and give first, in one or two sentences, the rationale:
${Object.entries(CRITERIA)
  .map(([name, meaning]) => `- ${name}: ${meaning}.`)
  .join('\n')}

Rate the output as it is. Whether what it says is true does not matter here, nor how long it is. Without an input, rate relevance by how well the output keeps to its own subject.`;

/**
 * `NATURALNESS`: five ratings from 1 to 5. Passes when their mean and each of them are at least 3.5. `results`: `{
 * criteria: { <name>: { score, rationale } } }`, with scores averaged over all repeats.
 */
export const naturalness: JudgedEvaluator<Answer> = {
  isJudged: true,
  reads: () => ['input', 'output'],
  ask({ input, output }) {
    if (output === null) return { skip: NO_OUTPUT };
    const inputs = [...promptInput('output', output), ...promptInput('input', input)];
    return { instructions: INSTRUCTIONS, inputs, answer };
  },
  decide(answers) {
    const names = Object.keys(CRITERIA) as (keyof Answer)[];
    const opinions = answers.map((one) => {
      const scores = names.map((name) => one[name].score);
      const score = mean(scores);
      return { answer: one, score, passed: score >= PASS_LINE && Math.min(...scores) >= PASS_LINE };
    });
    return majorityVerdict(opinions, { min: 1, max: 5 }, (shown) => ({
      results: {
        criteria: Object.fromEntries(
          names.map((name) => {
            const score = mean(answers.map((one) => one[name].score));
            return [name, { score, rationale: shown[name].rationale }];
          }),
        ),
      },
      reason: null,
    }));
  },
};
