import { z } from 'zod';
import { definitionConfigs } from '../definition-config.ts';
import type { AppliedDefinition, JudgedEvaluator } from '../evaluator.ts';
import { majorityVerdict } from '../judge/majority.ts';
import { type Subject, textOf } from '../subject.ts';
import { noOutput, promptInput } from './prompt-inputs.ts';

const PASS_THRESHOLD = 0.8;
/** Most expected texts that the output is compared with. */
const MAX_EXPECTED = 10;

const answer = z.object({ similarities: z.array(z.number()).min(1) });
type Answer = z.output<typeof answer>;

/**
 * `SIMILARITY`: compares the output with what is expected by the cosine of their embeddings. Of several expected texts
 * the most similar one counts. With `exampleRubric` it is the rubric under the name of the definition. The score is 0 to 1; negative cosines count as 0.
 */
export const similarity: JudgedEvaluator<Answer> = {
  judgedBy: 'model',
  reads: () => ['output'],
  readsRubric: ({ config }) => readsOwn(config),
  inquiry({ output }, { expected = null, rubric, config }) {
    const isOwn = readsOwn(config);
    if (isOwn && rubric === undefined)
      return { skip: 'the example has no rubric under the name of the definition' };
    const texts = expectedTexts(isOwn ? (rubric ?? null) : expected);
    if (texts.length === 0)
      return { skip: 'there is no expected output: neither the example nor the link to the task has one' };
    if (output === null) return noOutput(0);
    const inputs = [
      ...promptInput('output', output),
      ...texts.map((text, index) => ({ label: `expected ${index + 1}`, text })),
    ];
    const instructions = 'Compare the first text with each of the others by the cosine of their embeddings.';
    return (ask) => ask({ instructions, inputs, answer, compares: true });
  },
  decide(answers, { config }) {
    const { passThreshold = PASS_THRESHOLD } = definitionConfigs.SIMILARITY.parse(config);
    const opinions = answers.map((one) => {
      const score = Math.min(1, Math.max(0, ...one.similarities));
      return { answer: one, score, passed: score >= passThreshold };
    });
    return majorityVerdict(opinions, { min: 0, max: 1 }, ({ similarities }) => ({
      results: { similarities, passThreshold },
      reason: null,
    }));
  },
};

/** Reports whether the output is compared with the rubric that the example has under the name of the definition. */
const readsOwn = (config: AppliedDefinition['config']): boolean => config['exampleRubric'] === 'own';

function expectedTexts(expected: Subject['output']): string[] {
  const isList = Array.isArray(expected) && expected.every((one) => typeof one === 'string');
  const texts = isList ? expected.slice(0, MAX_EXPECTED) : [textOf(expected) ?? ''];
  return texts.filter((text) => text !== '');
}
