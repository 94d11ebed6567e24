// Runs of vitest, and what came of them.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { run, seconds } from '../run.mjs';
import { beginning } from './report.mjs';

const MIN_SPACE_BYTES = 4 * 1024 ** 3;

/**
 * Runs vitest several times at once, each with a name and arguments; only the first prints while it runs. `env` has variables
 * for all of them.
 */
export async function runTests(runs, env = {}) {
  const since = performance.now();
  const folder = mkdtempSync(join(spaceInMemory() ?? tmpdir(), 'touchstone-tests-'));
  // Some tests run commands as another user, who must be able to enter.
  chmodSync(folder, 0o711);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  // Tests start some two hundred servers; compiled once, each starts in two thirds of the time.
  const variables = { NODE_COMPILE_CACHE: join(folder, 'compiled'), TMPDIR: temporary };
  return Promise.all(
    runs.map(async ({ name, args }, index) => {
      const reportFile = join(folder, `report-${index}.json`);
      const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json'];
      const { code, received, output } = await run(
        process.execPath,
        [...vitest, `--outputFile.json=${reportFile}`, ...args],
        { env: { ...process.env, ...variables, ...env }, capture: index > 0 },
      );
      const counted = count(reportFile, code);
      const verdict = `${counted.failed === 0 ? '✓' : '✗'} ${name} (${seconds(since)})`;
      const text = [output, verdict].filter(Boolean).join('\n');
      return { name, ms: performance.now() - since, ...counted, received, code, text };
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
    return { passed: 0, failed: 1, failures: ['vitest ended without a report'], files: [] };
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
  const files = result.testResults.map(({ name, startTime, endTime }) => ({
    name: relative(process.cwd(), name),
    ms: endTime - startTime,
  }));
  return { passed, failed, failures, files };
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
