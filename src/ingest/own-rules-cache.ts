import { createShortCache } from '../runtime/short-cache.ts';
import type { Read } from '../storage/calls.ts';
import { appliedOwnRules } from '../traces/calls.ts';
import type { AppliedOwnRules } from '../traces/own-rules/store.ts';

/** Milliseconds for which rules that another process changed may still apply. */
const CACHE_MS = 1_000;
const MAX_CACHED = 10_000;

export interface OwnRulesCache {
  /** Returns own mapping rules and prices of an application; null without any. */
  of: (application: number) => Promise<AppliedOwnRules | null>;
  forget: (application: number) => void;
}

/** Remembers the own rules of applications for a second. */
export function createOwnRulesCache(read: Read): OwnRulesCache {
  const cache = createShortCache(
    (application) => read(appliedOwnRules, { application: Number(application) }),
    {
      ageMs: CACHE_MS,
      maxEntries: MAX_CACHED,
      elapsed: () => performance.now(),
    },
  );
  return {
    of: (application) => cache.get(String(application)),
    forget: (application) => cache.forget(String(application)),
  };
}
