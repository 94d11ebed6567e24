import type { ReactNode } from 'react';
import { formatMoment } from '../format/time.ts';
import { withTerm } from './line.ts';

interface SearchNoteProps {
  /** Part of the response about the search through steps. */
  searched: { from: string | null; isComplete: boolean } | undefined;
  line: string;
  onChange: (line: string) => void;
}

/** Says how far the texts of steps were searched, if that was not to the end. */
export function SearchNote({ searched, line, onChange }: SearchNoteProps): ReactNode {
  const from = searched?.isComplete === false ? searched.from : null;
  if (from === null) return null;
  return (
    <p className="px-4 py-1 text-label text-dim" role="status">
      Text searched from {formatMoment(from)}.{' '}
      <button
        type="button"
        className="cursor-pointer text-accent underline"
        onClick={() => onChange(withTerm(line, `to:${from}`, ['to']))}
      >
        Search older
      </button>
    </p>
  );
}
