/** SQL of the terms of a filter line over the table `test`. */
import type { FilterTerm, FilterTerms, FilterValue } from '../filter/term.ts';
import { bytesOf, jsonField } from '../storage/dialect.ts';
import { anyOf, hasPart, titled, unless, within } from '../storage/filter-sql.ts';
import type { SqlFragment } from '../storage/sql.ts';
import {
  anyVerdict,
  FIELDS_OF_TESTS,
  isOfVerdict,
  shownOutcome,
  testCondition,
  verdictCondition,
  verdictGroups,
} from '../traces/filter/of-tests.ts';
import { ifShown } from '../traces/withheld/store.ts';
import { shownTexts, type TermContext, traceHasAny } from '../traces/filter/trace-terms.ts';

/** Returns the conditions of the terms on a row of `test`. */
export function testConditions(context: TermContext, terms: FilterTerms): SqlFragment[] {
  return [
    ...terms
      .filter((term) => !isOfVerdict(term))
      .map((term) => negatedIf(term, anyOf(term.values.map((value) => ofValue(context, term, value))))),
    ...verdictGroups(terms).map((group) =>
      negatedIf(
        group[0] as FilterTerm,
        ofVerdict(verdictCondition(context.application, group.map(positive)), context.shown),
      ),
    ),
  ];
}

const positive = (term: FilterTerm): FilterTerm => ({ ...term, isNegated: false });
const negatedIf = ({ isNegated }: FilterTerm, condition: SqlFragment): SqlFragment =>
  isNegated ? unless(condition) : condition;

function ofValue(context: TermContext, term: FilterTerm, value: FilterValue): SqlFragment {
  const { application, at } = context;
  const { field } = term;
  if (FIELDS_OF_TESTS.has(field))
    return shownOutcome(context.shown, field, testCondition(application, field, value));
  switch (field) {
    case 'name':
      return titleOfTask(application, value);
    case 'input':
      return hasPart(value, 'prompt');
    case 'text':
      return anyOf([
        hasPart(value, 'prompt', MESSAGE),
        ...shownTexts([{ ...term, values: [value] }]).map(withTrace),
      ]);
    case 'error':
      return ofFailure(value);
    case 'tag':
      return ofTag(application, value);
    case 'last':
    case 'from':
    case 'to':
      return startedWithin(field, value, at);
    case 'has':
      return hasField(context, term, value);
    default:
      return withTrace(traceHasAny(context, { ...term, values: [value] }));
  }
}

/** Returns the condition that a trace of the test meets a condition. */
const withTrace = ({ sql, values }: SqlFragment): SqlFragment => ({
  sql: `EXISTS (SELECT 1 FROM trace_test JOIN trace USING (application, tkey)
    WHERE trace_test.application = test.application AND trace_test.test_id = ${bytesOf('test.id')} AND ${sql})`,
  values,
});

function ofVerdict(condition: SqlFragment, shown: TermContext['shown']): SqlFragment {
  const { sql, values } = ifShown(shown, condition, { test: 'eval.test_id' });
  return {
    sql: `EXISTS (SELECT 1 FROM eval WHERE eval.application = test.application AND eval.test_id = test.id AND ${sql})`,
    values,
  };
}

const CODE = jsonField('failure', 'code');
const MESSAGE = jsonField('failure', 'message');

function ofFailure(value: FilterValue): SqlFragment {
  if (value.is === 'equal' && (value.text === 'yes' || value.text === 'no'))
    return { sql: `failure IS ${value.text === 'yes' ? 'NOT ' : ''}NULL`, values: [] };
  return hasPart(value, CODE, MESSAGE);
}

function titleOfTask(application: number, value: FilterValue): SqlFragment {
  const { sql, values } = hasPart(value, 'title');
  return {
    sql: `task_id IN (SELECT id FROM task WHERE application = ? AND ${sql})`,
    values: [application, ...values],
  };
}

/** Returns the condition that the task of the test has a tag with the name; null for any. */
function ofTag(application: number, value: FilterValue | null): SqlFragment {
  const named = value && titled(value, 'name');
  const tags = named ? ` AND tag_id IN (SELECT id FROM tag WHERE application = ? AND ${named.sql})` : '';
  return {
    sql: `task_id IN (SELECT task_id FROM task_tag WHERE application = ?${tags})`,
    values: [application, ...(named ? [application, ...named.values] : [])],
  };
}

function startedWithin(field: string, value: FilterValue, at: number): SqlFragment {
  if (field !== 'last' || value.is !== 'range') return within(value, 'test.created_at');
  const since = Math.floor((at - (value.max?.amount ?? 0)) / 60_000) * 60_000;
  return { sql: 'test.created_at >= ?', values: [since] };
}

function hasField(context: TermContext, term: FilterTerm, value: FilterValue): SqlFragment {
  const name = value.is === 'equal' ? value.text : '';
  if (FIELDS_OF_TESTS.has(name))
    return shownOutcome(context.shown, name, testCondition(context.application, name, null));
  if (isOfVerdict({ field: name })) return ofVerdict(anyVerdict(name), context.shown);
  if (name === 'input') return { sql: "prompt <> ''", values: [] };
  if (name === 'error') return { sql: 'failure IS NOT NULL', values: [] };
  if (name === 'tag') return ofTag(context.application, null);
  return withTrace(traceHasAny(context, { ...term, values: [value] }));
}
