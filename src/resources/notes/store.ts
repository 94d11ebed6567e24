import type { ById, Owner } from '../../contract/owner.ts';
import type { ListOf } from '../../contract/paging.ts';
import type { SeenBy } from '../../contract/reviewer.ts';
import type { Actor } from '../../contract/scope.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { valuesOf } from '../../storage/dialect.ts';
import type { RecordOf } from '../../storage/record.ts';
import { notFound } from '../../storage/require-row.ts';
import { oneOfEach } from '../../storage/sql.ts';
import { ifUnchanged } from '../../storage/unchanged.ts';
import type { TraceHooks } from '../../traces/purge.ts';
import { shownTo } from '../../traces/withheld/store.ts';
import { ofTraces, requireTrace } from '../traces/trace-reference.ts';
import type { GivenNoteFields, Note, NoteFields, NotesQuery } from './contract.ts';
import { halvesOf } from './halves.ts';
import { notes } from './record.ts';

/** Most notes on one trace. */
const MAX_ON_TRACE = 1_000;

/** Creates a note. Throws `not_found` for the trace, and `conflict` when the trace has too many. */
function createNote(
  database: Database,
  { owner, id, fields, actor, at }: ById & { fields: NoteFields; actor: Actor; at: number },
): Note {
  const { application } = owner;
  requireMembers(database, application, fields.mentions);
  const traceId = requireTrace(database, application, fields.traceId);
  if (fields.spanId !== null) requireSpan(database, application, { traceId, spanId: fields.spanId });
  const { n = 0 } =
    database.get<{ n: number }>(
      'SELECT count(*) AS n FROM note WHERE application = :application AND trace_id = :traceId',
      { application, traceId },
    ) ?? {};
  if (n >= MAX_ON_TRACE)
    throw new AppError('conflict', `The trace already has ${MAX_ON_TRACE} notes; delete one first`);
  const { start, end, text, field, ...rest } = fields;
  notes.insert(
    database,
    { application, at },
    {
      ...rest,
      id,
      traceId,
      field: field ?? (start === null ? null : 'OUTPUT'),
      startOffset: start,
      endOffset: end,
      content: text,
      creatorType: actor.type,
      creatorId: actor.id,
      creatorName: actor.name,
    },
  );
  return getNote(database, { owner, id });
}

/** Throws `not_found` for a span that the trace does not have. */
function requireSpan(
  database: Database,
  application: number,
  { traceId, spanId }: { traceId: Uint8Array; spanId: string },
): void {
  const found = database.get(
    `SELECT 1 FROM trace JOIN span ON span.application = trace.application AND span.tkey = trace.tkey
     WHERE trace.application = :application AND trace_id = :traceId AND span.span_id = :spanId`,
    { application, traceId, spanId: Buffer.from(spanId, 'hex') },
  );
  if (found === undefined) throw notFound('span');
}

/** Throws `not_found` for users who are no members of the application. */
function requireMembers(database: Database, application: number, userIds: readonly string[] = []): void {
  const wanted = new Set(userIds);
  if (wanted.size === 0) return;
  const found = database.get<{ n: number }>(
    `SELECT count(*) AS n FROM membership
     WHERE application = :application AND user_id IN ${valuesOf(':ids')}`,
    { application, ids: JSON.stringify([...wanted]) },
  );
  if (found?.n !== wanted.size) throw notFound('member');
}

/** Throws `not_found`, and `forbidden` for a note of someone else. */
function updateNote(
  database: Database,
  { owner, id, given, actor, at }: ById & { given: GivenNoteFields; actor: Actor; at: number },
): Note {
  requireOwnNote(database, { owner, id, actor });
  const { text: content, mentions } = given;
  requireMembers(database, owner.application, mentions);
  notes.update(database, { application: owner.application, id, at }, { content, mentions });
  return getNote(database, { owner, id });
}

/** Throws `not_found`, and `forbidden` for a note of someone else. The trace stays linked to the issue of the note. */
function deleteNote(database: Database, { owner, id, actor }: ById & { actor: Actor }): void {
  requireOwnNote(database, { owner, id, actor });
  notes.delete(database, { application: owner.application, id });
}

function requireOwnNote(database: Database, { owner, id, actor }: ById & { actor: Actor }): void {
  const { createdBy } = getNote(database, { owner, id });
  if (createdBy.type !== actor.type || createdBy.id !== actor.id)
    throw new AppError('forbidden', 'Only its creator can change or delete a note');
}

function getNote(database: Database, of: ById): Note {
  const [note] = shownNotes(database, of.owner, { found: [notes.get(database, of)], isOfTrace: true });
  return note as Note;
}

/** Returns notes. Those of others on traces that the caller reviews blind are found by no issue. */
function listNotes(
  database: Database,
  { owner, query, seenBy }: { owner: Owner; query: NotesQuery; seenBy: SeenBy },
): ListOf<Note> {
  const { traceId, issueId, unassigned, creatorId } = query;
  const where = oneOfEach({ issue_id: issueId, creator_id: creatorId });
  if (traceId) where.push(ofTraces(traceId));
  if (unassigned !== undefined)
    where.push({ sql: `issue_id IS ${unassigned ? '' : 'NOT '}NULL`, values: [] });
  if (issueId !== undefined || unassigned !== undefined) {
    const shown = shownTo(database, { application: owner.application, ...seenBy })?.trace('trace_id');
    if (shown)
      where.push({ sql: `(creator_id = ? OR ${shown.sql})`, values: [seenBy.reviewer.id, ...shown.values] });
  }
  const { data, pagination } = notes.list(database, owner, { where, page: query });
  return {
    data: shownNotes(database, owner, { found: data, isOfTrace: traceId !== undefined }),
    pagination,
  };
}

/** Returns notes as the API shows them. The words of the holdout are shown beside their trace only. */
function shownNotes(
  database: Database,
  { application }: Owner,
  { found, isOfTrace }: { found: readonly RecordOf<typeof notes>[]; isOfTrace: boolean },
): Note[] {
  const halves = halvesOf(database, { application, ids: found.map(({ id }) => id) });
  return found.map((record) => {
    const { half = null, isHeldOut = false } = halves.get(record.id) ?? {};
    const isSealed = isHeldOut && !isOfTrace;
    const note = { ...shownNote(record), half, isSealed };
    return isSealed ? { ...note, text: '', quote: null, start: null, end: null } : note;
  });
}

function shownNote({
  startOffset,
  endOffset,
  content,
  creatorType,
  creatorId,
  creatorName,
  ...note
}: RecordOf<typeof notes>): Omit<Note, 'half' | 'isSealed'> {
  const createdBy = { type: creatorType, id: creatorId, name: creatorName };
  return { ...note, start: startOffset, end: endOffset, text: content, createdBy };
}

/** Deletes some notes of a trace; returns how many. */
const purgeNotes = (
  database: Database,
  { application, ...some }: { application: number; traceId: Uint8Array; limit: number },
): number => notes.deleteSome(database, application, 'trace_id = :traceId', some);

export const noteCommands = { createNote, updateNote: ifUnchanged(notes, updateNote), deleteNote };
export const noteQueries = { getNote, listNotes };
export const noteHooks = { purgeRows: [purgeNotes] } satisfies Partial<TraceHooks>;
