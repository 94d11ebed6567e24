import { DERIVED_OF_EVALS } from '../evaluate/derived-rows.ts';
import { DERIVED_OF_DEFINITIONS } from '../resources/definitions/derived-rows.ts';
import { DERIVED_OF_DOCUMENTS } from '../resources/documents/derived-rows.ts';
import { DERIVED_OF_RETENTION } from '../resources/retention/derived-rows.ts';
import { DERIVED_OF_RUN_SETS } from '../resources/run-sets/derived-rows.ts';
import { DERIVED_OF_TASKS } from '../resources/tasks/derived-rows.ts';
import type { DerivedRows } from '../storage/derived-rows.ts';
import { DERIVED_OF_TESTS } from '../tests/outcome/derived-rows.ts';
import { DERIVED_OF_TRACES, ORDINAL_ROWS } from '../traces/derived-rows.ts';

/** Parts of a store with a check, and a repair where there is one, of their own. */
export type OwnPart =
  | 'indexes'
  | 'traces'
  | 'facets'
  | 'resources'
  | 'counts of tests'
  | 'metrics'
  | 'verdicts'
  | 'rules';

/**
 * Parts of a store in the order in which they are checked and repaired. Indexes and the numbers of spans are first, because
 * the other parts are read by way of them; metrics follow the parts that they are computed from.
 */
export const STORE_PARTS: readonly (OwnPart | DerivedRows)[] = [
  'indexes',
  ORDINAL_ROWS,
  'traces',
  'facets',
  ...DERIVED_OF_TRACES,
  ...DERIVED_OF_DEFINITIONS,
  ...DERIVED_OF_DOCUMENTS,
  ...DERIVED_OF_TASKS,
  ...DERIVED_OF_RETENTION,
  ...DERIVED_OF_EVALS,
  'resources',
  'counts of tests',
  ...DERIVED_OF_TESTS,
  ...DERIVED_OF_RUN_SETS,
  'metrics',
  'verdicts',
  'rules',
];

/** Returns what reads or changes each part, in order, without parts that have none. */
export const forEachPart = <T>(
  own: Readonly<Record<OwnPart, T | null>>,
  derived: (rows: DerivedRows) => T,
): (readonly [what: string, T])[] =>
  STORE_PARTS.flatMap((part) => {
    const [what, made] = typeof part === 'string' ? [part, own[part]] : [part.what, derived(part)];
    return made === null ? [] : [[what, made] as const];
  });
