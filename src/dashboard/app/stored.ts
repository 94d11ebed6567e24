import { useSyncExternalStore } from 'react';

/** Preference of the person at this browser, kept in its storage. */
export interface Stored<T extends string> {
  read: () => T;
  write: (value: T) => void;
  subscribe: (onChange: () => void) => () => void;
}

/** Makes a preference with these values; anything else that storage holds counts as the first one. */
export function stored<const T extends string>(name: string, values: readonly [T, ...T[]]): Stored<T> {
  const key = `touchstone.${name}`;
  const listeners = new Set<() => void>();
  return {
    read: () => values.find((value) => value === localStorage.getItem(key)) ?? values[0],
    write: (value) => {
      localStorage.setItem(key, value);
      for (const listener of listeners) listener();
    },
    subscribe: (onChange) => {
      listeners.add(onChange);
      addEventListener('storage', onChange);
      return () => {
        listeners.delete(onChange);
        removeEventListener('storage', onChange);
      };
    },
  };
}

/** Returns the value of a preference, and again whenever it changes. */
export const useStored = <T extends string>({ subscribe, read }: Stored<T>): T =>
  useSyncExternalStore(subscribe, read);
