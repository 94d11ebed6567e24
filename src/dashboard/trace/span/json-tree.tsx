import { type ReactNode, useState } from 'react';
import { formatWhole } from '../../format/number.ts';
import { Button } from '../../ui/button.tsx';

/** Levels that open by themselves. */
const OPEN_LEVELS = 2;
/** Entries that a list or an object shows at first, and with each further step. */
const PAGE = 100;
/** Characters of a text that are shown at first. */
const MAX_TEXT = 2_000;

/** Shows a value as JSON whose lists and objects open and close. */
export const JsonTree = ({ value, label }: { value: unknown; label: string }): ReactNode => (
  <div role="group" aria-label={label} className="font-mono text-label leading-5 break-words">
    <Value value={value} level={0} />
  </div>
);

function Value({ value, level }: { value: unknown; level: number }): ReactNode {
  if (typeof value === 'string') return <Text text={value} />;
  if (typeof value !== 'object' || value === null) return <span className="text-tool">{String(value)}</span>;
  return <Entries value={value} level={level} />;
}

function Text({ text }: { text: string }): ReactNode {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > MAX_TEXT && !isWhole;
  return (
    <span className="text-retriever whitespace-pre-wrap">
      "{isLong ? text.slice(0, MAX_TEXT) : text}"
      {isLong && (
        <Button look="quiet" onClick={() => setWhole(true)}>
          … {formatWhole(text.length - MAX_TEXT)} more characters
        </Button>
      )}
    </span>
  );
}

function Entries({ value, level }: { value: object; level: number }): ReactNode {
  const [isOpen, setOpen] = useState(level < OPEN_LEVELS);
  const [shown, setShown] = useState(PAGE);
  const isList = Array.isArray(value);
  const entries = Object.entries(value as Record<string, unknown>);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0) return `${open}${close}`;
  const noun = `${isList ? 'item' : 'member'}${entries.length === 1 ? '' : 's'}`;
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        className="cursor-pointer text-dim hover:text-ink"
        onClick={() => setOpen(!isOpen)}
      >
        <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> {open}
        {!isOpen && ` ${formatWhole(entries.length)} ${noun} ${close}`}
      </button>
      {isOpen && (
        <>
          <div className="border-l border-line pl-4">
            {entries.slice(0, shown).map(([key, member]) => (
              <div key={key}>
                {!isList && <span className="text-ink">{key}: </span>}
                <Value value={member} level={level + 1} />
              </div>
            ))}
            {entries.length > shown && (
              <Button look="quiet" onClick={() => setShown(shown + PAGE)}>
                … {formatWhole(entries.length - shown)} more
              </Button>
            )}
          </div>
          <span className="text-dim">{close}</span>
        </>
      )}
    </>
  );
}
