/**
 * Simulates how often the intervals of 95 % contain the truth, how often a gate opens by chance, and how many examples it
 * takes to find a difference; prints the tables of docs/statistics.md. `--samples 500` is faster and less exact; the same
 * number gives the same tables. `--part rates`, `--part methods`, `--part judges`,
 * `--part stops`, `--part relapses` and `--part halves` print those of pass rates, of comparisons, of the gates of judges, of tests that stop
 * when they are sure, of issues that are reopened and of evaluators that are drafted from notes.
 */
import { parseArgs } from 'node:util';
import { printHalves } from './simulation/halves.ts';
import { printJudges } from './simulation/judge-tables.ts';
import { printExtremes, printMethodTables, printOneTask } from './simulation/method-tables.ts';
import { printRelapses } from './simulation/relapses.ts';
import { printStops } from './simulation/stops.ts';
import { rates, ratesWithBroken, type Sample } from './simulation/samples.ts';
import { type Coverage, coverageOf } from './simulation/simulate.ts';

const { values } = parseArgs({
  options: { samples: { type: 'string', default: '4000' }, part: { type: 'string', default: 'all' } },
});
const { part } = values;
const samples = Number(values.samples);

const EXAMPLES = [1, 2, 5, 10, 20, 50];
const REPEATS = [1, 5, 10, 20];
const RATES = [0.5, 0.7, 0.9, 0.95, 0.99];
const CORRELATIONS = [0, 0.1, 0.3, 0.6, 0.9];
const BROKEN = [0, 0.02, 0.05, 0.1, 0.2];

interface Cell {
  sample: Sample;
  truth: number;
}

/** Returns every combination of repeats and rate. */
const combined = (cellOf: (repeats: number, rate: number) => Cell): Cell[] =>
  REPEATS.flatMap((repeats) => RATES.map((rate) => cellOf(repeats, rate)));

/** Prints a table with a row for each value and a column for each number of examples: what `show` makes of all cells. */
function table(
  first: string,
  rows: readonly number[],
  cellsOf: (row: number, examples: number) => Cell[],
  show: (all: Coverage[]) => string,
): void {
  console.log(`| ${first} | ${EXAMPLES.join(' | ')} |`);
  console.log(`|---|${'---|'.repeat(EXAMPLES.length)}`);
  for (const row of rows) {
    const cells = EXAMPLES.map((examples) =>
      show(cellsOf(row, examples).map(({ sample, truth }) => coverageOf(sample, truth, { samples }))),
    );
    console.log(`| ${row} | ${cells.join(' | ')} |`);
  }
  console.log();
}

const percent = (share: number): string => (100 * share).toFixed(1);
const lowest = (all: readonly Coverage[], of: keyof Coverage): number =>
  Math.min(...all.map((one) => one[of]));
const held = (all: Coverage[]): string => percent(lowest(all, 'held'));
const heldAndWilson = (all: Coverage[]): string =>
  `${percent(lowest(all, 'held'))} (${percent(lowest(all, 'wilson'))})`;
const mostAbove = (all: Coverage[]): string => percent(Math.max(...all.map(({ above }) => above)));

const rateCells = (correlation: number, examples: number): Cell[] =>
  combined((repeats, rate) => ({ sample: rates({ examples, repeats, rate, correlation }), truth: rate }));

if (part === 'all' || part === 'rates') {
  console.log(`${samples} samples per cell; percent; columns: number of examples\n`);
  console.log('Rate: lowest coverage, in brackets that of Wilson over tests\n');
  table('correlation', CORRELATIONS, rateCells, heldAndWilson);
  console.log('Rate: highest share of lower bounds above the truth\n');
  table('correlation', CORRELATIONS, rateCells, mostAbove);
  console.log('Rate with examples that never pass: lowest coverage\n');
  table(
    'share that never passes',
    BROKEN,
    (broken, examples) =>
      combined((repeats, rate) => ({
        sample: ratesWithBroken({ examples, repeats, rate: rate * (1 - broken), broken }),
        truth: rate * (1 - broken),
      })),
    held,
  );
}

if (part === 'all' || part === 'methods') {
  printOneTask(samples);
  printMethodTables(Math.ceil(samples / 10));
  printExtremes(Math.ceil(samples / 20));
}

if (part === 'all' || part === 'judges') printJudges(samples);

if (part === 'all' || part === 'stops') printStops(Math.min(samples, 1_000));

if (part === 'all' || part === 'relapses') printRelapses(Math.min(samples, 1_000));

if (part === 'all' || part === 'halves') printHalves(samples);
