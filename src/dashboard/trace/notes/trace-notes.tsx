import { type ReactNode, useCallback, useMemo, useState } from 'react';
import type { SpanIndex } from '../../../span-index/reader.ts';
import type { Note } from '../../../api/generated/schema.ts';
import { readNewest } from '../../api/read-newest.ts';
import { useAction, useCall } from '../../api/use-api.ts';
import { useShortcuts } from '../../app/shortcuts.ts';
import { AddToIssueDialog } from '../../issues/add-to-issue-dialog.tsx';
import { useMayAnnotate } from '../../issues/use-may-annotate.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { announce } from '../../ui/status-line.tsx';
import { Marks } from './marks.ts';
import type { NotableText } from './noted-span.ts';
import { draftOfNote, newNoteDraft, NoteDialog, useNoteDraft } from './note-dialog.tsx';
import { selectedWords } from './selected-words.ts';
import { SelectionButton } from './selection-button.tsx';
import { type NoteTarget, type TraceNotes, TraceNotesContext } from './trace-notes-context.ts';

/** Notes of a trace that are shown at first, and that one click adds. */
const NOTES_STEP = 100;
/** Characters of a note that become the title of a new issue at most. */
const MAX_TITLE = 120;

interface TraceNotesProviderProps {
  traceId: string;
  index: SpanIndex;
  /** Row of the span that gave the answer; -1 without one. */
  answer: number;
  /** Row that is selected. */
  row: number;
  /** Shows the tab of the notes. */
  onOpen: () => void;
  /** Shows the content of a span. */
  onShow: (spanId: string) => void;
  children: ReactNode;
}

/** Reads the notes of a trace for the page below, and has the dialogs that write, change and delete them. */
export function TraceNotesProvider(props: TraceNotesProviderProps): ReactNode {
  const { traceId, index, row, children } = props;
  const mayWrite = useMayAnnotate();
  const [count, setCount] = useState(NOTES_STEP);
  const { data: list, isFetching } = useNotesOf(traceId, count);
  const notes = useMemo(() => list?.data.toReversed() ?? [], [list]);
  const [texts] = useState(() => new Map<HTMLElement, NotableText>());
  const [marks] = useState(() => new Marks());
  const [draft, setDraft] = useNoteDraft();
  const [opened, setOpened] = useState<string | null>(null);
  const [removed, setRemoved] = useState<Note | null>(null);
  const [added, setAdded] = useState<Note | null>(null);
  const write = (target: NoteTarget): void => {
    if (mayWrite) setDraft(newNoteDraft(target));
  };
  const placeOf = usePlaceOf(props);
  useShortcuts(
    mayWrite
      ? [
          {
            keys: 'w',
            label: 'Add a note on the selected words or span',
            group: 'This trace',
            run: () => write(selectedWords(texts)?.target ?? { spanId: index.spanId(row), words: null }),
          },
        ]
      : [],
  );
  const trace: TraceNotes = {
    traceId,
    notes,
    total: list?.pagination.total ?? 0,
    showEarlier: isFetching ? null : () => setCount(count + NOTES_STEP),
    mayWrite,
    texts,
    marks,
    opened,
    write,
    edit: (note) => setDraft(draftOfNote(note)),
    remove: setRemoved,
    addToIssue: setAdded,
    open: (noteId) => {
      setOpened(noteId);
      props.onOpen();
    },
    showWords: (note) => {
      if (marks.show(note.id)) return;
      const shown = note.spanId ?? index.header.outputSpanId;
      if (shown === null) return;
      marks.showLater(note.id);
      props.onShow(shown);
    },
    placeOf,
  };
  return (
    <TraceNotesContext value={trace}>
      {children}
      {mayWrite && draft === null && <SelectionButton texts={texts} write={write} />}
      {draft !== null && (
        <NoteDialog
          trace={trace}
          draft={draft}
          onChange={setDraft}
          onClose={() => setDraft(null)}
          onAddToIssue={setAdded}
        />
      )}
      {added !== null && (
        <AddToIssueDialog
          links={{ noteIds: [added.id] }}
          count={1}
          source="HUMAN_ANNOTATION"
          suggestedTitle={titleOf(added)}
          staysHere
          onClose={() => setAdded(null)}
        />
      )}
      <DeleteNote note={removed} onClose={() => setRemoved(null)} />
    </TraceNotesContext>
  );
}

/** Returns the newest notes of a trace. */
const useNotesOf = (traceId: string, count: number) =>
  useCall(
    '/v0/notes',
    { query: { traceId: [traceId], count } },
    (api, signal) =>
      readNewest(count, (page) =>
        api.GET('/v0/notes', {
          params: { query: { traceId: [traceId], ...page, orderBy: 'createdAt', orderDir: 'desc' } },
          signal,
        }),
      ),
    { keepsRows: true },
  );

/** Returns the first line of a note as the title of an issue. */
const titleOf = ({ text }: Note): string => (text.split('\n', 1)[0] ?? '').slice(0, MAX_TITLE).trim();

function DeleteNote({ note, onClose }: { note: Note | null; onClose: () => void }): ReactNode {
  const remove = useAction(['/v0/notes'], (api, id: string) =>
    api.DELETE('/v0/notes/{id}', { params: { path: { id } } }),
  );
  const close = (): void => {
    remove.reset();
    onClose();
  };
  return (
    <Confirm
      isOpen={note !== null}
      title="Delete the note?"
      action="Delete"
      isBusy={remove.isPending}
      error={remove.error}
      onClose={close}
      onConfirm={() =>
        note &&
        remove.mutate(note.id, {
          onSuccess: () => {
            announce('Note deleted');
            close();
          },
        })
      }
    >
      {note?.issueId === null
        ? 'It cannot be restored.'
        : 'It cannot be restored. The trace stays linked to the issue of the note.'}
    </Confirm>
  );
}

/** Returns a function that says what a note is about. */
function usePlaceOf({ index, answer }: TraceNotesProviderProps): TraceNotes['placeOf'] {
  return useCallback(
    ({ spanId, field }) => {
      const { outputSpanId } = index.header;
      const isAnswer =
        answer !== -1 && (spanId === null || spanId === outputSpanId || spanId === index.spanId(answer));
      if (isAnswer && (field === 'OUTPUT' || (field === null && spanId !== null))) return 'this answer';
      if (spanId === null) return field === 'INPUT' ? 'the question' : 'this trace';
      const row = index.rowOf(spanId);
      const name = (row === -1 ? '' : index.name(row)) || 'a span';
      return field === null ? name : `the ${field.toLowerCase()} of ${name}`;
    },
    [index, answer],
  );
}
