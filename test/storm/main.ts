/**
 * Does random things to a server – ingest, tests, verdicts, records, people, erasures, exports, backups, restarts, clocks – and checks
 * after every few steps that what is stored and shown fits together. The same seed chooses the same actions in the same order.
 *
 *   npm run storm                         300 steps with a seed of its own
 *   npm run storm -- 7 1000               1000 steps of seed 7
 *   npm run storm -- 7 1000 --kill        with kill -9 among them
 *   npm run storm -- 7 1000 --every 5     checks after every five steps instead of 25
 *   npm run storm -- 7 --each             each kind of action until it succeeds; lists those that never do
 *
 * After a fault it runs shorter: to the step of the fault with checks after every step, and then without one kind of action after
 * another, to find those that the fault needs.
 */
import { parseArgs } from 'node:util';
import { setup } from '../support/global-setup.ts';
import { ACTIONS, INVARIANTS, runStorm, runTour, type StormOptions, type StormResult } from './run.ts';

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kill: { type: 'boolean', default: false },
    every: { type: 'string', default: '25' },
    each: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: true },
  },
  allowNegative: true,
});
const [seed = Math.floor(Math.random() * 2 ** 31), steps = 300] = positionals.map(Number);
const every = Number(values.every);
for (const [name, value] of Object.entries({ SEED: seed, STEPS: steps, '--every': every }))
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`${name} must be a whole number from 1; got ${value}.`);

setup();
console.log(`seed ${seed}, ${steps} steps, ${ACTIONS.length} kinds of actions, ${INVARIANTS} invariants`);
if (values.each) {
  const { never, broken } = await runTour(seed);
  for (const name of never) console.log(`✗ ${name}: never succeeded`);
  for (const fault of broken) console.log(`✗ ${fault}`);
  process.exit(never.length + broken.length === 0 ? 0 : 1);
}
const options: StormOptions = { seed, steps, every, kill: values.kill, print: (line) => console.log(line) };
const result = await runStorm(options);
console.table(Object.fromEntries(result.done));
for (const fault of result.broken) console.log(`✗ ${fault}`);
if (result.failedAt === null) {
  console.log(`All invariants hold; seed ${seed}`);
  process.exit(0);
}
console.log(`Broken after step ${result.failedAt} of seed ${seed}.`);
if (values.shrink) await shrink(options, result);
process.exit(1);

/** Looks for a shorter run that breaks the same rule. */
async function shrink(given: StormOptions, { failedAt, broken }: StormResult): Promise<void> {
  const rule = ruleOf(broken[0]);
  const again = async (without: ReadonlySet<string>, to: number): Promise<number | null> => {
    const quiet = { ...given, every: 1, steps: to, without, print: () => undefined };
    const { failedAt: at, broken: found } = await runStorm(quiet);
    return found.some((fault) => ruleOf(fault) === rule) ? at : null;
  };
  let shortest = await again(new Set(), failedAt ?? given.steps);
  if (shortest === null)
    return console.log('It does not happen with checks after every step: it depends on time.');
  console.log(`Broken after step ${shortest} with checks after every step.`);
  const without = new Set<string>();
  for (const { name } of ACTIONS) {
    const at = await again(new Set([...without, name]), shortest);
    if (at === null) continue;
    without.add(name);
    shortest = at;
  }
  const needed = ACTIONS.filter(({ name }) => !without.has(name)).map(({ name }) => name);
  console.log(`Broken after step ${shortest} with these actions alone: ${needed.join(', ')}.`);
}

function ruleOf(fault: string | undefined): string {
  return fault?.split(':', 1)[0] ?? '';
}
