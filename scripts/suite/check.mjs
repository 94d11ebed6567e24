// Checks: programs that pass or fail as one.
import { run, seconds } from '../run.mjs';
import { beginning } from './report.mjs';

/** First: tests start servers from it, and its files show what the packages import. */
export const BUILD = ['build', 'scripts/build.mjs'];

// They need no build, and run beside it.
const CHECKS_OF_SOURCES = [
  ['format', 'node_modules/@biomejs/biome/bin/biome', 'format', '.', '--reporter=summary'],
  ['words', 'scripts/words.ts'],
];
/** All rules of the linter, and the types: each file by the options of its nearest tsconfig.json. */
export const TYPES_AND_LINT = [
  'types and lint',
  'node_modules/oxlint/bin/oxlint',
  '--format=unix',
  '--type-check',
];
const UNUSED_CODE = ['unused code', 'node_modules/knip/bin/knip.js'];

/** Types and the rules that need none: they take half of the CPU time, and a third of the memory. */
const CHECKS_BESIDE_TESTS = [
  ['types', 'scripts/types.mjs'],
  ['lint', 'node_modules/oxlint/bin/oxlint', '--config=.oxlintrc.quick.json', '--format=unix'],
  UNUSED_CODE,
];
const ALL_CHECKS = [TYPES_AND_LINT, UNUSED_CODE];

/** The type checker is a Go program: it takes a fifth less CPU time, and no more memory, if it collects garbage less often. */
const CHECK_ENVIRONMENT = { ...process.env, GOGC: '400' };

const LINT_ADVICE = 'Run `npm run lint:fix` to correct what the linter can; correct the rest by hand.';
/** Advice for each check that fails, where its own output has none. */
const ADVICE = {
  format: 'Run `npm run format`.',
  lint: LINT_ADVICE,
  'types and lint': LINT_ADVICE,
  words: 'Change the words, or add a line with a reason to scripts/words/excuses.txt.',
  'unused code': 'Delete what is unused, or remove its `export`.',
};

/** Runs a script of Node with its arguments, and prints what it printed if it fails. */
export async function check([name, ...command]) {
  const since = performance.now();
  const { code, output, received } = await run(process.execPath, command, {
    capture: true,
    env: CHECK_ENVIRONMENT,
  });
  const advice = ADVICE[name] ?? '';
  const lines = [`${code === 0 ? '✓' : '✗'} ${name} (${seconds(since)})`];
  if (code !== 0) lines.push(`${output.trimEnd()}\n`, ...(advice === '' ? [] : [`${advice}\n`]));
  const failures = code === 0 ? [] : [`${name}${advice === '' ? '' : `: ${advice}`}\n${beginning(output)}`];
  return {
    name,
    ms: performance.now() - since,
    passed: Number(code === 0),
    failed: failures.length,
    failures,
    received,
    code,
    text: lines.join('\n'),
  };
}

/**
 * Runs the build and the checks: with `isQuick` all of them, otherwise those that run beside the tests. `built` resolves to the
 * results that are there when the build has ended, `checked` to the others.
 */
export function buildAndCheck(isQuick) {
  const built = Promise.all([check(BUILD), inTurn(CHECKS_OF_SOURCES)]).then((results) => results.flat());
  return { built, checked: built.then(() => inTurn(isQuick ? ALL_CHECKS : CHECKS_BESIDE_TESTS)) };
}

async function inTurn(steps) {
  const results = [];
  for (const step of steps) results.push(await check(step));
  return results;
}
