import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { demand } from '../../scripts/suite/needs.ts';

const UNIT = join(import.meta.dirname, '../../deploy/systemd/touchstone.service');

it('systemd finds nothing wrong with the unit', async () => {
  demand('systemd-analyze');
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-unit-'));
  try {
    const file = join(folder, 'touchstone.service');
    // Where the tests run the program is not installed, so another takes its place.
    writeFileSync(
      file,
      readFileSync(UNIT, 'utf8').replace('=/usr/local/bin/touchstone', `=${process.execPath}`),
    );
    const { stdout, stderr } = await promisify(execFile)('systemd-analyze', ['verify', file]);
    expect(stdout + stderr).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
