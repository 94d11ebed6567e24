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
import { ACTIONS, actionsOf, INVARIANTS, runStorm, runTour, type StormOptions } from './run.ts';
import { shrink } from './shrink.ts';

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
if (values.shrink) {
  const names = actionsOf(options).map(({ name }) => name);
  const shrunk = await shrink(options, result, { storm: runStorm, names });
  if (shrunk === null) console.log('It does not happen with checks after every step: it depends on time.');
  else console.log(`Broken after step ${shrunk.step} with these actions alone: ${shrunk.needed.join(', ')}.`);
}
process.exit(1);
