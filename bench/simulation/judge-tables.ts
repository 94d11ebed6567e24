import { mostPower } from './best-judge-test.ts';
import { type Errors, type SimulatedJudge, validShare } from './judges.ts';

const VERDICTS = [30, 60, 120, 240];
const REQUIRED = [0.4, 0.5, 0.6];
const ERRORS = ['both', 'lenient', 'strict'] as const;
/** Share that draws with strata take of what the judge failed, unless they name another one. */
const DRAWN_FAILED = 0.15;
/** Level of the first test of a gate. */
const LEVEL = 0.04;
const WANTED_POWER = 0.8;
const MOST_VERDICTS = 400;

const percent = (share: number): string => (100 * share).toFixed(1);
const good = (errors: Errors): SimulatedJudge => ({ kappa: 0.85, failedShare: 0.05, errors });

function table(title: string, first: string, rows: readonly (readonly [string, string[]])[]): void {
  console.log(`\n${title}\n\n| ${first} | ${VERDICTS.join(' | ')} |\n|---|${'---|'.repeat(VERDICTS.length)}`);
  for (const [name, cells] of rows) console.log(`| ${name} | ${cells.join(' | ')} |`);
}

/** Prints how often gates are valid after their first test: of a good judge, and of judges that are not quite good enough. */
export function printJudges(samples: number): void {
  const validWith = (judge: SimulatedJudge, minKappa: number, verdicts: number, drawnFailed: number | null) =>
    validShare(judge, { minKappa, verdicts, drawnFailed }, samples);
  for (const errors of ERRORS)
    table(
      `Share of gates that are valid (judge with a kappa of 0.85 that lets 95 % pass, errors: ${errors}), without → with strata, in brackets the most that any test could reach with any strata`,
      'required kappa',
      REQUIRED.map((minKappa) => [
        String(minKappa),
        VERDICTS.map((verdicts) => {
          const judge = good(errors);
          const [without, withStrata] = [null, DRAWN_FAILED].map((drawn) =>
            percent(validWith(judge, minKappa, verdicts, drawn)),
          );
          const most = mostPower({ judge, minKappa, verdicts, level: LEVEL });
          return `${without} → ${withStrata} (${percent(most)})`;
        }),
      ]),
    );
  table(
    'The same of judges with exactly the required kappa, with strata: the highest over where they err and how many they fail',
    'required kappa',
    REQUIRED.map((kappa) => [
      String(kappa),
      VERDICTS.map((verdicts) =>
        percent(
          Math.max(
            ...ERRORS.flatMap((errors) =>
              [0.05, 0.2].map((failedShare) =>
                validWith({ kappa, failedShare, errors }, kappa, verdicts, DRAWN_FAILED),
              ),
            ),
          ),
        ),
      ),
    ]),
  );
  console.log('\nVerdicts from which at least 80 % of the gates of the good judge are valid, with strata\n');
  for (const minKappa of REQUIRED)
    console.log(
      `${minKappa}: ${fewestVerdicts((verdicts, errors) => validWith(good(errors), minKappa, verdicts, DRAWN_FAILED))}`,
    );
}

/** Returns from how many verdicts on, in steps of 20, the power suffices, wherever the judge errs. */
function fewestVerdicts(power: (verdicts: number, errors: Errors) => number): number {
  let fewest = MOST_VERDICTS;
  for (let verdicts = MOST_VERDICTS; verdicts >= 20; verdicts -= 20) {
    if (ERRORS.some((errors) => power(verdicts, errors) < WANTED_POWER)) break;
    fewest = verdicts;
  }
  return fewest;
}
