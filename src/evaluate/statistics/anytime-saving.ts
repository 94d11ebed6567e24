import { sideOfLine } from './anytime-mean.ts';

const RUNS = 200;

/** Numbers of examples that a test which stops when it is sure needs. */
export interface ExpectedStops {
  /** Mean number of examples, `most` for runs that stay unsure. */
  examples: number;
  /** Shares of the runs that ended above and below the line; the others stayed unsure. */
  above: number;
  below: number;
}

/** Design of a test that stops when it is sure. */
export interface StoppingDesign {
  /** True pass rate of the app, and the line, from 0 to 1. */
  share: number;
  line: number;
  /** Examples that are tested between two looks. */
  batch: number;
  most: number;
}

/** Simulates tests that stop when they are sure; the same design gives the same result. */
export function expectedStops(
  { share, line, batch, most }: StoppingDesign,
  { runs = RUNS, random = repeatable() }: { runs?: number; random?: () => number } = {},
): ExpectedStops {
  const sums = { examples: 0, above: 0, below: 0 };
  for (let run = 0; run < runs; run++) {
    let [tested, passed] = [0, 0];
    let isAbove: boolean | null = null;
    while (tested < most && isAbove === null) {
      for (let i = 0; i < batch && tested < most; i++, tested++) if (random() < share) passed += 1;
      const counts = [
        { value: 1, count: passed },
        { value: 0, count: tested - passed },
      ];
      isAbove = sideOfLine(counts, line);
    }
    sums.examples += tested;
    if (isAbove !== null) sums[isAbove ? 'above' : 'below'] += 1;
  }
  return { examples: sums.examples / runs, above: sums.above / runs, below: sums.below / runs };
}

/** Creates a generator of numbers from 0 to 1 that are the same each time (mulberry32). */
function repeatable(): () => number {
  let state = 1;
  return () => {
    state = Math.trunc(state + 0x6d2b79f5);
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
