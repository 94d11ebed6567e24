import {
  type ExampleRun,
  exampleRelapse,
  type FailedVerdicts,
  type LiveDay,
  liveRelapse,
} from '../../src/evaluate/statistics/relapse.ts';
import { mulberry32 } from '../../test/support/random.ts';

const DAYS = 90;
const DAILY = [20, 100];
const RELAPSES = [0.01, 0.02, 0.05];
/** Share of responses with the problem that the judge finds. */
const SENSITIVITY = 0.9;
/** Judges: share of good responses that each lets fail, and how many of them people have judged. */
const JUDGES = [
  { falseAlarms: 0, measured: null },
  { falseAlarms: 0.01, measured: 100 },
  { falseAlarms: 0.01, measured: 400 },
  { falseAlarms: 0.05, measured: 100 },
  { falseAlarms: 0.05, measured: 400 },
] as const;
/** Days without the problem before a relapse. */
const CLEAN_DAYS = 14;

const RUNS = 200;
const EXAMPLES = [1, 5, 20];
const TOLERATED = 0.02;
const FAILING = [0.25, 0.5, 1];
const CLEAN_RUNS = [0, 10, 50];

type Random = () => number;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function median(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted.length === 0 ? '–' : String(sorted[Math.floor(sorted.length / 2)]);
}

const failedOf = (of: number, share: number, random: Random): FailedVerdicts => {
  let failed = 0;
  for (let i = 0; i < of; i++) if (random() < share) failed += 1;
  return { of, failed };
};

interface Live {
  judge: (typeof JUDGES)[number];
  daily: number;
  /** Share of live responses with the problem after the clean days. */
  relapse: number;
}

/** Looks each day, and returns the day on which the issue is reopened; null if it stays resolved. */
function reopenedOnDay({ judge, daily, relapse }: Live, random: Random): number | null {
  const measured = judge.measured === null ? null : failedOf(judge.measured, judge.falseAlarms, random);
  const days: LiveDay[] = [];
  for (let day = 0; day < DAYS; day++) {
    const problem = day < CLEAN_DAYS ? 0 : relapse;
    const share = problem * SENSITIVITY + (1 - problem) * judge.falseAlarms;
    days.push({ day, ...failedOf(daily, share, random) });
    if (liveRelapse(days, measured) !== null) return day;
  }
  return null;
}

/** Tests examples run after run, and returns the number of the run that reopens the issue; null if none does. */
function reopenedInRun(
  { examples, clean, failing, most }: { examples: number; clean: number; failing: number; most: number },
  random: Random,
): number | null {
  const runs: ExampleRun[] = [];
  for (let run = 0; run < clean + most; run++)
    for (let example = 0; example < examples; example++) {
      // One of the examples shows the relapse.
      const share = run >= clean && example === 0 ? failing : TOLERATED;
      runs.push({ exampleId: String(example), failed: Number(random() < share) });
    }
  const place = exampleRelapse(runs, { examples, tolerated: TOLERATED });
  return place === null ? null : Math.floor(place / examples) + 1;
}

const repeated = <T>(samples: number, seed: number, once: (random: Random) => T): T[] => {
  const random = mulberry32(seed);
  return Array.from({ length: samples }, () => once(random));
};

/** Prints how often a resolved issue is reopened by chance, and how long it takes after a relapse. */
export function printRelapses(samples: number): void {
  console.log(
    `\nLive rate: reopened by chance in ${DAYS} days; then, for a relapse after ${CLEAN_DAYS} days, share that is reopened within ${DAYS - CLEAN_DAYS} days, and median number of verdicts until then\n`,
  );
  console.log(
    `| judge lets good responses fail | judged by people | verdicts a day | by chance | ${RELAPSES.map((share) => `relapse ${100 * share} %`).join(' | ')} |`,
  );
  console.log(`|---|---|---|---|${'---|'.repeat(RELAPSES.length)}`);
  for (const judge of JUDGES)
    for (const daily of DAILY) {
      const clean = repeated(samples, 1, (random) => reopenedOnDay({ judge, daily, relapse: 0 }, random));
      const cells = RELAPSES.map((relapse) => {
        const all = repeated(samples, 2, (random) => reopenedOnDay({ judge, daily, relapse }, random));
        const late = all.flatMap((day) =>
          day !== null && day >= CLEAN_DAYS ? (day + 1 - CLEAN_DAYS) * daily : [],
        );
        return `${percent(late.length / samples)} · ${median(late)}`;
      });
      const chance = percent(clean.filter((day) => day !== null).length / samples);
      console.log(
        `| ${percent(judge.falseAlarms)} | ${judge.measured ?? '–'} | ${daily} | ${chance} | ${cells.join(' | ')} |`,
      );
    }
  console.log(
    `\nExamples: reopened by chance in ${RUNS} runs in which each test fails with ${percent(TOLERATED)}; then, for one example that fails so often, median number of runs until then, by clean runs before\n`,
  );
  console.log(
    `| examples | by chance | clean runs | ${FAILING.map((share) => `fails in ${100 * share} %`).join(' | ')} |`,
  );
  console.log(`|---|---|---|${'---|'.repeat(FAILING.length)}`);
  for (const examples of EXAMPLES) {
    const chance = repeated(samples, 3, (random) =>
      reopenedInRun({ examples, clean: RUNS, failing: 0, most: 0 }, random),
    );
    for (const clean of CLEAN_RUNS) {
      const cells = FAILING.map((failing) =>
        median(
          repeated(samples, 4, (random) =>
            reopenedInRun({ examples, clean, failing, most: 100 }, random),
          ).flatMap((run) => (run !== null && run > clean ? run - clean : [])),
        ),
      );
      const by = percent(chance.filter((run) => run !== null).length / samples);
      console.log(`| ${examples} | ${by} | ${clean} | ${cells.join(' | ')} |`);
    }
  }
}
