import { parseArgs } from 'node:util';
import { ATTACKS, type AttackName, QUICK_ATTACKS } from './attacks.ts';
import { GOOD_MS, type Row, runSuite, verdictsOf } from './suite.ts';

/**
 * Attacks a server as one organisation while another one measures itself, and fails when the neighbour loses too much,
 * memory passes its limit, or something is not given back.
 *
 *   npm run hostile                         every attack; about fifteen minutes
 *   npm run hostile -- --only 'slow'        attacks whose name has this in it
 *   npm run hostile -- --short              as in CI
 *   npm run hostile -- --help               the names of the attacks
 */
const MIN_SHARE = 0.8;
const MAX_RATIO = 3;

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    short: { type: 'boolean', default: false },
    limit: { type: 'string', default: '768' },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) {
  console.log(
    `npm run hostile -- [--only TEXT] [--short] [--limit MIB]\n\nAttacks: ${Object.keys(ATTACKS).join(', ')}`,
  );
  process.exit(0);
}

const ratio = (beside: number, alone: number): number => Number((beside / alone).toFixed(1));
const isSlow = (beside: number, alone: number): boolean => beside > GOOD_MS && beside / alone > MAX_RATIO;

/** Returns the goals that a row misses. */
function missed(row: Row): string[] {
  const verdicts = verdictsOf(row);
  const { slowest } = verdicts;
  return [
    ...(row.ended ? [`the server ${row.ended}`] : []),
    ...(verdicts.share < MIN_SHARE ? [`${verdicts.least} kept ${Math.round(verdicts.share * 100)} %`] : []),
    ...(isSlow(verdicts.p99Beside, verdicts.p99Alone) ? ['requests are slow'] : []),
    ...(slowest && isSlow(slowest.beside, slowest.alone)
      ? [`${slowest.name} is slow: p99 ${Math.round(slowest.alone)} → ${Math.round(slowest.beside)} ms`]
      : []),
    ...(isSlow(verdicts.verdictBeside, verdicts.verdictAlone) ? ['verdicts are slow'] : []),
    ...(row.isGivenBack ? [] : [`not given back: ${JSON.stringify(row.left)}`]),
  ];
}

function columnsOf(row: Row): Record<string, string | number> {
  const { share, least, p99Alone, p99Beside, verdictAlone, verdictBeside } = verdictsOf(row);
  const rate = (measurement: Row['alone']): number =>
    Number(
      Object.values(measurement)
        .reduce((sum, one) => sum + one.rate, 0)
        .toFixed(1),
    );
  return {
    'rate alone': rate(row.alone),
    beside: rate(row.beside),
    'least share': `${Math.round(share * 100)} % ${share < 1 ? least : ''}`,
    'p99 alone': Math.round(p99Alone),
    'p99 beside': Math.round(p99Beside),
    ratio: ratio(p99Beside, p99Alone),
    'verdict p99 alone': Math.round(verdictAlone),
    'verdict beside': Math.round(verdictBeside),
    'verdict ratio': ratio(verdictBeside, verdictAlone),
    'peak MiB': row.peakMib,
    'given back': row.isGivenBack ? 'yes' : 'no',
  };
}

const all = options.short ? QUICK_ATTACKS : (Object.keys(ATTACKS) as AttackName[]);
const attacks = all.filter((name) => name.includes(options.only));
const plan = {
  attacks,
  isShort: options.short,
  aloneSeconds: options.short ? 4 : 15,
  besideSeconds: options.short ? 5 : 30,
  giveBackSeconds: 20,
  limitMib: Number(options.limit),
};
const rows = await runSuite(plan, (row) => {
  const misses = missed(row);
  console.log(`${misses.length === 0 ? '✓' : '✗'} ${row.attack}: ${row.did}`);
  for (const miss of misses) console.log(`    ${miss}`);
  for (const [name, { failed, failure }] of Object.entries(row.beside))
    if (failure) console.log(`    ${name} failed ${failed} times, first: ${failure}`);
});
console.table(Object.fromEntries(rows.map((row) => [row.attack, columnsOf(row)])));
console.log(
  `limit ${plan.limitMib} MiB resident${rows.some((row) => row.isHardLimited) ? ', and by the kernel (RLIMIT_DATA)' : ''}`,
);
const bad = rows.filter((row) => missed(row).length > 0).length;
console.log(`${rows.length - bad} passed, ${bad} failed`);
process.exitCode = bad > 0 ? 1 : 0;
