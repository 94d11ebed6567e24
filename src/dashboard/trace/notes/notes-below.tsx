import type { ReactNode } from 'react';
import type { Note } from '../../../api/generated/schema.ts';
import { classNames } from '../../ui/class-names.ts';
import { NoteItem } from './note-item.tsx';
import { useTraceNotes } from './trace-notes-context.ts';

interface NotesBelowProps {
  /** Spans that the notes may be about; null stands for the complete trace. */
  spanIds: readonly (string | null)[];
  /** Chooses among the notes on these spans. Default: all. */
  has?: (note: Note) => boolean;
  /** Names the list to screen readers. */
  label: string;
  isAnswer?: boolean;
}

/** The notes on what stands above. */
export function NotesBelow({ spanIds, has, label, isAnswer = false }: NotesBelowProps): ReactNode {
  const trace = useTraceNotes();
  const shown = trace?.notes.filter((note) => spanIds.includes(note.spanId) && (has?.(note) ?? true)) ?? [];
  if (trace === null || shown.length === 0) return null;
  return (
    <ul aria-label={label} className={classNames('grid grid-cols-1 gap-2', isAnswer && 'min-[1024px]:ml-12')}>
      {shown.map((note) => (
        <li
          key={note.id}
          className="grid grid-cols-1 gap-1 rounded-md border border-line bg-panel px-2.5 py-1.5"
        >
          <NoteItem note={note} trace={trace} />
        </li>
      ))}
    </ul>
  );
}
