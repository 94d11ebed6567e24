import type { Database } from '../storage/sqlite/database.ts';
import { parseId } from './ids.ts';
import { traceTests } from './load.ts';
import { type Rollup, TraceFlag } from './rollup.ts';
import { SPAN_KINDS } from './span.ts';

/** Links a trace to the tests its spans name. */
export function storeTests(database: Database, application: number, tkey: number, rollup: Rollup): void {
  for (const { testId, first, via } of rollup.tests) {
    database.run(
      `INSERT INTO trace_test (application, test_id, tkey, first_ns, via) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET first_ns = excluded.first_ns, via = excluded.via
         WHERE (excluded.via = 2, excluded.first_ns, excluded.via) < (via = 2, first_ns, via)`,
      application,
      parseId(testId),
      tkey,
      first,
      via,
    );
  }
}

/** How soon after spans of it a test is looked at, when more may be on their way. */
const LOOK_AGAIN_MS = 1_000;

/** Tells the tests that a trace carries that spans have come. Ids that are no test of ours are told nothing. */
export function touchTests(
  database: Database,
  { application, tkey, at }: { application: number; tkey: number; at: number },
): void {
  for (const testId of traceTests(database, tkey)) {
    database.run(
      `UPDATE test SET last_span_at = ?1, check_at = CASE WHEN last_span_at IS NULL THEN ?1 ELSE ?1 + ${LOOK_AGAIN_MS} END
       WHERE application = ?2 AND id = ?3`,
      at,
      application,
      testId,
    );
  }
}

/** The key of `trace_attr` under which traces of samples are found; no key of what spans say has such a name. */
export const SAMPLE = 'sample';

/** Marks a trace that carries the id of a sample test. */
export function markSample(database: Database, application: number, tkey: number): void {
  const marked = database.run(
    `UPDATE trace SET flags = flags | ${TraceFlag.sample} WHERE tkey = ?1 AND EXISTS
       (SELECT 1 FROM trace_test JOIN sample_test USING (application, test_id) WHERE tkey = ?1 AND application = ?2)`,
    tkey,
    application,
  );
  if (marked > 0) {
    database.run(
      `INSERT OR IGNORE INTO trace_attr (application, key, value, tkey) VALUES (?, ?, '', ?)`,
      application,
      SAMPLE,
      tkey,
    );
  }
}

export function storeAttributes(database: Database, application: number, tkey: number, rollup: Rollup): void {
  for (const [key, value] of attributesOf(rollup)) {
    database.run(
      'INSERT OR IGNORE INTO trace_attr (application, key, value, tkey) VALUES (?, ?, ?, ?)',
      application,
      key,
      value,
      tkey,
    );
  }
}

function* attributesOf(rollup: Rollup): Generator<[key: string, value: string]> {
  for (const [index, kind] of SPAN_KINDS.entries())
    if (index > 0 && rollup.kinds & (1 << index)) yield ['kind', kind];
  for (const model of rollup.models) yield ['model', model];
  for (const provider of rollup.providers) yield ['provider', provider];
  for (const environment of rollup.environments) yield ['environment', environment];
  for (const tag of rollup.tags) yield ['tag', tag];
  for (const [key, value] of rollup.metadata) yield [`metadata.${key}`, value];
}
