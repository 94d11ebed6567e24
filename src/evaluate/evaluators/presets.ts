/** Criteria that many people judge by, as presets of `CUSTOM`. */
import { z } from 'zod';
import type { Opinion } from '../judge/majority.ts';
import type { Question } from '../evaluator.ts';
import { type Subject, textOf } from '../subject.ts';
import { documentInputs, promptInput } from './prompt-inputs.ts';

export const PRESETS = ['closed-qa', 'factuality', 'tool-choice', 'trajectory', 'g-eval'] as const;
type Preset = (typeof PRESETS)[number];

/** Presets that have a criterion of their own. */
export const COMPLETE_PRESETS: ReadonlySet<string | undefined> = new Set<Preset>([
  'closed-qa',
  'factuality',
  'tool-choice',
  'trajectory',
]);

/** Relations of an output to what is expected, with the default score of each. */
const CATEGORIES = { subset: 1, superset: 1, equal: 1, disagreement: 0, immaterial: 1 } as const;
type Category = keyof typeof CATEGORIES;
const categoryNames = Object.keys(CATEGORIES) as Category[];

const verdict = z.object({ rationale: z.string(), verdict: z.enum(['yes', 'no']) });
const category = z.object({ rationale: z.string(), category: z.enum(categoryNames) });
export type PresetAnswer = z.output<typeof verdict> | z.output<typeof category>;

const YES_OR_NO =
  'First give the rationale: a few sentences that name the parts of the texts it is based on. Then give the verdict: "yes" or "no"; "no" if the texts do not show it.';

const criterionText = (criterion: string | undefined, otherwise: string): string =>
  `The criterion:\n\n${criterion ?? otherwise}`;

const closedQa = (criterion: string | undefined): string =>
  `Assess an answer to a question. You are given the "input", which has the question, the "output", which is the answer of an application, and, where they are known, an "expected output", a "rubric", and the documents that the application had. Take what is expected and what the documents say as true, regardless of what you know yourself. Decide whether the answer meets the criterion.

${criterionText(criterion, 'The answer answers the question correctly and completely, and says nothing that is wrong.')}

${YES_OR_NO}`;

const FACTUALITY = `Compare the facts of an output with those of an expert answer. You are given the "expected output", which is the expert answer, the "output" of an application and, where it is known, the "input" that both answer. Ignore differences of style, grammar and punctuation. Take the expert answer as true, regardless of what you know yourself.

First give the rationale: a few sentences that name the facts that matter. Then give the category:
- "subset": the output has some of the facts of the expert answer, and is fully consistent with it.
- "superset": the output has all facts of the expert answer and more, and is fully consistent with it.
- "equal": the output has the same facts as the expert answer.
- "disagreement": the output and the expert answer contradict each other.
- "immaterial": they differ, but not in what matters for the input.`;

const toolChoice = (criterion: string | undefined): string =>
  `Assess which tools an application chose. You are given the "input", the "tool calls" in their order with arguments and results ("none" if there were none), and, where they are known, the "output", an "expected output", which may name the right tools, and a "rubric". Decide whether the application called the tools that the input needs, with arguments that follow from the input and from earlier results, and no needless ones. An input that needs no tool is served rightly without any.

${criterionText(criterion, 'Every tool call is needed and right, and none is missing.')}

${YES_OR_NO}`;

const trajectory = (criterion: string | undefined): string =>
  `Assess the way in which an application reached its output. You are given the "input", the "steps" of the application in the order of their start, its "tool calls" with arguments and results, and, where they are known, the "output", an "expected output" or expected course, and a "rubric". Decide whether the steps lead to the goal: they follow from each other, errors are noticed and handled, nothing is repeated without a reason, and what the output says follows from what the steps found.

${criterionText(criterion, 'The application reaches the goal of the input, by steps that lead to it.')}

${YES_OR_NO}`;

/** Most steps that a judge is shown. */
const MAX_STEPS = 200;

