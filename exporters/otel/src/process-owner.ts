import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Identity of the process that owns a file. */
export interface ProcessOwner {
  pid: number;
  /** Machine and namespace in which the number of the process means something. */
  host: string;
  /** Time at which the process began, in units of the system: numbers of processes are used again. */
  start: string;
}

/** Returns the identity of this process. */
export const ownProcess = (): ProcessOwner => ({
  pid: process.pid,
  host: host(),
  start: startOf(process.pid) ?? '',
});

/** Reports whether a process is one of this machine and has ended; undefined for one of another machine. */
export const hasEnded = (owner: ProcessOwner): boolean | undefined =>
  owner.host === host() ? startOf(owner.pid) !== owner.start : undefined;

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
