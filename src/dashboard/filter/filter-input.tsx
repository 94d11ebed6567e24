import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useShortcuts } from '../app/shortcuts.ts';
import { formatWhole } from '../format/number.ts';
import { classNames } from '../ui/class-names.ts';
import { Kbd } from '../ui/kbd.tsx';
import { added } from './line.ts';
import { type FilteredScreen, type LineChoice, useSuggestions } from './use-suggestions.ts';

interface FilterInputProps {
  screen: FilteredScreen;
  /** The terms before what is written. */
  line: string;
  onChange: (line: string) => void;
  /** Removes the last term, and returns its text. */
  onOpenLast: () => string;
}

/** Input for one term, with suggestions. */
export function FilterInput(props: FilterInputProps): ReactNode {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const writing = useWriting(props);
  const { draft, isOpen, choices, chosen, write, show, leave, take, press } = writing;
  useShortcuts([{ keys: '/', label: 'Filter', group: 'List', run: () => input.current?.focus() }]);
  return (
    <div className="relative min-w-[160px] grow max-[719px]:static">
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label="Filter"
        aria-expanded={choices.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={choices[chosen] ? `${id}-${chosen}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={props.line === '' ? 'error:yes duration:>2s, or words' : ''}
        className="h-[22px] w-full bg-transparent pr-6 font-mono text-label outline-none"
        value={draft}
        onChange={({ target }) => write(target.value)}
        onFocus={show}
        onBlur={leave}
        onKeyDown={press}
      />
      <span className="pointer-events-none absolute top-[3px] right-1 text-dim max-[719px]:hidden">
        <Kbd keys="/" />
      </span>
      <div role="status" className="sr-only">
        {isOpen && suggestionsText(choices.length)}
      </div>
      <Suggestions id={id} choices={choices} chosen={chosen} onTake={take} />
    </div>
  );
}

const suggestionsText = (count: number): string =>
  count === 0 ? 'No suggestions' : `${count} ${count === 1 ? 'suggestion' : 'suggestions'}`;

/** Holds what is written and the suggestions for it. */
function useWriting({ screen, line, onChange, onOpenLast }: FilterInputProps) {
  const [draft, setDraft] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const choices = useSuggestions(screen, line, draft, isOpen);
  const write = (text: string): void => {
    setDraft(text);
    setOpen(true);
    setChosen(-1);
  };
  const run = (): void => {
    setOpen(false);
    if (draft.trim() === '') return;
    setDraft('');
    onChange(added(line, draft));
  };
  const take = (choice: LineChoice): void => {
    setChosen(-1);
    setDraft(choice.draft ?? '');
    if (choice.draft === null) onChange(choice.line);
  };
  const keys: Readonly<Record<string, (event: KeyboardEvent<HTMLInputElement>) => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => (choices[chosen] ? take(choices[chosen]) : run()),
    Tab: () => take((choices[chosen] ?? choices[0]) as LineChoice),
    Escape: ({ currentTarget }) => (isOpen ? setOpen(false) : currentTarget.blur()),
    Backspace: () => write(onOpenLast()),
  };
  const move = (by: number): void => {
    setOpen(true);
    const count = choices.length;
    if (count > 0) setChosen(chosen === -1 && by === -1 ? count - 1 : (chosen + by + count) % count);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    const { key, shiftKey } = event;
    // Tab leaves the filter unless something is written that it can complete; Backspace opens the last term if nothing is.
    if (key === 'Tab' && (shiftKey || choices.length === 0 || (draft === '' && chosen === -1))) return;
    if (key === 'Backspace' && (draft !== '' || line === '')) return;
    const handle = keys[key];
    if (!handle) return;
    event.preventDefault();
    handle(event);
  };
  return { draft, isOpen, choices, chosen, write, show: () => setOpen(true), leave: run, take, press };
}

interface SuggestionsProps {
  id: string;
  choices: readonly LineChoice[];
  chosen: number;
  onTake: (choice: LineChoice) => void;
}

function Suggestions({ id, choices, chosen, onTake }: SuggestionsProps): ReactNode {
  const groups = [...Map.groupBy([...choices.entries()], ([, { group }]) => group)];
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label="Suggestions"
      hidden={choices.length === 0}
      className="absolute top-[28px] left-0 z-30 max-h-[360px] w-[min(640px,90vw)] overflow-y-auto rounded-md border border-edge bg-page p-1 shadow-lg max-[719px]:fixed max-[719px]:inset-x-0 max-[719px]:top-auto max-[719px]:bottom-0 max-[719px]:max-h-[60vh] max-[719px]:w-full"
    >
      {groups.map(([group, members]) => (
        <div
          key={group}
          role="group"
          aria-label={group}
          className="border-b border-edge pb-1 last:border-b-0"
        >
          <div aria-hidden="true" className="px-2 pt-1 text-label text-dim">
            {group}
          </div>
          {members.map(([index, choice]) => (
            <Suggestion
              key={`${group} ${choice.text}`}
              id={`${id}-${index}`}
              choice={choice}
              isChosen={index === chosen}
              onTake={() => onTake(choice)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface SuggestionProps {
  id: string;
  choice: LineChoice;
  isChosen: boolean;
  onTake: () => void;
}

const Suggestion = ({ id, choice, isChosen, onTake }: SuggestionProps): ReactNode => (
  <div
    id={id}
    role="option"
    aria-selected={isChosen}
    tabIndex={-1}
    onMouseDown={(event) => {
      event.preventDefault();
      onTake();
    }}
    className={classNames(
      'flex cursor-pointer items-center gap-3 rounded-sm px-2 py-0.5 hover:bg-selection max-[719px]:min-h-[44px]',
      isChosen && 'bg-selection text-accent',
    )}
  >
    <span className="min-w-0 truncate font-mono text-label">{choice.text}</span>
    <span className="min-w-0 grow truncate text-label text-dim">{choice.hint}</span>
    {choice.count !== null && (
      <span className="shrink-0 text-label text-dim">{formatWhole(choice.count)}</span>
    )}
  </div>
);
