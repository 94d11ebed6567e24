import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { Note } from '../../../api/generated/schema.ts';
import { type ReadAnswer, useApi } from '../../api/use-api.ts';
import { Button } from '../../ui/button.tsx';
import { ShowEarlier } from '../../ui/show-earlier.tsx';
import { classNames } from '../../ui/class-names.ts';
import { NoteItem } from './note-item.tsx';
import { quotableText } from './noted-span.ts';
import { placesOfWords } from './quoted-words.ts';
import { useTraceNotes } from './trace-notes-context.ts';

/** Spans that are searched for the words of notes. */
const MAX_SPANS = 50;

/** All notes on the trace, also those whose words are gone. */
export function NotesTab({ spanId }: { spanId: string }): ReactNode {
  const trace = useTraceNotes();
  const lost = useLostWords(trace?.traceId ?? '', trace?.notes ?? []);
  if (trace === null) return null;
  const { notes, total, opened } = trace;
  return (
    <div className="grid grid-cols-1 gap-3">
      <ShowEarlier
        shown={notes.length}
        total={total}
        step={100}
        isBusy={trace.showEarlier === null}
        what="notes"
        onMore={() => trace.showEarlier?.()}
      />
      <ul aria-label="Notes on the trace" className="grid grid-cols-1">
        {notes.map((note) => (
          <Item key={note.id} isOpened={note.id === opened}>
            <NoteItem note={note} trace={trace} isLost={lost.has(note.id)} />
          </Item>
        ))}
      </ul>
      {trace.mayWrite && (
        <div>
          <Button keys="w" onClick={() => trace.write({ spanId, words: null })}>
            Add note
          </Button>
        </div>
      )}
    </div>
  );
}

function Item({ isOpened, children }: { isOpened: boolean; children: ReactNode }): ReactNode {
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isOpened) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpened]);
  return (
    <li
      ref={item}
      aria-current={isOpened}
      className={classNames(
        'grid grid-cols-1 gap-1 border-b border-line px-1 py-2 first:pt-1',
        isOpened && 'bg-selection',
      )}
    >
      {children}
    </li>
  );
}

/** Returns the ids of notes whose words the text of their span no longer contains. */
function useLostWords(traceId: string, notes: readonly Note[]): ReadonlySet<string> {
  const quoting = notes.filter(({ quote, spanId }) => quote !== null && spanId !== null);
  const spanId = [...new Set(quoting.flatMap((note) => note.spanId ?? []))].slice(0, MAX_SPANS).toSorted();
  const spans = useApi(
    '/v0/traces/{id}/spans',
    { path: { id: traceId }, query: { spanId, include: 'payload' as const, limit: MAX_SPANS } },
    { enabled: spanId.length > 0 },
  );
  const { data } = spans.data ?? {};
  return useMemo(() => {
    const texts = new Map((data ?? []).map((span) => [span.id, textsOf(span)]));
    const lost = notes.filter(({ quote, spanId: id }) => {
      const text = id === null ? undefined : texts.get(id);
      return quote !== null && text !== undefined && placesOfWords(text, quote).length === 0;
    });
    return new Set(lost.map(({ id }) => id));
  }, [data, notes]);
}

/** Returns everything that a span shows as its input and output. */
const textsOf = ({ mapped }: ReadAnswer<'/v0/traces/{id}/spans'>['data'][number]): string =>
  ['input', 'inputMessages', 'documents', 'output', 'outputMessages']
    .flatMap((field) => stringsOf(mapped?.fields[field]?.value))
    .join(' ');

/** Returns the texts, names and numbers within a value in their order; JSON within a text counts as text. */
function stringsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [quotableText(value)];
  return Object.entries(value).flatMap(([name, inner]) =>
    Array.isArray(value) ? stringsOf(inner) : [name, ...stringsOf(inner)],
  );
}
