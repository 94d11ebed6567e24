import { expectedStops } from '../../src/evaluate/statistics/anytime-saving.ts';
import { mulberry32 } from '../../test/support/random.ts';

const LINE = 0.9;
const RATES = [0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99];
const MOST = [200, 500, 2_000];
const BATCH = 20;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Prints how many examples tests need that stop when they are sure, and on which side of 90 % they stop. */
export function printStops(runs: number): void {
  console.log('\nExamples on average (above · below the line · unsure), line 90 %, 20 examples at a time\n');
  console.log(
    `| true rate | ${MOST.map((most) => `at most ${most}`).join(' | ')} |\n|---|${'---|'.repeat(MOST.length)}`,
  );
  for (const share of RATES) {
    const cells = MOST.map((most) => {
      const random = mulberry32(Math.round(1_000 * share));
      const { examples, above, below } = expectedStops(
        { share, line: LINE, batch: BATCH, most },
        { runs, random },
      );
      return `${Math.round(examples)} (${percent(above)} · ${percent(below)} · ${percent(1 - above - below)})`;
    });
    console.log(`| ${Math.round(100 * share)} % | ${cells.join(' | ')} |`);
  }
}
