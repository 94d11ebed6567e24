import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { selectedWords } from './selected-words.ts';
import { useTraceNotes } from './trace-notes-context.ts';

/** Writes a note on the selected words, or on the selected span. */
export function AddNoteButton({ spanId }: { spanId: string }): ReactNode {
  const trace = useTraceNotes();
  if (trace === null || !trace.mayWrite) return null;
  const { texts, write } = trace;
  return (
    <Button
      // The words stay selected.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => write(selectedWords(texts)?.target ?? { spanId, words: null })}
    >
      Add note
    </Button>
  );
}
