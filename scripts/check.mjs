// Every check of the project, one after the other; a failed one does not stop the next. The last line printed is
// `N passed, N failed`: the tests, and one for each check. With --quick: all but the tests. Other arguments go to vitest.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run, seconds } from './run.mjs';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));

const MIN_SPACE_BYTES = 4 * 1024 ** 3;

const CHECKS = [
  ['types', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'],
  ['types of the dashboard', 'node_modules/typescript/bin/tsc', '-p', 'src/dashboard'],
  ['types of exporters/otel', 'node_modules/typescript/bin/tsc', '-p', 'exporters/otel'],
  ['lint', 'node_modules/oxlint/bin/oxlint', '--format=unix'],
  ['format', 'node_modules/@biomejs/biome/bin/biome', 'format', '.', '--reporter=summary'],
  ['words', 'scripts/words.ts'],
  ['build', 'scripts/build.mjs'],
  // After the build, whose files show what the packages import.
  ['unused code', 'node_modules/knip/bin/knip.js'],
];

async function check([name, ...command]) {
  const since = performance.now();
  const { code, output, received } = await run(process.execPath, command, { capture: true });
  if (received) process.exit(code);
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds(since)})`);
  if (code !== 0) console.log(`${output.trimEnd()}\n`);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

// Tests start some two hundred servers; compiled once, each starts in two thirds of the time.
async function tests(args) {
  const since = performance.now();
  const folder = mkdtempSync(join(spaceInMemory() ?? tmpdir(), 'touchstone-tests-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const report = join(folder, 'report.json');
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  const { code, received } = await run(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...args,
    ],
    { env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled'), TMPDIR: temporary } },
  );
  if (received) process.exit(code);
  const counts = count(report, code);
  console.log(`${counts.failed === 0 ? '✓' : '✗'} tests (${seconds(since)})`);
  return counts;
}

/** A file system in memory with enough space for the stores of tests, whose every commit would wait for a disk; null without one. */
function spaceInMemory() {
  const folder = '/dev/shm';
  if (!existsSync(folder)) return null;
  const { bavail, bsize } = statfsSync(folder);
  return Math.min(bavail * bsize, process.availableMemory() / 2) >= MIN_SPACE_BYTES ? folder : null;
}

/** A test that did not run has not passed: skipped ones, files that did not load and an empty run count as failures. */
function count(report, code) {
  let result;
  try {
    result = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    console.log('vitest ended without a report');
    return { passed: 0, failed: 1 };
  }
  const passed = result.numPassedTests;
  const skipped = result.numTotalTests - passed - result.numFailedTests;
  const notLoaded = result.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  let failed = result.numFailedTests + skipped + notLoaded.length;
  if (skipped > 0) console.log(`tests that did not run: ${skipped}`);
  if (passed + failed === 0 || (code !== 0 && failed === 0)) failed += 1;
  return { passed, failed };
}

const args = process.argv.slice(2);
const quick = args.includes('--quick');
const total = { passed: 0, failed: 0 };
for (const step of CHECKS) add(await check(step));
if (!quick) add(await tests(args));

console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

function add({ passed, failed }) {
  total.passed += passed;
  total.failed += failed;
}
