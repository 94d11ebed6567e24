import { z } from 'zod';
import type { JudgedEvaluator } from '../evaluator.ts';
import { majorityVerdict } from '../judge/majority.ts';
import { settledMean } from '../statistics/settled.ts';
import { outputInquiry } from './prompt-inputs.ts';

const PASS_LINE = 3.5;
const CRITERIA = {
  coherence: 'the sentences follow from each other and form one well-ordered text',
  engagingness: 'it holds the interest of the reader and responds to what they said',
  naturalness: 'it reads as if a skilled person had written it, without stilted or mechanical phrases',
  relevance: 'it covers what the input requests and leaves out what is unrelated',
  clarity: 'it is easy to understand and has only one meaning',
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

const INSTRUCTIONS = `Rate how natural the output of an application is. You are given the "output" and, where it is known, the "input" that it answers.

Rate each criterion with a whole number from 1 (not at all) to 5 (completely). Give the rationale first, in one or two sentences:
${Object.entries(CRITERIA)
  .map(([name, meaning]) => `- ${name}: ${meaning}.`)
  .join('\n')}

Rate the output as it is. Whether it is true and how long it is do not matter. Without an input, rate relevance by how well the output keeps to its own subject.`;

/**
 * `NATURALNESS`: five ratings from 1 to 5. Passes when their mean and each of them are at least 3.5. `results`: `{
 * criteria: { <name>: { score, rationale } } }`, with scores averaged over all repeats.
 */
export const naturalness: JudgedEvaluator<Answer> = {
  judgedBy: 'model',
  reads: () => ['input', 'output'],
  inquiry: (subject) => outputInquiry(subject, { instructions: INSTRUCTIONS, answer }),
  decide(answers) {
    const names = Object.keys(CRITERIA) as (keyof Answer)[];
    const opinions = answers.map((one) => {
      const scores = names.map((name) => one[name].score);
      const score = settledMean(scores);
      return { answer: one, score, passed: score >= PASS_LINE && Math.min(...scores) >= PASS_LINE };
    });
    return majorityVerdict(opinions, { min: 1, max: 5 }, (shown) => ({
      results: {
        criteria: Object.fromEntries(
          names.map((name) => {
            const score = settledMean(answers.map((one) => one[name].score));
            return [name, { score, rationale: shown[name].rationale }];
          }),
        ),
      },
      reason: null,
    }));
  },
};
