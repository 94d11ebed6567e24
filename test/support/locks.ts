import { readFileSync, statSync } from 'node:fs';

/** Bytes of a database on which each process with a connection of SQLite has a shared lock. */
const SHARED = '1073741826 1073742335';

/** Reports whether the kernel lists SQLite's shared lock of a process on a file. Linux only. */
export function holdsLock(pid: number, file: string): boolean {
  const { ino } = statSync(file);
  return readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .some((line) => {
      const [, kind, , , owner, place = '', first, last] = line.split(/\s+/);
      const isOfFile = place.endsWith(`:${ino}`) && Number(owner) === pid;
      return kind === 'POSIX' && isOfFile && `${first} ${last}` === SHARED;
    });
}
