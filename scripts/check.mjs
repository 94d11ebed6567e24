// `npm test`: the build, the quick checks, and the tests that need no other program. A failed part does not stop the others.
// With --quick, as `npm run check:quick`: without the tests, and with all rules of the linter. Other arguments go to vitest.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildAndCheck } from './suite/check.mjs';
import { Report } from './suite/report.mjs';
import { runTests } from './suite/tests.mjs';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));

const QUICK_TESTS = ['--project=quick', '--project=quick with globals'];

const args = process.argv.slice(2);
const isQuick = args.includes('--quick');
const report = new Report();
const { built, checked } = buildAndCheck(isQuick);
report.add(await built);
// The checks keep the cores busy while the tests start, and the other way round.
const [checks, tested] = await Promise.all([
  checked,
  isQuick ? [] : runTests([{ name: 'tests', args: args.length > 0 ? args : QUICK_TESTS }]),
]);
report.add([...checks, ...tested]);
report.end();
