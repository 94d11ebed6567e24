import Sqlite from 'better-sqlite3';
import { AppError } from '../../errors.ts';

const DAMAGED = ['SQLITE_CORRUPT', 'SQLITE_NOTADB'];
const FAULTS = [
  ...DAMAGED,
  'SQLITE_FULL',
  'SQLITE_BUSY',
  'SQLITE_IOERR',
  'SQLITE_NOMEM',
  'SQLITE_LOCKED',
  'SQLITE_PROTOCOL',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
];

const beginsWith = (code: string, beginnings: readonly string[]): boolean =>
  beginnings.some((beginning) => code.startsWith(beginning));

/** Returns the code of a fault of the store itself, after which a call may be retried; null for any other error. */
export function faultCode(error: unknown): string | null {
  if (error instanceof Sqlite.SqliteError) return beginsWith(error.code, FAULTS) ? error.code : null;
  // An error of the operating system has the call that failed, as when pages are overwritten in the file itself.
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return syscall === undefined ? null : (code ?? null);
}

/** Turns a fault of the store into an error for the caller; returns other errors unchanged. */
export function asUnavailable(error: unknown, fails: 'accept data' | 'be read'): unknown {
  const code = faultCode(error);
  if (code === null) return error;
  const text = beginsWith(code, DAMAGED)
    ? `the store is damaged (${code}); retry after it was restored`
    : `the store cannot ${fails} at the moment (${code}); retry later`;
  return new AppError('unavailable', text, { fault: code });
}