type Texts = Pick<Subject, 'input' | 'output' | 'toolCalls' | 'documents' | 'spans'> & {
  expected: Subject['input'];
  rubric: string | null;
};

function callsText({ toolCalls }: Texts): string {
  const shown = toolCalls.slice(0, MAX_STEPS).map((call) => JSON.stringify(call));
  const more = toolCalls.length - shown.length;
  return [...shown, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n') || 'none';
}

function stepsText({ spans }: Texts): string {
  const shown = spans.slice(0, MAX_STEPS).map(({ kind, name, model, isError }, index) => {
    const parts = [
      `${index + 1}. ${kind} ${JSON.stringify(name)}`,
      model && `model ${model}`,
      isError && 'failed',
    ];
    return parts.filter(Boolean).join(', ');
  });
  const more = spans.length - shown.length;
  return [...shown, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n') || 'none';
}

/** Returns the question of a preset that has an answer of its own. */
export function presetQuestion(
  preset: Exclude<Preset, 'g-eval'>,
  criterion: string | undefined,
  texts: Texts,
): Question<PresetAnswer> {
  const answered = [...promptInput('output', texts.output), ...promptInput('input', texts.input)];
  const wanted = [
    ...promptInput('rubric', texts.rubric),
    ...promptInput('expected output', textOf(texts.expected)),
  ];
  const calls = { label: 'tool calls', text: callsText(texts) };
  if (preset === 'factuality')
    return {
      instructions: criterion === undefined ? FACTUALITY : `${FACTUALITY}\n\n${criterionText(criterion, '')}`,
      inputs: [...answered, ...wanted],
      answer: category,
    };
  if (preset === 'tool-choice')
    return { instructions: toolChoice(criterion), inputs: [...answered, ...wanted, calls], answer: verdict };
  if (preset === 'trajectory') {
    const steps = { label: 'steps', text: stepsText(texts) };
    return {
      instructions: trajectory(criterion),
      inputs: [...answered, ...wanted, steps, calls],
      answer: verdict,
    };
  }
  const documents = documentInputs(texts.documents.map(({ content }) => ({ text: content })));
  return {
    instructions: closedQa(criterion),
    inputs: [...answered, ...wanted, ...documents],
    answer: verdict,
  };
}

/** Returns the score of an answer to a preset, and whether it passes. */
export function presetOpinion(
  answer: PresetAnswer,
  {
    categoryScores,
    passThreshold = 0.5,
  }: {
    categoryScores?: { [Name in Category]?: number | undefined } | undefined;
    passThreshold?: number | undefined;
  },
): Opinion<PresetAnswer> {
  const score =
    'category' in answer
      ? (categoryScores?.[answer.category] ?? CATEGORIES[answer.category])
      : Number(answer.verdict === 'yes');
  return { answer, score, passed: score >= passThreshold };
}

/** Most steps of G-Eval, given or written by the judge. */
export const MAX_EVALUATION_STEPS = 20;

const stepsAnswer = z.object({ steps: z.array(z.string().min(1)).min(1).max(MAX_EVALUATION_STEPS) });

/** Returns the question for the steps by which a judge evaluates, as G-Eval (Liu et al., 2023) derives them from the criterion. */
export const stepsQuestion = (criterion: string): Question<z.output<typeof stepsAnswer>> => ({
  instructions: `Write evaluation steps. Another judge will rate the output of an application by the criterion below; it sees the output and, where they are known, the input, the expected output and a rubric.

The criterion:

${criterion}

"steps": 3 or 4 concise steps, each one thing to examine or to compare. They mention no scores.`,
  inputs: [],
  answer: stepsAnswer,
});

/** Adds steps to a criterion by which a judge rates. */
export const withSteps = (criterion: string, steps: readonly string[]): string =>
  `${criterion}\n\nEvaluate in these steps, and let the rationale follow them:\n\n${steps.map((step, index) => `${index + 1}. ${step}`).join('\n')}`;
