// `npm run test:all`: the tests that `npm test` leaves out, because they start other programs or take long, and the rules of the linter that need types.
//
//   npm run test:all                   fails with a list if the machine lacks something
//   npm run test:all -- --install      installs what Debian has, with apt-get; needs root
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BINARY_ENVIRONMENT, BINARY_FILES, BUILD_BINARY } from './suite/binary.mjs';
import { BUILD, check, TYPES_AND_LINT } from './suite/check.mjs';
import { prepare } from './suite/prepare.mjs';
import { Report } from './suite/report.mjs';
import { runTests } from './suite/tests.mjs';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Two runs of vitest at once: tests in a browser and those of packages mostly wait, those of the server mostly compute.
 * Only the first prints while it runs.
 */
const RUNS = [
  { name: 'tests with other programs', args: ['--project=all'] },
  {
    name: 'tests in a browser, and of packages',
    args: ['--project=dashboard', '--project=all with globals', '--maxWorkers=2'],
  },
];

const { values } = parseArgs({ options: { install: { type: 'boolean', default: false } } });
console.log(
  'Runs the tests that start other programs or take long. `npm test` runs all other tests and the checks.',
);
if (prepare(values)) {
  const report = new Report();
  report.add([await check(BUILD)]);
  report.add([await check(TYPES_AND_LINT)]);
  report.add(await runTests(RUNS));
  report.add([await check(BUILD_BINARY)]);
  report.add(
    await runTests([{ name: 'tests with the single binary', args: BINARY_FILES }], BINARY_ENVIRONMENT),
  );
  report.end();
}
