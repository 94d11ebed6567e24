import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Builds what changed since the last run. Vitest calls it once, before all tests. */
export function setup(): void {
  const build = ['scripts/build.mjs', '--if-changed'];
  execFileSync(process.execPath, build, { cwd: join(import.meta.dirname, '../..'), stdio: 'inherit' });
}
