import { z } from 'zod';
import type { JsonValue } from '../../traces/span-wire.ts';
import type { Baseline, Inquiry, Question, Verdict } from '../evaluator.ts';
import { majorityVerdict } from '../judge/majority.ts';
import { promptInput } from './prompt-inputs.ts';
import { inconsistentVerdict } from './inconsistent-judge.ts';

interface Choice {
  rationale: string;
  best: number;
}

/** Answers about the best of several outputs: with the judged output in the first place, and with it in the last. */
export interface BestOfOutputs {
  outputFirst: Choice;
  outputLast: Choice;
  /** Number of outputs. */
  of: number;
}

export const isSelection = (answer: object): answer is BestOfOutputs => 'outputLast' in answer;

const instructionsFor = (count: number, criterion: string | undefined): string =>
  `Select the best of several outputs of applications for the same input. You are given "output 1" to "output ${count}" and, where they are known, the "input" that all of them answer, the "rubric" that lists what a good output to this input contains, and an "expected output" as one example of a good output.

${criterion === undefined ? 'The best output serves the input best: it is right, complete and to the point.' : `What makes an output best:\n\n${criterion}`}

The order of the outputs says nothing about them, and a longer output is not better for that reason. First give the rationale: a few sentences that name the differences that matter. Then give "best": the number of the best output, from 1 to ${count}.`;

/** Returns the inquiry about the best of several outputs, of which the first is judged. It asks again in the opposite order. */
export function selectionOf(
  outputs: readonly JsonValue[],
  texts: Question['inputs'],
  criterion: string | undefined,
): Inquiry<BestOfOutputs> {
  const of = outputs.length;
  const answer = z.object({ rationale: z.string(), best: z.int().min(1).max(of) });
  const questionOf = (ordered: readonly JsonValue[]): Question<Choice> => ({
    instructions: instructionsFor(of, criterion),
    inputs: [...ordered.flatMap((output, index) => promptInput(`output ${index + 1}`, output)), ...texts],
    answer,
  });
  return async (ask) => ({
    outputFirst: await ask(questionOf(outputs)),
    outputLast: await ask(questionOf(outputs.toReversed())),
    of,
  });
}

const isBest = ({ outputFirst, outputLast, of }: BestOfOutputs): boolean =>
  outputFirst.best === 1 && outputLast.best === of;

/** Reports whether the judge chose the same place both times, although the outputs were in the opposite order. */
const followsOrder = ({ outputFirst, outputLast, of }: BestOfOutputs): boolean =>
  outputFirst.best === outputLast.best && 2 * outputFirst.best !== of + 1;

/**
 * Decides by the choices of all votes: 1 for an output that is best in both orders, 0.5 in one, 0 in none; it passes from 1. Most votes
 * that follow the order are no verdict.
 */
export function decideSelection(votes: readonly BestOfOutputs[], baseline: Baseline | undefined): Verdict {
  const contradictions = votes.filter(followsOrder).length;
  if (2 * contradictions > votes.length) return inconsistentVerdict(contradictions, votes.length, 'reversed');
  const opinions = votes.map((vote) => {
    const passed = isBest(vote);
    const isOnce = vote.outputFirst.best === 1 || vote.outputLast.best === vote.of;
    return { answer: vote, score: passed ? 1 : isOnce ? 0.5 : 0, passed };
  });
  const candidates = baseline ? [baseline, ...(baseline.others ?? [])] : [];
  return majorityVerdict(opinions, { min: 0, max: 1 }, (vote) => ({
    results: {
      outcome: isBest(vote) ? 'best' : 'not best',
      isConsistent: !followsOrder(vote),
      outputs: vote.of,
      rationale: vote.outputFirst.rationale,
      rationaleSwapped: vote.outputLast.rationale,
      candidateTestIds: candidates.map(({ testId }) => testId),
      baselineTestId: baseline?.testId ?? null,
    },
    reason: vote.outputFirst.rationale,
  }));
}
