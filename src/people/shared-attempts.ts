import { createHmac } from 'node:crypto';
import type { Write } from '../storage/calls.ts';
import { type AttemptLimit, type SignInSubject, tooManyAttempts } from './attempt-limit.ts';
import type { HashedSubject } from './attempt-store.ts';
import { beginAttempt, endAttempt } from './calls.ts';

/** Subjects that had to wait lately are rejected for so long without a look into the store, which spares it floods. */
const REMEMBERED_MS = 1_000;
const MAX_REMEMBERED = 10_000;

interface SharedAttemptOptions {
  write: Write;
  /** Secret by which names of accounts and networks become hashes. */
  secret: Uint8Array;
  /** Returns Unix milliseconds. */
  now: () => number;
}

/** Creates the limit of all processes that share a store: attempts at any of them count together. */
export function createSharedAttemptLimit({ write, secret, now }: SharedAttemptOptions): AttemptLimit {
  /** Time until which attempts wait, by the combination of their subjects. */
  const waiting = new Map<string, { until: number; seenAt: number }>();

  const rememberedWait = (name: string): number => {
    const known = waiting.get(name);
    if (known === undefined) return 0;
    const age = now() - known.seenAt;
    if (age >= 0 && age < REMEMBERED_MS) return known.until - now();
    waiting.delete(name);
    return 0;
  };
  const remember = (name: string, waitMs: number): void => {
    const [oldest] = waiting.keys();
    if (waiting.size >= MAX_REMEMBERED && oldest !== undefined) waiting.delete(oldest);
    waiting.set(name, { until: now() + waitMs, seenAt: now() });
  };

  return {
    begin: async (given) => {
      const subjects = given.map((subject) => hashed(subject, secret));
      const name = given.map((subject) => subject.name).join('\n');
      const known = rememberedWait(name);
      if (known > 0) throw tooManyAttempts(known);
      const begun = await write(beginAttempt, { subjects, now: now() });
      if ('waitMs' in begun) {
        remember(name, begun.waitMs);
        throw tooManyAttempts(begun.waitMs);
      }
      let isOver = false;
      const takeBack = async (isForgotten: (subject: SignInSubject) => boolean): Promise<void> => {
        if (isOver) return;
        isOver = true;
        const ended = given.map((subject) => ({
          ...hashed(subject, secret),
          isForgotten: isForgotten(subject),
        }));
        await write(endAttempt, { subjects: ended, begun });
        waiting.delete(name);
      };
      return {
        // It has counted as a failure since it began.
        failed: async () => {
          isOver = true;
        },
        succeeded: () => takeBack(({ isAccount }) => isAccount),
        end: () => takeBack(() => false),
      };
    },
  };
}

const hashed = ({ name, free }: SignInSubject, secret: Uint8Array): HashedSubject => ({
  hash: createHmac('sha256', secret).update(name).digest(),
  free,
});
