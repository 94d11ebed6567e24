import type { ById } from '../../contract/owner.ts';
import type { SeenBy } from '../../contract/reviewer.ts';
import { textOf } from '../../evaluate/subject.ts';
import type { Database } from '../../storage/database.ts';
import { hexOf } from '../../storage/dialect.ts';
import { findStoredTrace } from '../../traces/load.ts';
import { OpenTrace } from '../../traces/open-trace.ts';
import { shownTo } from '../../traces/withheld/store.ts';
import { halfOf } from '../definitions/holdout.ts';
import { findIssueId } from '../issues/find.ts';

/** Most notes of an issue that are read. */
const MAX_NOTES = 1_000;
/** Limits of what the model is shown of the draft half: notes, responses, and characters of each text. */
const MAX_DRAFT_NOTES = 100;
const MAX_RESPONSES = 20;
const MAX_TEXT = 2_000;

/** A note of the draft half. */
export interface DraftNote {
  id: string;
  text: string;
  quote: string | null;
}

/** A response that shows the problem. */
export interface DraftResponse {
  input: string | null;
  output: string | null;
}

/** Texts that an evaluator is drafted from. None is of the holdout. */
export interface DraftBrief {
  issueId: string;
  title: string;
  notes: DraftNote[];
  responses: DraftResponse[];
  /** Number of notes of each half. */
  halves: { draft: number; holdout: number };
}

interface NoteRow extends DraftNote {
  traceHex: string;
}

/** Returns the notes of an issue that the caller may see, the newest first, with their traces in hex. */
function notesOfIssue(
  database: Database,
  { application, issueId, seenBy }: { application: number; issueId: string; seenBy: SeenBy },
): NoteRow[] {
  const shown = shownTo(database, { application, ...seenBy })?.trace('trace_id');
  const rows = database.all<NoteRow>(
    `SELECT id, content AS text, quote, ${hexOf('trace_id')} AS "traceHex" FROM note
     WHERE application = ? AND issue_id = ? ${shown ? `AND (creator_id = ? OR ${shown.sql})` : ''}
     ORDER BY created_at DESC, id DESC LIMIT ${MAX_NOTES}`,
    application,
    issueId,
    ...(shown ? [seenBy.reviewer.id, ...shown.values] : []),
  );
  return rows.map((row) => ({ ...row, traceHex: row.traceHex.toLowerCase() }));
}

/** Returns what an evaluator of an issue is drafted from: the draft half of its notes and their responses. Throws `not_found`. */
function draftBrief(
  database: Database,
  { owner: { application }, id, seenBy }: ById & { seenBy: SeenBy },
): DraftBrief {
  const issueId = findIssueId(database, application, id);
  const { title = '' } =
    database.get<{ title: string }>(
      'SELECT title FROM issue WHERE application = :application AND id = :issueId',
      { application, issueId },
    ) ?? {};
  const all = notesOfIssue(database, { application, issueId, seenBy });
  const draft = all.filter(({ traceHex }) => halfOf(traceHex) === 'DRAFT');
  const traces = [...new Set(draft.map(({ traceHex }) => traceHex))].slice(0, MAX_RESPONSES);
  return {
    issueId,
    title,
    notes: draft
      .slice(0, MAX_DRAFT_NOTES)
      .map(({ id: noteId, text, quote }) => ({ id: noteId, text, quote })),
    responses: traces.flatMap((traceHex) => responseOf(database, application, traceHex)),
    halves: { draft: draft.length, holdout: all.length - draft.length },
  };
}

function responseOf(database: Database, application: number, traceHex: string): DraftResponse[] {
  const stored = findStoredTrace(database, application, [Buffer.from(traceHex, 'hex')]);
  if (!stored) return [];
  const trace = new OpenTrace(database, stored);
  const short = (text: string | null): string | null => text?.slice(0, MAX_TEXT).toWellFormed() ?? null;
  return [{ input: short(textOf(trace.content('input'))), output: short(textOf(trace.content('output'))) }];
}

/** Returns the traces, in hex, of the holdout of the notes of an issue. */
export const holdoutOfIssue = (
  database: Database,
  of: { application: number; issueId: string; seenBy: SeenBy },
): string[] => [
  ...new Set(
    notesOfIssue(database, of).flatMap(({ traceHex }) => (halfOf(traceHex) === 'HOLDOUT' ? [traceHex] : [])),
  ),
];

export const draftQueries = { draftBrief };
