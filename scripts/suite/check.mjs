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
const CHECKS_OF_BUILD = [
  // Each file by the options of its nearest tsconfig.json; rules need the types anyway.
  ['types and lint', 'node_modules/oxlint/bin/oxlint', '--format=unix', '--type-check'],
  ['unused code', 'node_modules/knip/bin/knip.js'],
];

/** The type checker is a Go program: it takes a fifth less CPU time, and no more memory, if it collects garbage less often. */
const CHECK_ENVIRONMENT = { ...process.env, GOGC: '400' };

/** Advice for each check that fails, where its own output has none. */
const ADVICE = {
  format: 'Run `npm run format`.',
  'types and lint': 'Run `npm run lint:fix` to correct what the linter can; correct the rest by hand.',
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

/** Runs the build and the checks. `built` resolves to the results that are there when the build has ended, `checked` to the others. */
export function buildAndCheck() {
  const built = Promise.all([check(BUILD), inTurn(CHECKS_OF_SOURCES)]).then((results) => results.flat());
  return { built, checked: built.then(() => inTurn(CHECKS_OF_BUILD)) };
}

async function inTurn(steps) {
  const results = [];
  for (const step of steps) results.push(await check(step));
  return results;
}
