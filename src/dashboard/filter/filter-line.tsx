import { Filter, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { FilterFault } from '../../filter/tokens.ts';
import { classNames } from '../ui/class-names.ts';
import { FilterInput } from './filter-input.tsx';
import { asText, corrected, replaced, termsOf, without, type WrittenTerm } from './line.ts';
import type { FilteredScreen } from './use-suggestions.ts';

interface FilterLineProps {
  screen: FilteredScreen;
  line: string;
  onChange: (line: string) => void;
  faults: readonly FilterFault[];
  /** True if the list below is that of the previous filter. */
  keepsList: boolean;
}

/** The filter of a list: its terms, a place to write another one, and what is wrong with them. */
export function FilterLine({ screen, line, onChange, faults, keepsList }: FilterLineProps): ReactNode {
  const terms = termsOf(line);
  const last = terms.at(-1);
  return (
    <div className="min-w-0">
      <div className="flex min-h-[32px] flex-wrap items-center gap-1.5 rounded-md border border-edge bg-page px-2 py-[3px] focus-within:border-accent">
        <Filter size={13} aria-hidden="true" className="shrink-0 text-dim" />
        {terms.map((term) => (
          <Term
            key={term.start}
            term={term}
            fault={faults.find(({ start, end }) => start < term.end && end > term.start)}
            onRemove={() => onChange(without(line, term))}
          />
        ))}
        <FilterInput
          screen={screen}
          line={line}
          onChange={onChange}
          onOpenLast={() => {
            if (last) onChange(without(line, last));
            return last?.text ?? '';
          }}
        />
      </div>
      <Faults line={line} faults={faults} keepsList={keepsList} onChange={onChange} />
    </div>
  );
}

interface TermProps {
  term: WrittenTerm;
  fault: FilterFault | undefined;
  onRemove: () => void;
}

const Term = ({ term, fault, onRemove }: TermProps): ReactNode => (
  <button
    type="button"
    title={fault?.message ?? 'Remove this term'}
    onClick={onRemove}
    className={classNames(
      'inline-flex h-[22px] max-w-[260px] min-w-0 cursor-pointer items-center gap-1 rounded-md border px-1.5 font-mono text-label hover:bg-panel',
      fault ? 'border-fail text-fail' : 'border-edge',
    )}
  >
    <span className="truncate">{term.text}</span>
    <X size={11} aria-hidden="true" className="shrink-0" />
    <span className="sr-only">{fault ? `${fault.message}. Remove` : 'Remove'}</span>
  </button>
);

function Faults({ line, faults, keepsList, onChange }: Omit<FilterLineProps, 'screen'>): ReactNode {
  if (faults.length === 0) return null;
  return (
    <div role="alert" className="text-label text-fail">
      {faults.map((fault) => (
        <p key={fault.start} className="pt-1 [overflow-wrap:anywhere]">
          {fault.message}.{keepsList && ' The list still shows the previous filter.'}{' '}
          <Corrections line={line} fault={fault} onChange={onChange} />
        </p>
      ))}
    </div>
  );
}

/** Offers what would be right in place of a fault. */
function Corrections({
  line,
  fault,
  onChange,
}: {
  line: string;
  fault: FilterFault;
  onChange: (line: string) => void;
}): ReactNode {
  const text = asText(line.slice(fault.start, fault.end));
  const isUnknown = fault.message.startsWith('Unknown field') && fault.suggestion !== text;
  if (fault.suggestion === null) return null;
  return (
    <>
      Did you mean <Correction text={fault.suggestion} onChoose={() => onChange(corrected(line, fault))} />
      {isUnknown && (
        <>
          , or search for the text{' '}
          <Correction text={text} onChoose={() => onChange(replaced(line, fault, text))} />
        </>
      )}
      ?
    </>
  );
}

const Correction = ({ text, onChoose }: { text: string; onChoose: () => void }): ReactNode => (
  <button type="button" onClick={onChoose} className="cursor-pointer font-mono text-accent underline">
    {text}
  </button>
);
