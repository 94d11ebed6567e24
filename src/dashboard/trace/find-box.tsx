import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { formatWhole } from '../format/number.ts';
import { useDelayedText } from '../ui/use-delayed-text.ts';

/** Milliseconds after the last letter at which a search starts. */
const WAIT_MS = 120;

interface FindBoxProps {
  ref: RefObject<HTMLInputElement | null>;
  value: string;
  matches: Uint32Array;
  selected: number;
  onChange: (text: string) => void;
  onMove: (by: 1 | -1) => void;
}

/** Finds spans by name, kind, model or id. `Enter` leads to the next match, `Esc` clears the search. */
export function FindBox({ ref, value, matches, selected, onChange, onMove }: FindBoxProps): ReactNode {
  const [text, setText] = useDelayedText(value, onChange, WAIT_MS);
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter') {
      event.preventDefault();
      if (text === value) onMove(event.shiftKey ? -1 : 1);
      else onChange(text);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      onChange('');
      setText('');
      event.currentTarget.blur();
    }
  };
  const at = matches.indexOf(selected);
  return (
    <span className="relative">
      <input
        ref={ref}
        type="search"
        value={text}
        aria-label="Find spans by name, kind, model or id"
        placeholder="Find in trace   /"
        className="h-[26px] w-[250px] rounded-md border border-edge bg-page pr-16 pl-2.5 text-ink [&::-webkit-search-cancel-button]:hidden"
        onChange={({ target }) => setText(target.value)}
        onKeyDown={press}
      />
      {value !== '' && (
        <span className="pointer-events-none absolute top-[3px] right-2 text-label text-dim">
          {at === -1 ? '' : `${formatWhole(at + 1)} of `}
          {formatWhole(matches.length)}
        </span>
      )}
    </span>
  );
}
