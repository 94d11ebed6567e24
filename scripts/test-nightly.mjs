// `npm run test:nightly`: what depends on the speed of the machine or lasts: attacks beside a neighbour that measures itself,
// random samples ten times as large (TEST_EFFORT), chaos, storm, soak, fuzzing, and clients in other languages. Takes hours.
import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUILD, check } from './suite/check.mjs';
import { prepare } from './suite/prepare.mjs';
import { Report } from './suite/report.mjs';
import { runTests } from './suite/tests.mjs';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));

const EFFORT = process.env.TEST_EFFORT ?? '10';
/** Tests whose samples grow with TEST_EFFORT. */
const sampled = globSync('test/**/*.test.ts', { exclude: ['**/node_modules/**'] }).filter((file) =>
  readFileSync(file, 'utf8').includes('support/effort.ts'),
);
/** Programs that pass or fail as one. */
const PROGRAMS = [
  ['hostile', 'test/hostile/run.ts'],
  ['chaos', 'test/chaos/main.ts'],
  ['storm', 'test/storm/main.ts'],
  ['storm with kills', 'test/storm/main.ts', '--kill'],
  ['fuzz', 'test/fuzz/main.ts'],
  ['soak', 'bench/soak.ts'],
  ['compat', 'test/compat/main.ts'],
];

if (prepare({ install: process.argv.includes('--install') })) {
  const report = new Report();
  report.add([await check(BUILD)]);
  report.add(await runTests([{ name: 'tests of the night', args: ['--project=nightly'] }]));
  report.add(
    await runTests([{ name: `random samples, ${EFFORT} times as large`, args: sampled }], {
      TEST_EFFORT: EFFORT,
    }),
  );
  for (const program of PROGRAMS) report.add([await check(program)]);
  report.end();
}
