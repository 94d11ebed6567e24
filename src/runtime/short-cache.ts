/** Remembers what was found for a short time. Look-ups of one key that happen at the same time share one result. */
export interface ShortCache<T> {
  get: (key: string) => Promise<T>;
  forget: (key: string) => void;
  clear: () => void;
}

interface Options {
  /** Milliseconds for which a result may be used. */
  ageMs: number;
  maxEntries: number;
  /** A clock that only runs forward. */
  elapsed: () => number;
}

export function createShortCache<T>(
  find: (key: string) => Promise<T>,
  { ageMs, maxEntries, elapsed }: Options,
): ShortCache<T> {
  const entries = new Map<string, { value: Promise<T>; until: number }>();
  return {
    get: (key) => {
      const cached = entries.get(key);
      if (cached && cached.until > elapsed()) return cached.value;
      // The age of a result counts from the start of its look-up.
      const entry = { value: find(key), until: elapsed() + ageMs };
      entry.value.catch(() => {
        if (entries.get(key) === entry) entries.delete(key);
      });
      entries.delete(key);
      const [oldest] = entries.keys();
      if (entries.size >= maxEntries && oldest !== undefined) entries.delete(oldest);
      entries.set(key, entry);
      return entry.value;
    },
    forget: (key) => entries.delete(key),
    clear: () => entries.clear(),
  };
}
