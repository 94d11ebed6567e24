import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Milliseconds that a turn may last, more than any installation takes, also on a busy machine. */
const MAX_WAIT_MS = 900_000;

/**
 * Installs the packages of a folder with a package.json and a lock file of its own, unless they are there: packages
 * that some tests need and the project itself must not depend on. Tests in several processes may ask at once.
 */
export async function installWorkspace(folder: string): Promise<void> {
  const lockFile = join(folder, 'package-lock.json');
  const stampFile = join(folder, 'node_modules', '.stamp');
  const wanted = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  const isThere = (): boolean => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted;
  if (isThere()) return;
  const release = await takeTurn(join(folder, '.installing'));
  try {
    if (isThere()) return;
    const args = 'ci --ignore-scripts --no-audit --no-fund --no-update-notifier'.split(' ');
    await promisify(execFile)('npm', args, {
      cwd: folder,
      timeout: MAX_WAIT_MS,
      shell: process.platform === 'win32',
    });
    writeFileSync(stampFile, wanted);
  } finally {
    release();
  }
}

/** Making a folder is atomic: who made it has the turn. One left by a run that was killed is taken over. */
export async function takeTurn(folder: string): Promise<() => void> {
  for (;;) {
    try {
      mkdirSync(folder);
      return () => rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const since = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - since > MAX_WAIT_MS) rmSync(folder, { recursive: true, force: true });
    else await sleep(200);
  }
}
