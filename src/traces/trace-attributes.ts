/** The many-valued properties a trace is found by: rows of `trace_attr`, and the same pairs in its row. */
import type { Database } from '../storage/database.ts';
import type { Rollup } from './rollup.ts';
import { SPAN_KINDS } from './span.ts';

type Attribute = readonly [key: string, value: string];

/** The key under which traces of samples are found; no key of what spans say has such a name. */
export const SAMPLE = 'sample';

/** Length of the JSON of the pairs one trace is found by; each batch of spans reads it. What is over it no filter sees. */
const MAX_STORED = 64 * 1024;

/** Adds the pairs of a roll-up to those a trace has, given as JSON; returns the JSON of all of them. */
export function addAttributes(
  database: Database,
  { application, tkey }: { application: number; tkey: number },
  stored: string,
  added: Iterable<Attribute>,
): string {
  let all = stored;
  for (const attribute of added) {
    const pair = JSON.stringify(attribute);
    // Only a pair can match: within a JSON string its quotes would be escaped, and keys begin with fixed names.
    if (all.includes(pair) || all.length + pair.length > MAX_STORED) continue;
    all = all === '[]' ? `[${pair}]` : `${all.slice(0, -1)},${pair}]`;
    database.run(
      'INSERT INTO trace_attr (application, key, value, tkey) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
      application,
      attribute[0],
      attribute[1],
      tkey,
    );
  }
  return all;
}

/** Removes the pairs, given as JSON, by which a trace is found; `keep` names keys that stay. Returns the JSON of the rest. */
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

/** The values of one key among pairs given as JSON, sorted. */
export function valuesOf(stored: string, key: string): string[] {
  const pairs = JSON.parse(stored) as Attribute[];
  return pairs
    .filter(([name]) => name === key)
    .map(([, value]) => value)
    .sort();
}

export function* attributesOf(rollup: Rollup): Generator<Attribute> {
  for (const [index, kind] of SPAN_KINDS.entries())
    if (index > 0 && rollup.kinds & (1 << index)) yield ['kind', kind];
  for (const model of rollup.models) yield ['model', model];
  for (const provider of rollup.providers) yield ['provider', provider];
  for (const environment of rollup.environments) yield ['environment', environment];
  for (const tag of rollup.tags) yield ['tag', tag];
  for (const [key, value] of rollup.metadata) yield [`metadata.${key}`, value];
}
