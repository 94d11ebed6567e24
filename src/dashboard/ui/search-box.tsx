import { type ReactNode, useRef } from 'react';
import { useShortcuts } from '../app/shortcuts.ts';
import { useDelayedText } from './use-delayed-text.ts';

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
  const [text, setText] = useDelayedText(value, onChange, WAIT_MS);
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
