/** SQL of the terms of a filter line over the table `trace`. */
import { addsRows } from '../../filter/fields.ts';
import type { FilterTerm, FilterTerms, FilterValue } from '../../filter/term.ts';
import type { Database } from '../../storage/database.ts';
import { inTime } from '../../storage/dialect.ts';
import { anyOf, ofTerm, hasPart, unless, wholeOf, within } from '../../storage/filter-sql.ts';
import type { SqlFragment } from '../../storage/sql.ts';
import { TraceFlag } from '../rollup.ts';
import { spellingsOf } from '../subject-ids.ts';
import { matchingValues } from './distinct-values.ts';
import {
  anyVerdict,
  bytesOfTests,
  FIELDS_OF_TESTS,
  humanCondition,
  shownOutcome,
  idsOfTests,
  isOfVerdict,
  testCondition,
  verdictCondition,
  verdictGroups,
} from './of-tests.ts';
import { withIssue, withNote } from './of-issues.ts';
import { ifShown, type Shown } from '../withheld/store.ts';
import { isOfSteps } from './step-terms.ts';

export interface TermContext {
  database: Database;
  application: number;
  /** Time of the request in Unix milliseconds, from which `last` counts. */
  at: number;
  /** Conditions of the rows whose verdicts the caller may see; null or absent for all. */
  shown?: Shown | null | undefined;
}

/** A condition, or a property that traces must have with one of the values (any if there are none). */
export type TraceCondition = SqlFragment | { attribute: string; wanted: readonly string[] };

/** Returns the conditions of the terms that need no search through steps. */
export function termConditions(context: TermContext, terms: FilterTerms): TraceCondition[] {
  return [
    ...terms
      .filter((term) => !addsRows(term.field) && !isOfVerdict(term))
      .flatMap((term) => conditionsOf(context, term)),
    ...verdictGroups(terms).map(([first, ...others]) => ofVerdicts(context, first as FilterTerm, others)),
  ];
}

function conditionsOf(context: TermContext, term: FilterTerm): TraceCondition[] {
  if (isOfSteps(term)) return prefilter(term);
  const key = attributeKey(term);
  if (key !== null) return [ofAttribute(context, term, key)];
  return [ofTerm(term, (value) => ofValue(context, term, value))];
}

/** Returns what a trace must have before its steps are searched. */
function prefilter(term: FilterTerm): TraceCondition[] {
  if (term.isNegated) return [];
  if (term.field === 'tool') return [{ attribute: 'kind', wanted: ['TOOL'] }];
  const mayBeWithout = term.values.some((value) => value.is === 'equal' && value.text === 'no');
  return term.field === 'error' && !mayBeWithout ? [{ sql: 'error_count > 0', values: [] }] : [];
}

const ATTRIBUTES: ReadonlySet<string> = new Set(['kind', 'model', 'provider', 'environment', 'tag']);
const attributeKey = ({ field, key }: FilterTerm): string | null =>
  field === 'metadata' ? `metadata.${key ?? ''}` : ATTRIBUTES.has(field) ? field : null;

/** Returns the condition that a trace has one of the values of a term, which needs no search through steps, negated or not. */
export function traceHasAny(context: TermContext, term: FilterTerm): SqlFragment {
  const key = attributeKey(term);
  return anyOf(
    term.values.map((value) =>
      key === null ? ofValue(context, term, value) : withAttribute(context.application, key, value),
    ),
  );
}

function ofAttribute({ database, application }: TermContext, term: FilterTerm, key: string): TraceCondition {
  const wanted = matchingValues(database, { application, key }, term.values);
  if (wanted === null) return ofTerm(term, (value) => withAttribute(application, key, value));
  if (!term.isNegated && wanted.length > 0) return { attribute: key, wanted };
  const any = wanted.map((text): SqlFragment => withAttribute(application, key, { is: 'equal', text }));
  return term.isNegated ? unless(anyOf(any)) : anyOf(any);
}

