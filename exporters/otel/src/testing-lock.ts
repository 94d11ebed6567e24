import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MILLIS = 100;
/** Time within which a process writes its id into a new lock. */
const WRITING_MILLIS = 10_000;

/**
 * Waits until no other process of this machine runs tests of the application, since the server sends all of them to its newest listener. Test
 * runners run files at the same time. Resolves with a function that lets the next one begin.
 */
export async function lockTests(applicationId: string, timeoutMillis: number): Promise<() => void> {
  const file = join(tmpdir(), `touchstone-tests-${applicationId.replaceAll(/[^\w-]/g, '')}.lock`);
  const deadline = performance.now() + timeoutMillis;
  while (!isTaken(file)) {
    if (performance.now() > deadline)
      throw new Error(`Another process runs tests of this application. If none does, delete ${file}.`);
    await sleep(POLL_MILLIS);
  }
  return () => rmSync(file, { force: true });
}

function isTaken(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    if (isLeft(file)) rmSync(file, { force: true });
    return false;
  }
}

/** Reports whether a lock is that of a process that has ended. */
function isLeft(file: string): boolean {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    if (!pid) return Date.now() - statSync(file).mtimeMs > WRITING_MILLIS;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
