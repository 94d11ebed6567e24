import { readFileSync, readlinkSync } from 'node:fs';
import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';

/** Time without a sign of life after which a process counts as ended. */
const STALE_MILLIS = 30_000;

/** Identity of the process that owns files of a spool. */
interface Owner {
  pid: number;
  /** Machine and namespace in which the number of the process means something. */
  host: string;
  /** Time at which the process began, in units of the system: numbers of processes are used again. */
  start: string;
}

/** Creates the lease of this process, or renews it. */
export async function renewLease(file: string): Promise<void> {
  const now = new Date();
  try {
    await utimes(file, now, now);
  } catch {
    const owner: Owner = { pid: process.pid, host: host(), start: startOf(process.pid) ?? '' };
    await writeFile(file, JSON.stringify(owner), { mode: 0o600 });
  }
}

/** Reports whether the process of a lease has ended, or shows no sign of life. A lease that is missing was deleted by its owner. */
export async function isExpired(file: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(file);
    if (Math.abs(Date.now() - mtimeMs) > STALE_MILLIS) return true;
    const owner = JSON.parse(await readFile(file, 'utf8')) as Owner;
    return owner.host === host() && startOf(owner.pid) !== owner.start;
  } catch (error) {
    return (error as { code?: unknown }).code === 'ENOENT';
  }
}

let ownHost: string | undefined;

function host(): string {
  if (ownHost === undefined) {
    let namespace = '';
    try {
      namespace = ` ${readlinkSync('/proc/self/ns/pid')}`;
    } catch {
      // Not Linux.
    }
    ownHost = hostname() + namespace;
  }
  return ownHost;
}

/** Returns when a process began; '' where only its existence is known, undefined if it has ended. */
function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') return startOnLinux(pid);
  try {
    process.kill(pid, 0);
    return '';
  } catch (error) {
    return (error as { code?: unknown }).code === 'ESRCH' ? undefined : '';
  }
}

function startOnLinux(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, start] = [fields[0] ?? '', fields[19] ?? ''];
    return 'ZX'.includes(state) ? undefined : start;
  } catch {
    return undefined;
  }
}
