import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

it('the build does not look at installed packages, which may be replaced while it runs', async () => {
  const folder = join(ROOT, 'exporters/otel/node_modules', `.replaced-${randomUUID()}`);
  mkdirSync(folder, { recursive: true });
  try {
    symlinkSync(join(folder, 'missing'), join(folder, 'gone'));
    const build = [join(ROOT, 'scripts/build.mjs'), '--if-changed'];
    expect(await promisify(execFile)(process.execPath, build)).toEqual({ stdout: '', stderr: '' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
