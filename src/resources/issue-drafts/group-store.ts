import type { Owner } from '../../contract/owner.ts';
import type { SeenBy } from '../../contract/reviewer.ts';
import type { Database } from '../../storage/database.ts';
import { valuesOf } from '../../storage/dialect.ts';
import { shownTo } from '../../traces/withheld/store.ts';

/** Open issues that a suggestion may name. */
const MAX_ISSUES = 50;

export interface NoteToGroup {
  id: string;
  text: string;
  quote: string | null;
}

export interface IssueToOffer {
  id: string;
  number: number;
  title: string;
}

interface ToGroup {
  owner: Owner;
  seenBy: SeenBy;
  /** Ids of the notes; undefined for the newest ones. */
  noteIds: readonly string[] | undefined;
  limit: number;
}

/**
 * Returns notes that are evidence for no issue, the newest first, without those of others on traces that the caller reviews blind; and the
 * number of them.
 */
function notesToGroup(
  database: Database,
  { owner: { application }, seenBy, noteIds, limit }: ToGroup,
): { notes: NoteToGroup[]; total: number } {
  const shown = shownTo(database, { application, ...seenBy })?.trace('trace_id');
  const conditions = [
    { sql: 'application = ? AND issue_id IS NULL', values: [application] },
    ...(noteIds === undefined
      ? []
      : [{ sql: `id IN ${valuesOf('?')}`, values: [JSON.stringify([...new Set(noteIds)])] }]),
    ...(shown
      ? [{ sql: `(creator_id = ? OR ${shown.sql})`, values: [seenBy.reviewer.id, ...shown.values] }]
      : []),
  ];
  const where = conditions.map(({ sql }) => sql).join(' AND ');
  const values = conditions.flatMap((one) => one.values);
  const { total = 0 } =
    database.get<{ total: number }>(`SELECT count(*) AS total FROM note WHERE ${where}`, ...values) ?? {};
  const found = database.all<NoteToGroup>(
    `SELECT id, content AS text, quote FROM note WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT ?`,
    ...values,
    limit,
  );
  return { notes: found, total };
}

/** Returns the open issues that were seen last. */
const issuesToOffer = (database: Database, { application }: Owner): IssueToOffer[] =>
  database.all<IssueToOffer>(
    `SELECT id, number, title FROM issue WHERE application = :application AND status = 'OPEN'
     ORDER BY last_seen_at DESC, id LIMIT ${MAX_ISSUES}`,
    { application },
  );

export const groupQueries = { notesToGroup, issuesToOffer };
