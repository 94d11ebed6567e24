import { type KeyboardEvent, type ReactNode, useState } from 'react';
import type { CreateNoteBody, Note } from '../../../api/generated/schema.ts';
import { useAction } from '../../api/use-api.ts';
import { formatWhole } from '../../format/number.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { CheckField } from '../../ui/check-field.tsx';
import { TextArea } from '../../ui/field.tsx';
import { keptDraft, useDraftKey, useKeepDraft } from '../../ui/kept-draft.ts';
import { announce } from '../../ui/status-line.tsx';
import { findWords, hasTexts, MAX_QUOTE } from './selected-words.ts';
import type { NoteTarget, QuotedWords, TraceNotes } from './trace-notes-context.ts';

const MAX_TEXT = 2_048;

/** A note that is being written, or changed. */
export interface NoteDraft {
  /** Id of the note that is changed; null for a new one. */
  noteId: string | null;
  target: NoteTarget;
  /** Words as they stand in the form. */
  words: string;
  text: string;
}

export const newNoteDraft = (target: NoteTarget): NoteDraft => ({
  noteId: null,
  target,
  words: target.words?.quote ?? '',
  text: '',
});

export const draftOfNote = ({ id, spanId, quote, text, field, start, end }: Note): NoteDraft => ({
  noteId: id,
  target: { spanId, words: { quote, field: field ?? 'OUTPUT', start, end } },
  words: quote ?? '',
  text,
});

/** Holds the note that is being written; a reload, the way back and an expired login keep it. */
export function useNoteDraft(): [draft: NoteDraft | null, setDraft: (draft: NoteDraft | null) => void] {
  const key = useDraftKey('note');
  const [draft, setDraft] = useState(() => keptDraft<NoteDraft>(key));
  useKeepDraft(key, draft);
  return [draft, setDraft];
}

interface NoteDialogProps {
  trace: Pick<TraceNotes, 'traceId' | 'texts' | 'placeOf'>;
  draft: NoteDraft;
  onChange: (draft: NoteDraft) => void;
  onClose: () => void;
  /** Called with a new note that is to be added to an issue. */
  onAddToIssue: (note: Note) => void;
}

/** Writes a note, or changes the text of one. */
export function NoteDialog({ trace, draft, onChange, onClose, onAddToIssue }: NoteDialogProps): ReactNode {
  const { noteId, target, text } = draft;
  const [addsToIssue, setAddsToIssue] = useState(false);
  const [isMissing, setMissing] = useState(false);
  const save = useAction(['/v0/notes'], (api, body: CreateNoteBody) =>
    noteId === null
      ? api.POST('/v0/notes', { body })
      : api.PUT('/v0/notes/{id}', { params: { path: { id: noteId } }, body: { text: body.text } }),
  );
  const confirm = (): void => {
    const found = wordsOf(draft, trace.texts);
    setMissing(found === undefined);
    if (found === undefined || text.trim() === '') return;
    save.mutate(
      { traceId: trace.traceId, spanId: target.spanId, ...found, text },
      {
        onSuccess: ({ data: note }) => {
          announce(noteId === null ? 'Note saved' : 'Note changed');
          document.getSelection()?.removeAllRanges();
          onClose();
          if (addsToIssue) onAddToIssue(note);
        },
      },
    );
  };
  return (
    <AskDialog
      title={noteId === null ? 'New note' : 'Change the note'}
      action="Save"
      isWide
      isBusy={save.isPending || text.trim() === ''}
      error={save.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p className="text-dim">
        On {trace.placeOf({ spanId: target.spanId, field: target.words?.field ?? null })}. A note is no
        verdict, and counts in no rate.
      </p>
      {noteId === null && (target.words !== null || hasTexts(trace.texts, target.spanId)) ? (
        <TextArea
          label="Words"
          dir="auto"
          help={WORDS_HELP[target.leftOut ?? 'NONE']}
          problem={isMissing ? 'The text of this step does not contain these words.' : undefined}
          rows={2}
          maxLength={MAX_QUOTE}
          value={draft.words}
          onChange={({ target: { value } }) => {
            setMissing(false);
            onChange({ ...draft, words: value });
          }}
        />
      ) : (
        draft.words !== '' && <Quote text={draft.words} />
      )}
      <TextArea
        label="Note"
        dir="auto"
        help="What you see in it. Ctrl Enter saves it."
        required
        autoFocus
        rows={4}
        maxLength={MAX_TEXT}
        value={text}
        onChange={({ target: { value } }) => onChange({ ...draft, text: value })}
        onKeyDown={saveByKey}
      />
      {noteId === null && (
        <CheckField checked={addsToIssue} onChange={setAddsToIssue}>
          Then add it to an issue
        </CheckField>
      )}
    </AskDialog>
  );
}

const WORDS_HELP = {
  NONE: 'Words of the text that the note is about. Empty if it is about all of it.',
  LONG: `The first ${formatWhole(MAX_QUOTE)} characters of the selection: a note quotes no more.`,
  OTHER_TEXTS: 'The words of the first text: a note quotes one text, and the selection reaches others.',
} as const;

/** Words that a note quotes. */
export const Quote = ({ text }: { text: string }): ReactNode => (
  <blockquote
    dir="auto"
    className="line-clamp-4 border-s-2 border-accent ps-2.5 whitespace-pre-wrap text-dim [overflow-wrap:anywhere]"
  >
    {text}
  </blockquote>
);

/** Returns the words of a draft with their place; undefined if the text does not contain them. */
function wordsOf(
  { noteId, target, words }: NoteDraft,
  texts: TraceNotes['texts'],
): Partial<QuotedWords> | undefined {
  const wanted = words.trim();
  if (wanted === '' || noteId !== null) return {};
  if (target.words !== null && wanted === target.words.quote?.trim()) return target.words;
  return findWords(texts, target.spanId, wanted) ?? undefined;
}

function saveByKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
