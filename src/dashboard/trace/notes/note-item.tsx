import { MessageSquareText } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Note } from '../../../api/generated/schema.ts';
import { useSession } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { AppLink } from '../../app/url.tsx';
import { Moment, RowAction } from '../../ui/cells.tsx';
import { Quote } from './note-dialog.tsx';
import type { TraceNotes } from './trace-notes-context.ts';

interface NoteItemProps {
  note: Note;
  trace: TraceNotes;
  /** True if the words are known to be no longer in the text. */
  isLost?: boolean;
}

/** A note with its words, and what the person may do with it. */
export function NoteItem({ note, trace, isLost = false }: NoteItemProps): ReactNode {
  const { createdBy, createdAt, text, quote, withheld } = note;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 text-label text-dim">
        <MessageSquareText size={13} aria-hidden="true" className="shrink-0" />
        <b className="min-w-0 truncate font-semibold text-ink">{createdBy.name}</b>
        <span className="min-w-0">on {trace.placeOf(note)}</span>
        <span className="ml-auto">
          <Moment at={createdAt} />
        </span>
      </p>
      {withheld === true ? (
        <p className="text-dim">Withheld until your review of this trace is complete.</p>
      ) : (
        <>
          {quote !== null && <Quote text={quote} />}
          {isLost && (
            <p className="text-label text-doubt">
              ? These words are no longer in the text: it was masked, erased or replaced.
            </p>
          )}
          <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            {text}
          </p>
          <NoteActions note={note} trace={trace} isLost={isLost} />
        </>
      )}
    </>
  );
}

function NoteActions({ note, trace, isLost = false }: NoteItemProps): ReactNode {
  const { user, apiKey } = useSession().login;
  const { createdBy, quote, issueId } = note;
  const isOwn = createdBy.id === (createdBy.type === 'user' ? user : apiKey)?.id;
  const of = `the note of ${createdBy.name}`;
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-label empty:hidden">
      {issueId !== null && <IssueLink id={issueId} />}
      {issueId === null && trace.mayWrite && (
        <RowAction of={`: ${of}`} onClick={() => trace.addToIssue(note)}>
          Add to issue
        </RowAction>
      )}
      {quote !== null && !isLost && (
        <RowAction of={`of ${of}`} onClick={() => trace.showWords(note)}>
          Show the words
        </RowAction>
      )}
      {isOwn && trace.mayWrite && (
        <>
          <RowAction of={of} onClick={() => trace.edit(note)}>
            Edit
          </RowAction>
          <RowAction of={of} isDanger onClick={() => trace.remove(note)}>
            Delete
          </RowAction>
        </>
      )}
    </p>
  );
}

/** Leads to the issue that a note is evidence for. */
function IssueLink({ id }: { id: string }): ReactNode {
  const issue = useApi('/v0/issues/{id}', { path: { id } }).data?.data;
  if (issue === undefined) return null;
  return (
    <AppLink
      href={`/issues/${issue.number}`}
      className="max-w-full min-w-0 truncate text-accent underline"
      title={issue.title}
    >
      #{issue.number} {issue.title}
    </AppLink>
  );
}
