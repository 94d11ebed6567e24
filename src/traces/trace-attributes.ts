/** Indexed multi-valued properties of a trace: rows of `trace_attr`, and the same pairs in its row. */
import type { Database, RowStatement } from '../storage/database.ts';
import type { RowSet } from '../storage/row-set.ts';
import type { Rollup } from './rollup.ts';
import { SPAN_KINDS } from './span-kinds.ts';

type Attribute = readonly [key: string, value: string];

/** Key of the property of sample traces; no key of a span's properties has this name. */
export const SAMPLE = 'sample';

/**
 * Most characters of the JSON of a trace's pairs, which each batch of spans reads. Filters do not see pairs beyond
 * it.
 */
const MAX_STORED = 64 * 1024;

export const ADD_ATTRIBUTE: RowStatement = {
  sql: 'INSERT INTO trace_attr (application, key, value, tkey) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  columns: ['integer', 'text', 'text', 'integer'],
};

/**
 * Adds the pairs of a roll-up to those of a trace, given as JSON; returns the JSON of all. `rows` receives the rows of
 * new ones, for ADD_ATTRIBUTE.
 */
export function addAttributes(
  rows: RowSet,
  { application, tkey }: { application: number; tkey: number },
  stored: string,
  added: Iterable<Attribute>,
): string {
  let all = stored;
  for (const attribute of added) {
    const pair = JSON.stringify(attribute);
    // Only a complete pair can match: quotes within a JSON string are escaped, and keys begin with fixed names.
    if (all.includes(pair) || all.length + pair.length > MAX_STORED) continue;
    all = all === '[]' ? `[${pair}]` : `${all.slice(0, -1)},${pair}]`;
    rows.add(application, attribute[0], attribute[1], tkey);
  }
  return all;
}

/**
 * Removes the indexed pairs of a trace, given as JSON, except those with keys in `keep`. Returns the JSON of the
 * rest.
 */
export function removeAttributes(
  database: Database,
  { application, tkey }: { application: number; tkey: number },
  stored: string,
  keep: readonly string[] = [],
): string {
  const kept: Attribute[] = [];
  for (const attribute of JSON.parse(stored) as Attribute[]) {
    if (keep.includes(attribute[0])) kept.push(attribute);
    else {
      database.run(
        'DELETE FROM trace_attr WHERE application = ? AND key = ? AND value = ? AND tkey = ?',
        application,
        attribute[0],
        attribute[1],
        tkey,
      );
    }
  }
  return JSON.stringify(kept);
}

/** Returns the values of one key among pairs given as JSON, sorted. */
export function attributeValues(stored: string, key: string): string[] {
  const pairs = JSON.parse(stored) as Attribute[];
  return pairs
    .filter(([name]) => name === key)
    .map(([, value]) => value)
    .sort();
}

/** Returns the pairs of the kinds and models of spans; `kinds` has one bit for each index of SPAN_KINDS. */
export function* typeAttributes({ kinds, models }: Pick<Rollup, 'kinds' | 'models'>): Generator<Attribute> {
  for (const [index, kind] of SPAN_KINDS.entries())
    if (index > 0 && kinds & (1 << index)) yield ['kind', kind];
  for (const model of models) yield ['model', model];
}

export function* attributesOf(rollup: Rollup): Generator<Attribute> {
  yield* typeAttributes(rollup);
  for (const provider of rollup.providers) yield ['provider', provider];
  for (const environment of rollup.environments) yield ['environment', environment];
  for (const tag of rollup.tags) yield ['tag', tag];
  for (const [key, value] of rollup.metadata) yield [`metadata.${key}`, value];
}
