import { z } from 'zod';
import { definitionConfigs } from '../definition-config.ts';
import type { JudgedEvaluator } from '../evaluator.ts';
import { majorityVerdict } from '../judge/majority.ts';
import { decideGrade, type Grade, gradeAnswer, gradeInstructions } from './graded.ts';
import { documentInputs, promptInput, noOutput } from './prompt-inputs.ts';

const answer = z.object({ rationale: z.string(), verdict: z.enum(['yes', 'no']) });
type Answer = z.output<typeof answer>;

const instructionsFor = (criterion: string): string =>
  `Decide whether the output of an application meets a criterion. You are given the "output" and, where they are known, the "input" that it answers, an "expected output" as one example of a good output, the "tool calls" in their order, and the documents that the application retrieved.

The criterion:

${criterion}

First give the rationale: a few sentences that name the parts of the texts it is based on. Then give the verdict: "yes" if the output meets the criterion; "no" if it does not, or if the texts do not show that it does.`;

/**
 * `CUSTOM`: judges whether the output meets `globalConfig.criterion`. The score is 1 or 0; with repeats, the share of
 * responses that say it does. With `globalConfig.scale`, rates how well the output meets the criterion.
 */
export const custom: JudgedEvaluator<Answer | Grade> = {
  judgedBy: 'model',
  reads: () => ['input', 'output', 'toolCalls', 'documents'],
  readsRubric: ({ config }) => config['scale'] !== undefined,
  inquiry({ input, output, toolCalls, documents }, { config, expected = null, rubric = null }) {
    const { criterion, scale } = definitionConfigs.CUSTOM.parse(config);
    if (output === null) return noOutput(scale?.min ?? 0);
    const calls = toolCalls.map((call) => JSON.stringify(call)).join('\n');
    const inputs = [
      ...promptInput('output', output),
      ...promptInput('input', input),
      ...(scale ? promptInput('rubric', rubric) : []),
      ...promptInput('expected output', expected),
      ...promptInput('tool calls', calls || null),
      ...documentInputs(documents.map(({ content }) => ({ text: content }))),
    ];
    if (scale) {
      const instructions = gradeInstructions(criterion, scale);
      return (ask) => ask({ instructions, inputs, answer: gradeAnswer(scale) });
    }
    return (ask) => ask({ instructions: instructionsFor(criterion), inputs, answer });
  },
  decide(answers, { config }) {
    const { scale, passThreshold = 0 } = definitionConfigs.CUSTOM.parse(config);
    if (scale) return decideGrade(answers as readonly Grade[], scale, passThreshold);
    const opinions = (answers as readonly Answer[]).map((one) => {
      const passed = one.verdict === 'yes';
      return { answer: one, score: Number(passed), passed };
    });
    return majorityVerdict(opinions, { min: 0, max: 1 }, ({ rationale, verdict }) => ({
      results: { verdict, rationale },
      reason: rationale,
    }));
  },
};
