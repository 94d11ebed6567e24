import { createHash } from 'node:crypto';
import type { Database } from '../../storage/database.ts';
import { randomTraces } from './drawn-subjects.ts';

/** Half of a random sample: criteria are written after the one, and measured on both. */
export type SampleHalf = 'DRAFT' | 'HOLDOUT';

/** Returns the half of a drawn trace, which its id decides. */
export const halfOf = (traceHex: string): SampleHalf =>
  (createHash('sha256').update(`half ${traceHex}`).digest()[0] as number) % 2 === 0 ? 'DRAFT' : 'HOLDOUT';

/**
 * Returns the ids, in hex, of the traces that were drawn at random and are held out: no criterion is tried on them, because its
 * agreement with people would then look better than it is.
 */
export const holdoutTraces = (database: Database, application: number): ReadonlySet<string> =>
  new Set(
    randomTraces(database, application)
      .map(({ traceId }) => traceId.toLowerCase())
      .filter((traceHex) => halfOf(traceHex) === 'HOLDOUT'),
  );