/** Returns the condition that a trace has a property with the value; null for any. */
function withAttribute(application: number, key: string, value: FilterValue | null): SqlFragment {
  const matches = value && wholeOf(value, 'value');
  return {
    sql: `tkey IN (SELECT tkey FROM trace_attr WHERE application = ? AND key = ?${matches ? ` AND ${inTime('tkey')} AND ${matches.sql}` : ''})`,
    values: [application, key, ...(matches?.values ?? [])],
  };
}

/** Returns the condition of a value of a term that needs no search through steps. */
function ofValue(
  { application, at, shown }: TermContext,
  { field }: FilterTerm,
  value: FilterValue,
): SqlFragment {
  if (FIELDS_OF_TESTS.has(field)) return withTest({ application, shown }, field, value);
  switch (field) {
    case 'name':
      return hasPart(value, 'root_name');
    case 'input':
    case 'output':
      return ofPreview(hasPart(value, `p.${field}`));
    case 'session':
    case 'user':
      return anyOf(spelled(value).map((one) => wholeOf(one, `${field}_id`)));
    case 'error':
      return {
        sql: value.is === 'equal' && value.text === 'no' ? 'error_count = 0' : 'error_count > 0',
        values: [],
      };
    case 'duration':
      return within(value, 'end_ns - start_ns', nanoseconds);
    case 'cost':
      return within(value, 'cost');
    case 'tokens':
      return within(value, 'total_tokens');
    case 'spans':
      return within(value, 'span_count');
    case 'last':
    case 'from':
    case 'to':
      return timeCondition(field, value, at);
    case 'human':
      return ofReviewer(humanCondition(value), shown);
    case 'note':
      return withNote({ application, shown }, value);
    case 'issue':
      return withIssue({ application, shown }, value);
    case 'has':
      return hasField({ application, shown }, value.is === 'equal' ? value.text : '');
    default:
      throw new Error(`${field} is no field of traces`);
  }
}

const spelled = (value: FilterValue): FilterValue[] =>
  value.is === 'equal' ? spellingsOf(value.text).map((text) => ({ is: 'equal', text })) : [value];

const ofPreview = ({ sql, values }: SqlFragment): SqlFragment => ({
  sql: `EXISTS (SELECT 1 FROM trace_preview AS p WHERE p.tkey = trace.tkey AND p.application = trace.application AND ${sql})`,
  values,
});

function ofReviewer(condition: SqlFragment, shown: TermContext['shown']): SqlFragment {
  const { sql, values } = ifShown(shown, condition, { trace: 'human_annotation.trace_id' });
  return {
    sql: `EXISTS (SELECT 1 FROM human_annotation WHERE human_annotation.application = trace.application
      AND human_annotation.trace_id = trace.trace_id AND ${sql})`,
    values,
  };
}

/** Returns the condition that a trace belongs to a test with the value; null for any. */
function withTest(
  { application, shown }: Pick<TermContext, 'application' | 'shown'>,
  field: string,
  value: FilterValue | null,
): SqlFragment {
  const ids = field === 'test' && value ? idsOfTests([value]) : null;
  const tests = ids
    ? { sql: ids.map(() => '?').join(', ') || 'NULL', values: ids }
    : bytesOfTests(application, shownOutcome(shown, field, testCondition(application, field, value)));
  return {
    sql: `tkey IN (SELECT tkey FROM trace_test WHERE application = ? AND test_id IN (${tests.sql}))`,
    values: [application, ...tests.values],
  };
}

function ofVerdicts(
  { application, shown }: TermContext,
  first: FilterTerm,
  others: FilterTerms,
): SqlFragment {
  const condition = ofTrace(verdictCondition(application, [first, ...others]), shown);
  return first.isNegated ? unless(condition) : condition;
}

