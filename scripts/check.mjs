// All checks of the project; a failed one does not stop the others. The last line printed is `N passed, N failed`: the
// tests, and one for each check. What failed stands right before it, for logs of which only the end is kept. With --quick:
// all but the tests. Other arguments go to vitest.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run, seconds } from './run.mjs';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));

const MIN_SPACE_BYTES = 4 * 1024 ** 3;
const MAX_FAILURE_LINES = 25;
const MAX_FAILURE_LINE = 300;

// First: tests start servers from it, and its files show what the packages import.
const BUILD = ['build', 'scripts/build.mjs'];
const CHECKS = [
  // Each file by the options of its nearest tsconfig.json; rules need the types anyway.
  ['types and lint', 'node_modules/oxlint/bin/oxlint', '--format=unix', '--type-check'],
  ['format', 'node_modules/@biomejs/biome/bin/biome', 'format', '.', '--reporter=summary'],
  ['words', 'scripts/words.ts'],
  ['unused code', 'node_modules/knip/bin/knip.js'],
];

/** The type checker is a Go program: it takes a fifth less CPU time, and no more memory, if it collects garbage less often. */
const CHECK_ENVIRONMENT = { ...process.env, GOGC: '400' };

/**
 * Two runs of vitest at once: tests in a browser and those of packages mostly wait, those of the server mostly compute.
 * Only the first prints while it runs.
 */
const RUNS_OF_TESTS = [
  ['--project=server'],
  ['--project=dashboard', '--project=with globals', '--maxWorkers=2'],
];

async function check([name, ...command]) {
  const since = performance.now();
  const { code, output, received } = await run(process.execPath, command, {
    capture: true,
    env: CHECK_ENVIRONMENT,
  });
  const lines = [`${code === 0 ? '✓' : '✗'} ${name} (${seconds(since)})`];
  if (code !== 0) lines.push(`${output.trimEnd()}\n`);
  const failures = code === 0 ? [] : [`${name}\n${beginning(output)}`];
  return {
    passed: Number(code === 0),
    failed: failures.length,
    failures,
    received,
    code,
    text: lines.join('\n'),
  };
}

async function checkAll() {
  const results = [];
  for (const step of CHECKS) results.push(await check(step));
  return results;
}

// Tests start some two hundred servers; compiled once, each starts in two thirds of the time.
async function tests(args) {
  const since = performance.now();
  const folder = mkdtempSync(join(spaceInMemory() ?? tmpdir(), 'touchstone-tests-'));
  // Some tests run commands as another user, who must be able to enter.
  chmodSync(folder, 0o711);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled'), TMPDIR: temporary };
  const runs = args.length > 0 ? [args] : RUNS_OF_TESTS;
  return Promise.all(
    runs.map(async (chosen, index) => {
      const reportFile = join(folder, `report-${index}.json`);
      const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json'];
      const { code, received, output } = await run(
        process.execPath,
        [...vitest, `--outputFile.json=${reportFile}`, ...chosen],
        { env, capture: index > 0 },
      );
      const { passed, failed, failures } = count(reportFile, code);
      const name = ['tests', ...(runs.length > 1 ? chosen : [])].join(' ');
      const verdict = `${failed === 0 ? '✓' : '✗'} ${name} (${seconds(since)})`;
      return { passed, failed, failures, received, code, text: [output, verdict].filter(Boolean).join('\n') };
    }),
  );
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
    return { passed: 0, failed: 1, failures: ['vitest ended without a report'] };
  }
  const passed = result.numPassedTests;
  const skipped = result.numTotalTests - passed - result.numFailedTests;
  const notLoaded = result.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  let failed = result.numFailedTests + skipped + notLoaded.length;
  const isOutside = failed === 0 && (passed === 0 || code !== 0);
  if (isOutside) failed += 1;
  const failures = result.testResults.flatMap(failuresIn);
  if (isOutside)
    failures.push(`vitest ended with code ${code}, with ${passed} tests and no failed one: see its output`);
  if (skipped > 0) failures.push(`tests that did not run: ${skipped}, in ${filesWithSkipped(result)}`);
  return { passed, failed, failures };
}

function failuresIn(file) {
  const name = relative(process.cwd(), file.name);
  const failures = file.assertionResults
    .filter(({ status }) => status === 'failed')
    .map(
      ({ fullName, failureMessages }) =>
        `${name} > ${String(fullName)}\n${beginning(failureMessages.join('\n'))}`,
    );
  // A file that did not load, or what runs before or after its tests.
  if (file.message) failures.push(`${name}\n${beginning(file.message)}`);
  return failures;
}

function filesWithSkipped({ testResults }) {
  const isSkipped = ({ status }) => status !== 'passed' && status !== 'failed';
  const files = testResults.filter(({ assertionResults }) => assertionResults.some(isSkipped));
  return files.map(({ name }) => relative(process.cwd(), name)).join(', ');
}

function beginning(text) {
  const lines = text.split('\n').slice(0, MAX_FAILURE_LINES);
  return lines.map((line) => `    ${line.slice(0, MAX_FAILURE_LINE)}`).join('\n');
}

const args = process.argv.slice(2);
const quick = args.includes('--quick');
/** @type {{ passed: number, failed: number, failures: string[] }} */
const total = { passed: 0, failed: 0, failures: [] };
add([await check(BUILD)]);
// The checks keep the cores busy while the tests start, and the other way round.
const [checks, tested] = await Promise.all([checkAll(), quick ? [] : tests(args)]);
add([...checks, ...tested]);
for (const failure of total.failures) console.log(`✗ ${failure}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

function add(results) {
  for (const { passed, failed, failures, received, code, text } of results) {
    if (received) process.exit(code);
    console.log(text);
    total.passed += passed;
    total.failed += failed;
    total.failures.push(...failures);
  }
}
