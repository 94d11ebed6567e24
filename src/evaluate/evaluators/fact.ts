import { z } from 'zod';
import { definitionConfigs } from '../definition-config.ts';
import type { JudgedEvaluator, AppliedDefinition } from '../evaluator.ts';
import { majorityVerdict } from '../judge/majority.ts';
import { settled } from '../statistics/settled.ts';
import { textOf } from '../subject.ts';
import { promptInput, noOutput } from './prompt-inputs.ts';

const PASS_LINE = 0.8;

const statement = z.object({ statement: z.string(), rationale: z.string() });
const answer = z
  .object({
    statements: z.array(statement.extend({ isSupported: z.boolean() })),
    missing: z.array(statement),
  })
  .refine(
    ({ statements, missing }) => statements.length + missing.length > 0,
    'must list the statements of the output and the missing statements of the ground truth',
  );
type Answer = z.output<typeof answer>;

const INSTRUCTIONS = `Compare the output of an application with the ground truth. You are given the "ground truth", the "output" and, where it is known, the "input" that it answers.

1. "statements": break the output down into simple statements of fact that can be understood by themselves, in the order of the output. For each give the statement, a rationale in one sentence, and whether the ground truth supports it. A statement that the ground truth contradicts or does not mention is not supported. Leave out greetings, questions and other sentences that state nothing.
2. "missing": the simple statements of the ground truth that the output neither makes nor implies, each with a rationale in one sentence.

Compare the meaning, not the words. Take the ground truth as true, regardless of what you know yourself.`;

/**
 * `FACT`: compares the output with the ground truth. Counts statements of the output that the ground truth supports
 * (TP) or does not support (FP), and statements of the ground truth that are missing (FN). F1 = TP / (TP + (FP + FN)
 * / 2), as in the answer correctness of RAGAS; passes from 0.8. `results`: `{ f1, precision, recall, truePositives,
 * falsePositives, falseNegatives }`, the last three lists of statements.
 */
export const fact: JudgedEvaluator<Answer> = {
  judgedBy: 'model',
  reads: () => ['input', 'output'],
  inquiry({ input, output }, definition) {
    const truth = groundTruth(definition);
    if (truth === null)
      return { skip: 'there is no ground truth: neither the link to the task nor the definition has one' };
    if (output === null) return noOutput(0);
    const inputs = [
      { label: 'ground truth', text: truth },
      ...promptInput('output', output),
      ...promptInput('input', input),
    ];
    return (ask) => ask({ instructions: INSTRUCTIONS, inputs, answer });
  },
  decide(answers) {
    const opinions = answers.map((one) => {
      const score = measuresOf(one).f1;
      return { answer: one, score, passed: score >= PASS_LINE };
    });
    return majorityVerdict(opinions, { min: 0, max: 1 }, (shown) => ({
      results: {
        ...measuresOf(shown),
        truePositives: shown.statements.filter(({ isSupported }) => isSupported).map(plain),
        falsePositives: shown.statements.filter(({ isSupported }) => !isSupported).map(plain),
        falseNegatives: shown.missing,
      },
      reason: null,
    }));
  },
};

const groundTruth = ({ expected, config }: AppliedDefinition): string | null =>
  textOf(expected ?? null) ?? definitionConfigs.FACT.parse(config).groundTruth ?? null;

const plain = ({ statement: text, rationale }: Answer['missing'][number]) => ({ statement: text, rationale });

function measuresOf({ statements, missing }: Answer): { f1: number; precision: number; recall: number } {
  const supported = statements.filter(({ isSupported }) => isSupported).length;
  const unsupported = statements.length - supported;
  return {
    f1: settled(supported / (supported + (unsupported + missing.length) / 2)),
    precision: share(supported, statements.length),
    recall: share(supported, supported + missing.length),
  };
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : settled(part / whole));
