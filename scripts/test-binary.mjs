// Runs the tests that start the program as a process against the single binary, which it builds first:
//
//   npm run test:binary                          all of them
//   npm run test:binary -- test/e2e/crash.test.ts
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BINARY_ENVIRONMENT, BINARY_FILES, BUILD_BINARY } from './suite/binary.mjs';
import { check } from './suite/check.mjs';
import { Report } from './suite/report.mjs';
import { runTests } from './suite/tests.mjs';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));

const chosen = process.argv.slice(2);
const args = chosen.length > 0 ? chosen : BINARY_FILES;
const report = new Report();
report.add([await check(BUILD_BINARY)]);
report.add(await runTests([{ name: 'tests with the single binary', args }], BINARY_ENVIRONMENT));
report.end();
