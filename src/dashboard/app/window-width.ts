import { useSyncExternalStore } from 'react';

/** Widths of the window, in CSS pixels, from which more fits beside each other. */
const PANES = '(min-width: 720px)';
const RAIL = '(min-width: 1024px)';
const WIDE = '(min-width: 1280px)';

export type WindowWidth = 'phone' | 'narrow' | 'rail' | 'wide';

const queries = [PANES, RAIL, WIDE].map((query) => matchMedia(query));

function subscribe(onChange: () => void): () => void {
  for (const query of queries) query.addEventListener('change', onChange);
  return () => {
    for (const query of queries) query.removeEventListener('change', onChange);
  };
}

const read = (): WindowWidth =>
  (['phone', 'narrow', 'rail', 'wide'] as const)[queries.filter(({ matches }) => matches).length] ?? 'wide';

/** Returns how wide the window is, and again whenever that changes. */
export const useWindowWidth = (): WindowWidth => useSyncExternalStore(subscribe, read);
