import { z } from 'zod';
import { definitionConfigs } from '../definition-config.ts';
import type { JudgedEvaluator, Question } from '../evaluator.ts';
import type { JsonValue } from '../../traces/span-wire.ts';
import { majorityVerdict } from '../judge/majority.ts';
import { noOutput, promptInput } from './prompt-inputs.ts';
import { decideSelection, isSelection, type BestOfOutputs, selectionOf } from './select-best.ts';
import { inconsistentVerdict } from './inconsistent-judge.ts';

const SCORES = { win: 1, tie: 0.5, loss: 0 } as const;

const preference = z.object({ rationale: z.string(), better: z.enum(['first', 'second', 'equal']) });
type Preference = z.output<typeof preference>;
/** Answers about the output and the baseline: once with the output in the first place, once in the second. */
type Answer = { outputFirst: Preference; baselineFirst: Preference };

const instructionsFor = (criterion: string | undefined): string =>
  `Compare two outputs of applications for the same input. You are given the "first output", the "second output" and, where they are known, the "input" that both answer, the "rubric" that lists what a good output to this input contains, and an "expected output" as one example of a good output.

${criterion === undefined ? 'The better output serves the input better: it is right, complete and to the point.' : `What makes an output better:\n\n${criterion}`}

The order of the outputs says nothing about them, and a longer output is not better for that reason. First give the rationale: a few sentences that name the differences that matter. Then say which output is better: "first", "second", or "equal" if no difference matters.`;

/**
 * `PAIRWISE`: compares the output with that of the same example in the runs of `globalConfig.baselineRunIds`. Each
 * vote asks twice, with the order swapped: a preference that follows the order is a tie, and most votes that follow it
 * are no verdict. The score is 1, 0.5 or 0 for a win, a tie or a loss; passes unless it lost. `results`:
 * `{ outcome, isConsistent, rationale, baselineTestId }`. With `globalConfig.selectBest`, the best of the outputs in all of these
 * runs is selected (`select-best.ts`).
 */
export const pairwise: JudgedEvaluator<Answer | BestOfOutputs> = {
  judgedBy: 'model',
  reads: () => ['input', 'output'],
  readsRubric: () => true,
  baselineRuns({ config }) {
    const { baselineRunIds = [], selectBest = false } =
      definitionConfigs.PAIRWISE.safeParse(config).data ?? {};
    return { runIds: baselineRunIds, isOfEach: selectBest };
  },
  inquiry({ input, output }, { config, expected = null, rubric = null, baseline }) {
    if (baseline === undefined)
      return {
        skip: 'there is no baseline: no completed test of the same example and prompt is in the baseline runs',
      };
    if ([baseline, ...(baseline.others ?? [])].every((one) => one.output === null))
      return { skip: 'there is no baseline: its test has no output' };
    if (output === null) return noOutput(0);
    const { criterion, selectBest } = definitionConfigs.PAIRWISE.parse(config);
    if (selectBest) {
      const texts = [
        ...promptInput('input', input),
        ...promptInput('rubric', rubric),
        ...promptInput('expected output', expected),
      ];
      const outputs = [output, ...[baseline, ...(baseline.others ?? [])].map((one) => one.output)];
      return selectionOf(
        outputs.filter((one) => one !== null),
        texts,
        criterion,
      );
    }
    const instructions = instructionsFor(criterion);
    const questionOf = (first: JsonValue, second: JsonValue): Question<Preference> => ({
      instructions,
      inputs: [
        ...promptInput('first output', first),
        ...promptInput('second output', second),
        ...promptInput('input', input),
        ...promptInput('rubric', rubric),
        ...promptInput('expected output', expected),
      ],
      answer: preference,
    });
    const theirs = baseline.output;
    return async (ask) => ({
      outputFirst: await ask(questionOf(output, theirs)),
      baselineFirst: await ask(questionOf(theirs, output)),
    });
  },
  decide(given, { baseline }) {
    if (given.some(isSelection)) return decideSelection(given.filter(isSelection), baseline);
    const answers = given.filter((one): one is Answer => !isSelection(one));
    const contradictions = answers.filter(contradicts).length;
    if (2 * contradictions > answers.length)
      return inconsistentVerdict(contradictions, answers.length, 'swapped');
    const opinions = answers.map((one) => {
      const score = SCORES[outcomeOf(one)];
      return { answer: one, score, passed: score > 0 };
    });
    return majorityVerdict(opinions, { min: 0, max: 1 }, (shown) => ({
      results: {
        outcome: outcomeOf(shown),
        isConsistent: !contradicts(shown),
        rationale: shown.outputFirst.rationale,
        rationaleSwapped: shown.baselineFirst.rationale,
        baselineTestId: baseline?.testId ?? null,
      },
      reason: shown.outputFirst.rationale,
    }));
  },
};

function outcomeOf({ outputFirst, baselineFirst }: Answer): keyof typeof SCORES {
  if (outputFirst.better === 'first' && baselineFirst.better === 'second') return 'win';
  if (outputFirst.better === 'second' && baselineFirst.better === 'first') return 'loss';
  return 'tie';
}

/** Reports whether the judge preferred the same place both times. */
const contradicts = ({ outputFirst, baselineFirst }: Answer): boolean =>
  outputFirst.better !== 'equal' && outputFirst.better === baselineFirst.better;
