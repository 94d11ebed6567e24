import { useEffect, useRef, useSyncExternalStore } from 'react';
import { stored } from './stored.ts';

export interface Shortcut {
  /** Keys as the help shows them: `j`, `?`, `Ctrl K`, `g t` (one after the other), `Shift R`, `Esc`. */
  keys: string;
  label: string;
  /** Heading in the help. */
  group: string;
  run: () => void;
}

/** People who use speech recognition switch single letters off. */
export const singleKeys = stored('single-keys', ['on', 'off']);

/** Time in which the second key of a sequence must follow, in milliseconds. */
const SEQUENCE_MS = 1_500;

let registered: readonly (readonly Shortcut[])[] = [];
const listeners = new Set<() => void>();
let prefix: { key: string; at: number } | null = null;

function register(shortcuts: readonly Shortcut[]): () => void {
  registered = [...registered, shortcuts];
  for (const listener of listeners) listener();
  return () => {
    registered = registered.filter((other) => other !== shortcuts);
    for (const listener of listeners) listener();
  };
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns everything that the keyboard can do at present. */
export const useRegisteredShortcuts = (): readonly Shortcut[] =>
  useSyncExternalStore(subscribe, () => registered).flat();

/** Makes shortcuts work as long as the component is shown. Of two for the same keys, the one shown last works. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  const names = shortcuts.map(({ keys, label, group }) => `${keys}\n${label}\n${group}`).join('\n\n');
  useEffect(
    () =>
      register(
        latest.current.map(({ keys, label, group }, index) => ({
          keys,
          label,
          group,
          run: () => latest.current[index]?.run(),
        })),
      ),
    [names],
  );
}

/** Runs the shortcut of a key, unless it is typed into a field or belongs to an open dialog. */
export function handleKey(event: KeyboardEvent): void {
  const key = nameOf(event);
  if (key === null || event.defaultPrevented || event.isComposing) return;
  const isModified = key.startsWith('Ctrl ');
  if (!isModified && (isTyping(event.target) || isInPopup(event.target))) return;
  if (key === 'Enter' && isPressable(event.target)) return;
  if (key.length === 1 && singleKeys.read() === 'off') return;
  const sequence =
    prefix !== null && event.timeStamp - prefix.at < SEQUENCE_MS ? `${prefix.key} ${key}` : null;
  prefix = null;
  const shortcut = (sequence !== null && find(sequence)) || find(key);
  if (shortcut) {
    event.preventDefault();
    shortcut.run();
  } else if (registered.flat().some(({ keys }) => keys.startsWith(`${key} `))) {
    prefix = { key, at: event.timeStamp };
  }
}

const find = (keys: string): Shortcut | undefined => registered.flat().findLast((one) => one.keys === keys);

/** Returns the name of a key as shortcuts write it; null for one that only modifies others. */
function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string | null {
  if (['Control', 'Meta', 'Shift', 'Alt'].includes(key)) return null;
  if (altKey) return null;
  if (ctrlKey || metaKey) return `Ctrl ${key.length === 1 ? key.toUpperCase() : key}`;
  if (key === 'Escape') return 'Esc';
  return shiftKey && /^[A-Z]$/.test(key) ? `Shift ${key}` : key;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && ['checkbox', 'radio', 'button'].includes(target.type));

/** `Enter` presses what has the focus. */
const isPressable = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('button, a[href], summary') !== null;

/** Dialogs and menus have keys of their own. */
const isInPopup = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]') !== null;
