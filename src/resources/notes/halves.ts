import type { Database } from '../../storage/database.ts';
import { hexOf, valuesOf } from '../../storage/dialect.ts';
import { halfOf, type SampleHalf } from '../definitions/holdout.ts';
import { MIN_NOTES } from './contract.ts';

/** Half of a note, and whether its words are sealed in lists. */
export interface NoteHalf {
  half: SampleHalf;
  isHeldOut: boolean;
}

/** Returns the halves of notes that are evidence for an issue, by their ids. */
export function halvesOf(
  database: Database,
  { application, ids }: { application: number; ids: readonly string[] },
): Map<string, NoteHalf> {
  const rows = database.all<{ id: string; issueId: string; traceHex: string }>(
    `SELECT id, issue_id AS "issueId", ${hexOf('trace_id')} AS "traceHex" FROM note
     WHERE application = :application AND id IN ${valuesOf(':ids')} AND issue_id IS NOT NULL`,
    { application, ids: JSON.stringify(ids) },
  );
  if (rows.length === 0) return new Map();
  const issueIds = [...new Set(rows.map(({ issueId }) => issueId))];
  const counts = database.all<{ issueId: string; n: number }>(
    `SELECT issue_id AS "issueId", count(*) AS n FROM note
     WHERE application = :application AND issue_id IN ${valuesOf(':issueIds')} GROUP BY issue_id`,
    { application, issueIds: JSON.stringify(issueIds) },
  );
  const large = new Set(counts.filter(({ n }) => n >= MIN_NOTES).map(({ issueId }) => issueId));
  return new Map(
    rows.map(({ id, issueId, traceHex }) => {
      const half = halfOf(traceHex.toLowerCase());
      return [id, { half, isHeldOut: half === 'HOLDOUT' && large.has(issueId) }];
    }),
  );
}
