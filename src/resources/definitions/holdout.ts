import { createHash } from 'node:crypto';
import type { Database } from '../../storage/database.ts';
import { hexOf } from '../../storage/dialect.ts';
import { randomTraces } from './drawn-subjects.ts';

/** Half of a random sample, or of the notes of an issue: criteria are written after the one, and measured on the other. */
export type SampleHalf = 'DRAFT' | 'HOLDOUT';

/** Returns the half of a trace, which its id decides once and for all. */
export const halfOf = (traceHex: string): SampleHalf =>
  (createHash('sha256').update(`half ${traceHex}`).digest()[0] as number) % 2 === 0 ? 'DRAFT' : 'HOLDOUT';

/** Most notes of issues whose traces are read. */
const MAX_NOTES = 100_000;

/**
 * Returns the ids, in hex, of the traces that were drawn at random, or have notes of an issue, and are held out: no criterion is tried on
 * them, because its agreement with people would then look better than it is.
 */
export function holdoutTraces(database: Database, application: number): ReadonlySet<string> {
  const ofNotes = database.all<{ traceId: string }>(
    `SELECT DISTINCT ${hexOf('trace_id')} AS "traceId" FROM note
     WHERE application = :application AND issue_id IS NOT NULL LIMIT ${MAX_NOTES}`,
    { application },
  );
  const all = [...randomTraces(database, application), ...ofNotes];
  return new Set(
    all.map(({ traceId }) => traceId.toLowerCase()).filter((traceHex) => halfOf(traceHex) === 'HOLDOUT'),
  );
}
