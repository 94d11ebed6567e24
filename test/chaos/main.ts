/**
 * Runs a server under load – OTLP over HTTP and gRPC, reads, tests by webhook, a judge, imports, erasures, backups, sign-ins – while it is killed, stopped, paused,
 * its disk is full and its clock shifted. At the end, the senders, the ledger, the customer's app and the store must agree to
 * the span and to the test; otherwise it prints the differences and exits with 1.
 *
 *   npm run chaos                       ten minutes, with a seed of its own
 *   npm run chaos -- --minutes 2        shorter
 *   npm run chaos -- --seed 7           the same disturbances again
 */
import { parseArgs } from 'node:util';
import { setup } from '../support/global-setup.ts';
import { runChaos } from './run.ts';

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const seconds = Number(values.minutes) * 60;
const seed = Number(values.seed);
if (!(seconds > 0)) throw new Error(`--minutes must be a number above 0; got ${values.minutes}.`);
if (!Number.isInteger(seed)) throw new Error(`--seed must be a whole number; got ${values.seed}.`);

setup();
console.log(`seed ${seed}`);
const { differences, senders, ledgers, tests, disturbed, did, reads, judged } = await runChaos({
  seconds,
  seed,
  print: (line) => console.log(line),
});
console.log('\nSpans by sender:');
console.table(senders);
console.log('Ledgers:');
console.table(ledgers);
console.log('Tests by their end:');
console.table(tests);
console.log('Beside them:');
console.table(did);
console.log(`${reads} reads, ${judged} requests to the judge; disturbances: ${JSON.stringify(disturbed)}`);
for (const difference of differences) console.log(`✗ ${difference}`);
console.log(
  `${differences.length === 0 ? 'Everything agrees' : `${differences.length} differences`}; seed ${seed}`,
);
process.exit(differences.length === 0 ? 0 : 1);
