import { AppError } from '../errors.ts';

const WINDOW_MS = 60_000;
/** Accounts and addresses that are remembered; those that tried longest ago are forgotten first. */
const MAX_REMEMBERED = 10_000;

/** Limits attempts to sign in, by account and by address of the client. */
export interface AttemptLimit {
  /** Counts an attempt. Throws AppError `rate_limited` if there were too many within a minute. */
  count: (subject: string) => void;
  /** Forgets the attempts on a subject. */
  clear: (subject: string) => void;
}

export function createAttemptLimit(most: number, elapsed: () => number): AttemptLimit {
  const attempts = new Map<string, number[]>();
  return {
    count: (subject) => {
      const at = elapsed();
      const recent = (attempts.get(subject) ?? []).filter((time) => time > at - WINDOW_MS);
      const [first] = recent;
      attempts.delete(subject);
      const [oldest] = attempts.keys();
      if (attempts.size >= MAX_REMEMBERED && oldest !== undefined) attempts.delete(oldest);
      if (first !== undefined && recent.length >= most) {
        attempts.set(subject, recent);
        throw new AppError('rate_limited', `More than ${most} attempts to sign in within a minute`, {
          retryAfter: Math.max(1, Math.ceil((first + WINDOW_MS - at) / 1_000)),
        });
      }
      attempts.set(subject, [...recent, at]);
    },
    clear: (subject) => attempts.delete(subject),
  };
}
