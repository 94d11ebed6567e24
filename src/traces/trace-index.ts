import type { Database } from '../storage/sqlite/database.ts';
import { parseId } from './ids.ts';
import type { Rollup } from './rollup.ts';
import { SPAN_KINDS } from './span.ts';

/** Links a trace to the tests its spans name. */
export function storeTests(database: Database, application: number, tkey: number, rollup: Rollup): void {
  for (const { testId, first, via } of rollup.tests) {
    database.run(
      `INSERT INTO trace_test (application, test_id, tkey, first_ns, via) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET first_ns = excluded.first_ns, via = excluded.via
         WHERE (excluded.first_ns, excluded.via) < (first_ns, via)`,
      application,
      parseId(testId),
      tkey,
      first,
      via,
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
