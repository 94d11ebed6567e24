import { adviceOf, install, listOf, NEEDS } from './needs.ts';

/**
 * Prints what the tests need and whether it is there; with `install`, installs what packages of Debian have. Returns whether
 * nothing is missing; prints `0 passed, 1 failed` otherwise.
 */
export function prepare(options) {
  const find = () => NEEDS.filter((need) => !need.isThere());
  console.log('They need:');
  const before = find();
  for (const line of listOf(NEEDS, before)) console.log(`  ${line}`);
  console.log('They also need the registries of npm and PyPI.');
  let problem = '';
  try {
    if (options.install) install(before);
  } catch (error) {
    problem = error.message;
  }
  const missing = find();
  if (missing.length === 0) return true;
  const names = missing.map(({ name }) => name).join(', ');
  console.log(`✗ Missing: ${names}. ${problem || adviceOf(missing)}`);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
  return false;
}
