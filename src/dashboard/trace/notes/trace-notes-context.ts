import { createContext, useContext } from 'react';
import type { Note } from '../../../api/generated/schema.ts';
import type { NotableText } from './noted-span.ts';
import type { Marks } from './marks.ts';

/** Words of a text that a note quotes. */
export type QuotedWords = Required<Pick<Note, 'start' | 'end' | 'quote'>> & Pick<NotableText, 'field'>;

/** Subject of a new note. */
export interface NoteTarget {
  /** Null for the complete trace. */
  spanId: string | null;
  words: QuotedWords | null;
  /** Part of the selected words that the note does not quote. */
  leftOut?: 'LONG' | 'OTHER_TEXTS';
}

/** Notes of the trace that is open, and what can be done with them. */
export interface TraceNotes {
  traceId: string;
  /** The newest notes, the last one last. */
  notes: readonly Note[];
  total: number;
  /** Reads earlier notes too; null while notes are read. */
  showEarlier: (() => void) | null;
  mayWrite: boolean;
  /** Texts on the page by the elements that show them. */
  texts: Map<HTMLElement, NotableText>;
  marks: Marks;
  /** Note that was opened by its words; null for none. */
  opened: string | null;
  write: (target: NoteTarget) => void;
  edit: (note: Note) => void;
  remove: (note: Note) => void;
  addToIssue: (note: Note) => void;
  /** Shows a note in its tab. */
  open: (noteId: string) => void;
  /** Shows the words of a note, or the span that has them. */
  showWords: (note: Note) => void;
  /** Returns what a note is about, in words. */
  placeOf: (of: Pick<Note, 'spanId' | 'field'>) => string;
}

export const TraceNotesContext = createContext<TraceNotes | null>(null);

/** Returns the notes of the open trace; null on pages without them. */
export const useTraceNotes = (): TraceNotes | null => useContext(TraceNotesContext);