function ofTrace(condition: SqlFragment, shown: TermContext['shown']): SqlFragment {
  const { sql, values } = ifShown(shown, condition, { trace: 'eval.trace_id', test: 'eval.test_id' });
  return {
    sql: `EXISTS (SELECT 1 FROM eval WHERE eval.application = trace.application AND eval.trace_id = trace.trace_id AND ${sql})`,
    values,
  };
}

function hasField(
  { application, shown }: Pick<TermContext, 'application' | 'shown'>,
  name: string,
): SqlFragment {
  if (name.startsWith('metadata.') || ATTRIBUTES.has(name)) return withAttribute(application, name, null);
  if (FIELDS_OF_TESTS.has(name)) return withTest({ application, shown }, name, null);
  switch (name) {
    case 'tool':
      return withAttribute(application, 'kind', { is: 'equal', text: 'TOOL' });
    case 'input':
    case 'output':
      return ofPreview({ sql: `p.${name} IS NOT NULL AND p.${name} <> ''`, values: [] });
    case 'error':
      return { sql: 'error_count > 0', values: [] };
    case 'session':
    case 'user':
      return { sql: `${name}_id IS NOT NULL`, values: [] };
    case 'cost':
      return { sql: `(flags & ${TraceFlag.costKnown}) <> 0`, values: [] };
    case 'verdict':
    case 'evaluator':
    case 'score':
      return ofTrace(anyVerdict(name), shown);
    case 'human':
      return ofReviewer(humanCondition(null), shown);
    case 'note':
      return withNote({ application, shown }, null);
    case 'issue':
      return withIssue({ application, shown }, null);
    default:
      throw new Error(`has: cannot look for ${name}`);
  }
}

const NS = 1_000_000n;
const nanoseconds = (milliseconds: number): bigint => BigInt(Math.round(Math.min(milliseconds, 9e12) * 1e6));

function timeCondition(field: string, value: FilterValue, at: number): SqlFragment {
  const { first, last } = boundsOf(field, value, at);
  if (first !== null) return { sql: 'start_ns >= ?', values: [first] };
  return { sql: 'start_ns <= ?', values: [last] };
}

/** Returns the bounds of a term of time in Unix nanoseconds. */
function boundsOf(
  field: string,
  value: FilterValue,
  at: number,
): { first: bigint | null; last: bigint | null } {
  if (value.is !== 'range') return { first: null, last: null };
  const { min, max } = value;
  if (field === 'last') {
    // Rounded down to minutes, so that the same filter remains the same for a while.
    const since = Math.floor((at - (max?.amount ?? 0)) / 60_000) * 60_000;
    return { first: BigInt(Math.max(since, 0)) * NS, last: null };
  }
  return {
    first: min ? BigInt(min.amount) * NS : null,
    last: max ? BigInt(max.amount) * NS + NS - 1n : null,
  };
}

/** Returns the range of starts that the terms allow, in Unix nanoseconds; null for a side without a bound. */
export function timesOf(terms: FilterTerms, at: number): { first: bigint | null; last: bigint | null } {
  let first: bigint | null = null;
  let last: bigint | null = null;
  for (const { field, isNegated, values } of terms) {
    const [value] = values;
    if (isNegated || !value || !['last', 'from', 'to'].includes(field)) continue;
    const bounds = boundsOf(field, value, at);
    if (bounds.first !== null && (first === null || bounds.first > first)) ({ first } = bounds);
    if (bounds.last !== null && (last === null || bounds.last < last)) ({ last } = bounds);
  }
  return { first, last };
}

/** Columns of the texts that lists show, which words are looked for in before the steps of a trace are. */
const SHOWN = ['root_name', 'session_id', 'user_id', 'p.input', 'p.output'];

/** Returns the condition that a trace has the text of each term where lists show it. */
export const shownTexts = (terms: FilterTerms): SqlFragment[] =>
  terms.map((term) => ofPreview(anyOf(term.values.map((value) => hasPart(value, ...SHOWN)))));
