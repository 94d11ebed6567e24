import { X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useShortcuts } from '../app/shortcuts.ts';
import { classNames } from '../ui/class-names.ts';
import { Kbd } from '../ui/kbd.tsx';
import { formatTerms, parseTerms, suggest, tracesQueryOf } from './filter.ts';

interface FilterLineProps {
  value: string;
  onChange: (line: string) => void;
  /** Values of a field that are in the list at present. */
  knownValues: (name: string) => readonly string[];
}

/** One line of text that filters the list, with suggestions, and the same filter as chips that can be removed. */
export function FilterLine({ value, onChange, knownValues }: FilterLineProps): ReactNode {
  const terms = parseTerms(value);
  const { problems } = tracesQueryOf(value, Date.now());
  const remove = (index: number): void => onChange(formatTerms(terms.filter((_, at) => at !== index)));
  return (
    <div className="flex min-h-[30px] flex-wrap items-center gap-2">
      <FilterInput
        value={value}
        onChange={onChange}
        knownValues={knownValues}
        hasProblem={problems.length > 0}
      />
      {terms.map(({ name, value: text }, index) => {
        const problem = problems.find(({ term }) => term.name === name && term.value === text)?.problem;
        return (
          <button
            key={`${index} ${name}`}
            type="button"
            title={problem === undefined ? 'Remove this filter' : `${name} ${problem}`}
            onClick={() => remove(index)}
            className={classNames(
              'inline-flex h-[22px] max-w-[260px] cursor-pointer items-center gap-1 rounded-md border px-2 text-label hover:bg-panel',
              problem === undefined ? 'border-edge' : 'border-fail text-fail',
            )}
          >
            <span className="truncate">
              {name === '' ? `“${text}”` : `${name}: ${text}`}
              {problem !== undefined && ` ${problem}`}
            </span>
            <X size={12} aria-hidden="true" className="shrink-0" />
            <span className="sr-only">Remove</span>
          </button>
        );
      })}
    </div>
  );
}

function FilterInput({ hasProblem, ...line }: FilterLineProps & { hasProblem: boolean }): ReactNode {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { draft, suggestions, chosen, type, show, leave, take, press } = useSuggestions(line);
  useShortcuts([{ keys: '/', label: 'Filter', group: 'List', run: () => input.current?.focus() }]);
  return (
    <div className="relative w-[min(430px,100%)]">
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label="Filter"
        aria-expanded={suggestions.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={chosen >= 0 && suggestions[chosen] ? `${id}-${chosen}` : undefined}
        aria-invalid={hasProblem}
        autoComplete="off"
        spellCheck={false}
        placeholder="errors:yes duration:>2s, or words"
        className="h-[30px] w-full rounded-md border border-edge bg-page pr-8 pl-2.5 font-mono text-label aria-invalid:border-fail"
        value={draft}
        onChange={({ target }) => type(target.value)}
        onFocus={show}
        onBlur={leave}
        onKeyDown={press}
      />
      <span className="pointer-events-none absolute top-[7px] right-2 text-dim">
        <Kbd keys="/" />
      </span>
      <Suggestions id={id} suggestions={suggestions} chosen={chosen} onTake={take} />
    </div>
  );
}

/** Holds what is typed and the suggestions for it. Arrow keys choose one, `Enter` takes it or sets the filter. */
function useSuggestions({ value, onChange, knownValues }: FilterLineProps) {
  const [draft, setDraft] = useState(value);
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  useEffect(() => setDraft(value), [value]);
  const suggestions = isOpen ? suggest(draft, knownValues) : [];
  const count = suggestions.length;
  const type = (text: string): void => {
    setDraft(text);
    setOpen(true);
    setChosen(-1);
  };
  const leave = (): void => {
    setOpen(false);
    if (draft.trim() !== value) onChange(draft.trim());
  };
  const take = (line: string): void => {
    setDraft(line);
    setChosen(-1);
    if (!line.endsWith(':')) onChange(line.trim());
  };
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const by = event.key === 'ArrowDown' ? 1 : -1;
      if (count > 0) setChosen((chosen + by + count + (chosen === -1 && by === -1 ? 1 : 0)) % count);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const suggestion = suggestions[chosen];
      if (suggestion) {
        take(suggestion.line);
        return;
      }
      setOpen(false);
      onChange(draft.trim());
    } else if (event.key === 'Escape') {
      if (isOpen && count > 0) setOpen(false);
      else event.currentTarget.blur();
    }
  };
  return { draft, suggestions, chosen, type, show: () => setOpen(true), leave, take, press };
}

interface SuggestionsProps {
  id: string;
  suggestions: ReturnType<typeof suggest>;
  chosen: number;
  onTake: (line: string) => void;
}

const Suggestions = ({ id, suggestions, chosen, onTake }: SuggestionsProps): ReactNode => (
  <ul
    id={`${id}-list`}
    role="listbox"
    aria-label="Suggestions"
    hidden={suggestions.length === 0}
    className="absolute top-[34px] z-30 max-h-[320px] w-full overflow-y-auto rounded-md border border-edge bg-page p-1"
  >
    {suggestions.map(({ line, text, hint }, index) => (
      <li
        key={text}
        id={`${id}-${index}`}
        role="option"
        aria-selected={index === chosen}
        onMouseDown={(event) => {
          event.preventDefault();
          onTake(line);
        }}
        className={classNames(
          'flex cursor-pointer items-center gap-3 rounded-sm px-2 py-0.5 hover:bg-selection',
          index === chosen && 'bg-selection text-accent',
        )}
      >
        <span className="truncate font-mono text-label">{text}</span>
        <span className="ml-auto shrink-0 text-label text-dim">{hint}</span>
      </li>
    ))}
  </ul>
);
