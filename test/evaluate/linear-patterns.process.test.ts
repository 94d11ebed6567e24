import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const SEED = 20_260_301;
const PATTERNS = 5_000;

const resultsWith = async (...flags: string[]): Promise<string[]> => {
  const script = join(import.meta.dirname, '../support/pattern-results.ts');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...flags, script, `${SEED}`, `${PATTERNS}`],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  return stdout.trim().split('\n');
};

it('the linear engine finds what the backtracking one finds', async () => {
  const [backtracking, linear] = await Promise.all([
    resultsWith(),
    resultsWith('--default-to-experimental-regexp-engine'),
  ]);
  expect(backtracking).toHaveLength(PATTERNS);
  expect(backtracking.filter((line) => line.endsWith('null]')).length).toBeLessThan(PATTERNS / 2);
  expect(linear).toEqual(backtracking);
});
