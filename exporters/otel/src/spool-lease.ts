import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hasEnded, ownProcess, type ProcessOwner } from './process-owner.ts';

/** Time without a sign of life after which a process counts as ended. */
const STALE_MILLIS = 30_000;

/** Creates the lease of this process, or renews it. */
export async function renewLease(file: string): Promise<void> {
  const now = new Date();
  try {
    await utimes(file, now, now);
  } catch {
    try {
      await writeFile(file, JSON.stringify(ownProcess()), { mode: 0o600 });
    } catch (error) {
      // On a full disk it would be empty, and the next start could not see that its process has ended.
      await rm(file, { force: true }).catch(() => undefined);
      throw error;
    }
  }
}

/** Reports whether the process of a lease has ended, or shows no sign of life. A lease that is missing was deleted by its owner. */
export async function isExpired(file: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(file);
    if (Math.abs(Date.now() - mtimeMs) > STALE_MILLIS) return true;
    return hasEnded(JSON.parse(await readFile(file, 'utf8')) as ProcessOwner) === true;
  } catch (error) {
    return (error as { code?: unknown }).code === 'ENOENT';
  }
}
