import { z } from 'zod';
import { definitionConfigs } from '../definition-config.ts';
import type { AppliedDefinition, Inquiry, JudgedEvaluator, NoInquiry } from '../evaluator.ts';
import { majorityVerdict } from '../judge/majority.ts';
import type { Subject } from '../subject.ts';
import { decideGrade, type Grade, gradeAnswer, gradeInstructions } from './graded.ts';
import { type PresetAnswer, presetOpinion, presetQuestion, stepsQuestion, withSteps } from './presets.ts';
import { documentInputs, promptInput, noOutput } from './prompt-inputs.ts';

const answer = z.object({ rationale: z.string(), verdict: z.enum(['yes', 'no']) });
/** Grade of one vote, with the steps that the judge wrote before. */
type SteppedGrade = Grade & { steps?: readonly string[] };
type Answer = PresetAnswer | SteppedGrade;

const instructionsFor = (criterion: string): string =>
  `Decide whether the output of an application meets a criterion. You are given the "output" and, where they are known, the "input" that it answers, the "rubric" that lists what a good output to this input contains, an "expected output" as one example of a good output, the "tool calls" in their order, and the documents that the application retrieved.

The criterion:

${criterion}

First give the rationale: a few sentences that name the parts of the texts it is based on. Then give the verdict: "yes" if the output meets the criterion; "no" if it does not, or if the texts do not show that it does.`;

/**
 * `CUSTOM`: judges whether the output meets `globalConfig.criterion`. The score is 1 or 0; with repeats, the share of
 * responses that say it does. With `globalConfig.scale`, rates how well the output meets the criterion, in `steps` if there are
 * any. With `globalConfig.preset`, judges by a criterion that many people need.
 */
export const custom: JudgedEvaluator<Answer> = {
  judgedBy: 'model',
  reads: ({ config }) => [
    'input',
    'output',
    'toolCalls',
    'documents',
    ...(config['preset'] === 'trajectory' ? (['spans'] as const) : []),
  ],
  readsRubric: () => true,
  inquiry(subject, definition) {
    const { preset, scale, exampleRubric } = definitionConfigs.CUSTOM.parse(definition.config);
    if (exampleRubric !== undefined && definition.rubric === undefined)
      return { skip: 'the example has no rubric for this definition' };
    return preset !== undefined && preset !== 'g-eval'
      ? presetInquiry(preset, subject, definition)
      : subject.output === null
        ? noOutput(scale?.min ?? 0)
        : criterionInquiry(subject, definition);
  },
  decide(answers, { config }) {
    const { scale, passThreshold, preset, categoryScores } = definitionConfigs.CUSTOM.parse(config);
    if (scale) {
      const grades = answers as readonly SteppedGrade[];
      const decided = decideGrade(grades, scale, passThreshold ?? 0);
      const steps = grades[0]?.steps;
      return steps && decided.status === 'COMPLETED'
        ? { ...decided, results: { ...decided.results, steps } }
        : decided;
    }
    const limit = preset === undefined ? undefined : passThreshold;
    const opinions = (answers as readonly PresetAnswer[]).map((one) =>
      presetOpinion(one, { categoryScores, passThreshold: limit }),
    );
    return majorityVerdict(opinions, { min: 0, max: 1 }, ({ rationale, ...rest }) => ({
      results: { ...rest, rationale },
      reason: rationale,
    }));
  },
};

type Preset = Parameters<typeof presetQuestion>[0];

function presetInquiry(
  preset: Preset,
  subject: Subject,
  { config, expected = null, rubric }: AppliedDefinition,
): Inquiry<Answer> | NoInquiry {
  const { criterion } = definitionConfigs.CUSTOM.parse(config);
  if (preset === 'factuality' && expected === null)
    return { skip: 'neither the example nor the link to the task has an `expected`' };
  const isByCalls = preset === 'tool-choice' || preset === 'trajectory';
  if (subject.output === null && !(isByCalls && subject.toolCalls.length > 0)) return noOutput(0);
  const question = presetQuestion(preset, criterion, { ...subject, expected, rubric: rubric ?? null });
  return (ask) => ask(question);
}

function criterionInquiry(
  { input, output, toolCalls, documents }: Subject,
  { config, expected = null, rubric }: AppliedDefinition,
): Inquiry<Answer> {
  const { criterion = '', scale, preset, steps } = definitionConfigs.CUSTOM.parse(config);
  const calls = toolCalls.map((call) => JSON.stringify(call)).join('\n');
  const inputs = [
    ...promptInput('output', output),
    ...promptInput('input', input),
    ...promptInput('rubric', rubric ?? null),
    ...promptInput('expected output', expected),
    ...promptInput('tool calls', calls || null),
    ...documentInputs(documents.map(({ content }) => ({ text: content }))),
  ];
  if (!scale) return (ask) => ask({ instructions: instructionsFor(criterion), inputs, answer });
  return async (ask) => {
    const written =
      steps === undefined && preset === 'g-eval' ? (await ask(stepsQuestion(criterion))).steps : null;
    const by = written ?? steps;
    const instructions = gradeInstructions(by ? withSteps(criterion, by) : criterion, scale);
    const grade = await ask({ instructions, inputs, answer: gradeAnswer(scale) });
    return written ? { ...grade, steps: written } : grade;
  };
}
