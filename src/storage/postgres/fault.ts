import { AppError } from '../../errors.ts';
import type { DoubtfulCommit } from './io-messages.ts';

/** An error of the database, with its SQLSTATE or the code of the connection's error. */
export class PostgresFault extends Error {
  readonly code: string;
  /** The statement; it contains no values. */
  readonly sql: string;
  /** Commit of which it is unknown whether it took place; null if none is in doubt. */
  readonly unknownCommit: DoubtfulCommit | null;

  constructor(message: string, code: string, sql: string, unknownCommit: DoubtfulCommit | null = null) {
    super(message);
    this.code = code;
    this.sql = sql;
    this.unknownCommit = unknownCommit;
  }
}

/** SQLSTATE of a statement that was stopped, mostly because it took too long. */
const STOPPED = '57014';
/** A deadlock, and a transaction that does not fit another one: it may be run again at once. */
const MAY_REPEAT = ['40001', '40P01'];
/** Beginnings of the codes of faults of the database itself, after which a call may be retried. */
const FAULTS = ['08', '25006', '25P03', '28', '3D', '40', '53', '55', '57', '58', 'XX'];
/** Codes of lost connections: ended by the server, of its protocol, or of the socket. */
const LOST = /^(?:08|25P03|57P0[1-5]|E[A-Z]|ERR_|TOUCHSTONE_)/;

const codeOf = (error: unknown): string | null => (error instanceof PostgresFault ? error.code : null);

/** Reports whether a transaction failed only because of others at the same time. */
export const mayRepeat = (error: unknown): boolean => MAY_REPEAT.includes(codeOf(error) ?? '');

/** Reports whether the connection on which it happened is of no more use. */
export const isLostConnection = (error: unknown): boolean => LOST.test(codeOf(error) ?? '');

/** Returns the code of a fault of the database itself; null for any other error. */
export function postgresFaultCode(error: unknown): string | null {
  const code = codeOf(error);
  if (code === null) return null;
  return isLostConnection(error) || FAULTS.some((beginning) => code.startsWith(beginning)) ? code : null;
}

/** Turns a fault of the database into an error for the caller; returns other errors unchanged. */
export function unavailableIfFault(error: unknown, fails: 'accept data' | 'be read'): unknown {
  const code = postgresFaultCode(error);
  if (code === null) return error;
  if (code === STOPPED && fails === 'be read')
    return new AppError('unavailable', 'the query took too long; narrow its filters');
  return new AppError('unavailable', `the store cannot ${fails} at the moment (${code}); retry later`, {
    fault: code,
  });
}
