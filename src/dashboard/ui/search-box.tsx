import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useShortcuts } from '../app/shortcuts.ts';

/** Milliseconds after the last letter at which a search starts. */
const WAIT_MS = 250;

interface SearchBoxProps {
  /** Explains what is searched, such as `Title or description`. */
  label: string;
  value: string;
  onChange: (text: string) => void;
}

/** Searches a list. `/` leads to it, `Esc` clears it. */
export function SearchBox({ label, value, onChange }: SearchBoxProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onChange(text), WAIT_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  useShortcuts([{ keys: '/', label: 'Search', group: 'List', run: () => input.current?.focus() }]);
  return (
    <input
      ref={input}
      type="search"
      value={text}
      aria-label={label}
      placeholder={`${label}   /`}
      maxLength={200}
      className="h-[26px] w-[240px] rounded-md border border-edge bg-page px-2.5 text-ink"
      onChange={({ target }) => setText(target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        setText('');
        event.currentTarget.blur();
      }}
    />
  );
}
