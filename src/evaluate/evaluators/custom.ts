import { z } from 'zod';
import { definitionConfigs } from '../definition-config.ts';
import type { JudgedEvaluator } from '../evaluator.ts';
import { majorityVerdict } from '../judge/majority.ts';
import { documentInputs, promptInput, NO_OUTPUT } from './prompt-inputs.ts';

const answer = z.object({ rationale: z.string(), verdict: z.enum(['yes', 'no']) });
type Answer = z.output<typeof answer>;

const INSTRUCTIONS = `You judge whether what an application did meets a criterion. The material holds the "criterion", the "output" of the application and, where they are known, the "input" that it answers, its "tool calls" in their order, and the documents it had retrieved.

The criterion says what to look for. It is the only text of the material that you judge by; all others are what is judged. Give first, in a few sentences, the rationale, which names what in the material it rests on. Then give the verdict: "yes" when the criterion is met, "no" when it is not, or when the material does not show that it is.`;

/**
 * `CUSTOM`: judges whether the output meets `globalConfig.criterion`. The score is 1 or 0; with repeats, the share of
 * responses that say it does.
 */
export const custom: JudgedEvaluator<Answer> = {
  isJudged: true,
  reads: () => ['input', 'output', 'toolCalls', 'documents'],
  ask({ input, output, toolCalls, documents }, { config }) {
    if (output === null) return { skip: NO_OUTPUT };
    const { criterion } = definitionConfigs.CUSTOM.parse(config);
    const calls = toolCalls.map((call) => JSON.stringify(call)).join('\n');
    return {
      instructions: INSTRUCTIONS,
      inputs: [
        { label: 'criterion', text: criterion },
        ...promptInput('output', output),
        ...promptInput('input', input),
        ...promptInput('tool calls', calls || null),
        ...documentInputs(documents.map(({ content }) => ({ text: content }))),
      ],
      answer,
    };
  },
  decide(answers) {
    const opinions = answers.map((one) => {
      const passed = one.verdict === 'yes';
      return { answer: one, score: Number(passed), passed };
    });
    return majorityVerdict(opinions, { min: 0, max: 1 }, ({ rationale, verdict }) => ({
      results: { verdict, rationale },
      reason: rationale,
    }));
  },
};
