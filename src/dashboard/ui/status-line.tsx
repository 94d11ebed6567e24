import { type ReactNode, useEffect, useSyncExternalStore } from 'react';

/** Time that a message stays, in milliseconds. */
const SHOWN_MS = 4_000;

let message = '';
const listeners = new Set<() => void>();

function set(text: string): void {
  message = text;
  for (const listener of listeners) listener();
}

/** Says briefly that something was done, on the screen and to screen readers. */
export const announce = (text: string): void => set(text);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function StatusLine(): ReactNode {
  const text = useSyncExternalStore(subscribe, () => message);
  useEffect(() => {
    if (text === '') return undefined;
    const timer = setTimeout(() => set(''), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 bottom-4 z-50 flex justify-center">
      {text !== '' && <span className="rounded-md bg-ink px-3 py-1.5 text-page">{text}</span>}
    </div>
  );
}
