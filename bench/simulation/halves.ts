import { wilsonInterval } from '../../src/evaluate/statistics/wilson.ts';
import { mulberry32 } from '../../test/support/random.ts';

const NOTES = [6, 12, 22, 50, 100];
/** Criteria that are tried on the notes before the best one is kept. */
const CRITERIA = [1, 5, 20];
/** Share of cases that a criterion finds: the mean over all criteria, and how much they differ. */
const FINDS = 0.8;
const SPREAD = 0.1;

type Random = () => number;

/** Measured share of the criterion that was kept, against the share that it truly finds. */
interface Kept {
  truth: number;
  measured: number;
  of: number;
}

/** Returns a criterion: which of the notes it finds, and its true share. */
function criterionOf(notes: number, random: Random): { truth: number; finds: boolean[] } {
  const truth = FINDS + SPREAD * (2 * random() - 1);
  return { truth, finds: Array.from({ length: notes }, () => random() < truth) };
}

const countOf = (finds: readonly boolean[], isIn: readonly boolean[]): number =>
  finds.filter((found, place) => found && isIn[place]).length;

/** Keeps the criterion that finds most of the notes that it may be tried on, and measures it on others; null without any. */
function keep(
  criteria: readonly ReturnType<typeof criterionOf>[],
  tried: readonly boolean[],
  measuredOn: readonly boolean[],
): Kept | null {
  const of = measuredOn.filter(Boolean).length;
  const [best] = criteria.toSorted((a, b) => countOf(b.finds, tried) - countOf(a.finds, tried));
  if (of === 0 || !best) return null;
  return { truth: best.truth, measured: countOf(best.finds, measuredOn) / of, of };
}

interface Summary {
  /** Mean of measured minus true share, in points. */
  bias: number;
  /** Share of intervals of 95 % that contain the truth. */
  covered: number;
  /** Mean true share of the criterion that was kept. */
  truth: number;
}

function summaryOf(all: readonly Kept[]): Summary {
  const mean = (of: (one: Kept) => number): number => all.reduce((sum, one) => sum + of(one), 0) / all.length;
  const isCovered = ({ truth, measured, of }: Kept): boolean => {
    const { low, high } = wilsonInterval(measured, of);
    return low <= truth && truth <= high;
  };
  return {
    bias: mean(({ truth, measured }) => measured - truth),
    covered: mean((one) => Number(isCovered(one))),
    truth: mean(({ truth }) => truth),
  };
}

/** Returns how a criterion goes that is tried on all notes and measured on them, and one that is tried and measured on halves. */
export function compareHalves(
  notes: number,
  criteria: number,
  samples: number,
): { all: Summary; split: Summary } {
  const random = mulberry32(notes * 1_000 + criteria);
  const [all, split]: [Kept[], Kept[]] = [[], []];
  for (let sample = 0; sample < samples; sample++) {
    const made = Array.from({ length: criteria }, () => criterionOf(notes, random));
    const every = Array.from({ length: notes }, () => true);
    const draft = Array.from({ length: notes }, () => random() < 0.5);
    const holdout = draft.map((isDraft) => !isDraft);
    const [onAll, onHoldout] = [keep(made, every, every), keep(made, draft, holdout)];
    if (onAll) all.push(onAll);
    if (onHoldout) split.push(onHoldout);
  }
  return { all: summaryOf(all), split: summaryOf(split) };
}

const points = (share: number): string => `${share >= 0 ? '+' : '−'}${Math.abs(100 * share).toFixed(1)}`;
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Prints how optimistic a measurement on the notes is that a criterion was written from. */
export function printHalves(samples: number): void {
  console.log(
    '\nCriterion from notes: mean error in points · share of intervals of 95 % that contain the truth · true share that it finds\n',
  );
  console.log(
    '| notes | criteria tried | measured on all notes | drafted on a half, measured on the holdout |',
  );
  console.log('|---|---|---|---|');
  for (const notes of NOTES)
    for (const criteria of CRITERIA) {
      const { all, split } = compareHalves(notes, criteria, samples);
      const cell = ({ bias, covered, truth }: Summary): string =>
        `${points(bias)} · ${percent(covered)} · ${percent(truth)}`;
      console.log(`| ${notes} | ${criteria} | ${cell(all)} | ${cell(split)} |`);
    }
}
