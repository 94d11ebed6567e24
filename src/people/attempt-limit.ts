import { AppError } from '../errors.ts';

/** Accounts and networks that are remembered; those that tried longest ago are forgotten first. */
const MAX_REMEMBERED = 10_000;
/** Milliseconds after which failures are forgotten. */
export const FORGET_MS = 60 * 60_000;
/** Wait after the last attempt that is free; it doubles with each further failure. */
const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 15 * 60_000;
/** Wait while as many attempts are being checked as are free. */
const PENDING_WAIT_MS = 5_000;

/** Someone who tries to sign in, as it is counted. */
export interface SignInSubject {
  /** Name under which failures are counted. */
  name: string;
  /** Failures that cost no wait. */
  free: number;
  /**
   * The subject is one account, whose failures are forgotten when someone proves to be its owner. A network also has others,
   * so that one of them with a valid key could otherwise guess forever.
   */
  isAccount: boolean;
}

/** An attempt whose credentials are being checked. Its functions throw `unavailable` if the store rejects the outcome. */
export interface SignInAttempt {
  /** The credentials were wrong. */
  failed: () => Promise<void>;
  /** The credentials were right: failures of the account are forgotten. */
  succeeded: () => Promise<void>;
  /** Ends an attempt that was not checked; without effect after the others. */
  end: () => Promise<void>;
}

/** Makes those who fail wait: longer with each failure, but never for good. */
export interface AttemptLimit {
  /**
   * Begins an attempt that counts for each of the subjects. Throws AppError `rate_limited` while one of them has to wait,
   * which counts as no attempt.
   */
  begin: (subjects: readonly SignInSubject[]) => Promise<SignInAttempt>;
}

interface Entry {
  failures: number;
  /** Attempts that are being checked; each may fail. */
  pending: number;
  failedAt: number;
  waitUntil: number;
}

const NOTHING: Readonly<Entry> = { failures: 0, pending: 0, failedAt: 0, waitUntil: 0 };

/** Creates the limit of one process. `elapsed` is a clock that only runs forward, in milliseconds. */
export function createAttemptLimit(elapsed: () => number): AttemptLimit {
  const entries = new Map<string, Entry>();

  const current = (name: string): Entry => {
    const entry = entries.get(name);
    if (!entry) return { ...NOTHING };
    return entry.pending === 0 && elapsed() - entry.failedAt > FORGET_MS ? { ...NOTHING } : entry;
  };

  const remember = (name: string, entry: Entry): void => {
    entries.delete(name);
    if (entry.failures === 0 && entry.pending === 0) return;
    if (entries.size >= MAX_REMEMBERED) dropOldest(entries);
    entries.set(name, entry);
  };

  const change = ({ name }: SignInSubject, by: (entry: Entry) => void): void => {
    const entry = current(name);
    by(entry);
    remember(name, entry);
  };

  return {
    begin: async (subjects) => {
      const at = elapsed();
      const waits = subjects.map(({ name, free }) => {
        const { failures, pending, waitUntil } = current(name);
        // Attempts at the same time could otherwise all count as the first one.
        return Math.max(waitUntil - at, failures + pending >= free && pending > 0 ? PENDING_WAIT_MS : 0);
      });
      const wait = Math.max(0, ...waits);
      if (wait > 0) throw tooManyAttempts(wait);
      for (const subject of subjects) change(subject, (entry) => (entry.pending += 1));
      let isOver = false;
      const end = (outcome: (entry: Entry, subject: SignInSubject) => void): void => {
        if (isOver) return;
        isOver = true;
        for (const subject of subjects)
          change(subject, (entry) => {
            entry.pending = Math.max(0, entry.pending - 1);
            outcome(entry, subject);
          });
      };
      return {
        failed: async () => end((entry, { free }) => fail(entry, free, elapsed())),
        succeeded: async () =>
          end((entry, { isAccount }) => {
            if (isAccount) Object.assign(entry, { failures: 0, waitUntil: 0 });
          }),
        end: async () => end(() => undefined),
      };
    },
  };
}

function fail(entry: Entry, free: number, at: number): void {
  entry.failures += 1;
  entry.failedAt = at;
  const wait = waitAfter(entry.failures, free);
  if (wait > 0) entry.waitUntil = at + wait;
}

/** Returns the wait in milliseconds after so many failures; 0 for those that are free. */
export function waitAfter(failures: number, free: number): number {
  const beyond = failures - free;
  return beyond < 0 ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(beyond, 20));
}

/** Deletes the entry that was changed longest ago, of those without an attempt in progress if there is one. */
function dropOldest(entries: Map<string, Entry>): void {
  for (const [name, { pending }] of entries)
    if (pending === 0) {
      entries.delete(name);
      return;
    }
  const [oldest] = entries.keys();
  if (oldest !== undefined) entries.delete(oldest);
}

/** Returns the error for attempts that must wait. */
export const tooManyAttempts = (waitMs: number): AppError =>
  new AppError('rate_limited', 'Too many failed attempts to sign in', {
    retryAfter: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
