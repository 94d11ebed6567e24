import type { FilterField } from './fields.ts';

/** A limit of a range. */
export interface Bound {
  amount: number;
  isInclusive: boolean;
}

/** One value of a term. */
export type FilterValue =
  /** The text itself: part of a text, or a complete name. */
  | { is: 'equal'; text: string }
  | { is: 'wildcard'; parts: readonly string[] }
  | { is: 'regex'; source: string; flags: string }
  /** Amounts or Unix milliseconds between two bounds; null for a side without one. */
  | { is: 'range'; min: Bound | null; max: Bound | null };

/** A condition of a filter: one of its values holds, or none if it is negated. */
export interface FilterTerm {
  /** Name of a field of `FILTER_FIELDS`. */
  field: FilterField['name'];
  /** Key of metadata; null for other fields. */
  key: string | null;
  isNegated: boolean;
  values: readonly FilterValue[];
  /** Range of characters in the line. */
  start: number;
  end: number;
}

/** Conditions of a filter line, which hold together. */
export type FilterTerms = readonly FilterTerm[];
