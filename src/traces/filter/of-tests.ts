/** SQL of the fields of a filter line that rows of the table `test` have. */
import type { FilterTerm, FilterTerms, FilterValue } from '../../filter/term.ts';
import { bytesOf } from '../../storage/dialect.ts';
import { eachOf, anyOf, titled, wholeOf, within } from '../../storage/filter-sql.ts';
import type { SqlFragment } from '../../storage/sql.ts';
import { isUuid } from '../ids.ts';
import { ifShown, type Shown } from '../withheld/store.ts';

/** Fields that name the test, or what it belongs to. */
export const FIELDS_OF_TESTS: ReadonlySet<string> = new Set([
  'topic',
  'task',
  'run',
  'test',
  'example',
  'outcome',
  'cause',
]);

/** Returns the condition of a row of `test` for a value of one of `FIELDS_OF_TESTS`; null for any value. */
export function testCondition(application: number, field: string, value: FilterValue | null): SqlFragment {
  switch (field) {
    case 'topic':
      return ofTopic(application, value);
    case 'task':
      return value === null ? YES : ofTask(application, titled(value, 'title'), value);
    case 'run':
      return value === null ? YES : wholeOf(lowerCase(value), 'run_id');
    case 'test':
      return value === null ? YES : wholeOf(lowerCase(value), 'test.id');
    case 'example':
      return value === null ? { sql: 'example_id IS NOT NULL', values: [] } : ofExample(value);
    case 'outcome':
    case 'cause':
      return value === null
        ? { sql: `${storedOutcome(field)} IS NOT NULL`, values: [] }
        : wholeOf(value, storedOutcome(field));
    default:
      throw new Error(`${field} is no field of tests`);
  }
}

/** Returns a condition of a row of `test` on one of `FIELDS_OF_TESTS`, for tests whose outcome the caller may see. */
export const shownOutcome = (
  shown: Shown | null | undefined,
  field: string,
  condition: SqlFragment,
): SqlFragment =>
  field === 'outcome' || field === 'cause' ? ifShown(shown, condition, { test: 'test.id' }) : condition;

/** Returns SQL for a column of the outcome of a test. */
export function storedOutcome(column: string): string {
  const stored = `(SELECT ${column} FROM test_result
    WHERE test_result.application = test.application AND test_id = test.id)`;
  return column === 'outcome'
    ? `CASE WHEN status IN ('COMPLETED', 'FAILED') THEN ${stored} ELSE 'RUNNING' END`
    : stored;
}

const YES: SqlFragment = { sql: 'TRUE', values: [] };

/** Ids are stored in lower case. */
const lowerCase = (value: FilterValue): FilterValue =>
  value.is === 'equal' ? { is: 'equal', text: value.text.toLowerCase() } : value;

const ofTask = (application: number, title: SqlFragment, value: FilterValue): SqlFragment => {
  const any = anyOf([title, wholeOf(value, 'id')]);
  return {
    sql: `task_id IN (SELECT id FROM task WHERE application = ? AND ${any.sql})`,
    values: [application, ...any.values],
  };
};

function ofTopic(application: number, value: FilterValue | null): SqlFragment {
  if (value === null)
    return {
      sql: 'task_id IN (SELECT id FROM task WHERE application = ? AND topic_id IS NOT NULL)',
      values: [application],
    };
  const any = anyOf([titled(value, 'title'), wholeOf(value, 'id')]);
  return {
    sql: `task_id IN (SELECT id FROM task WHERE application = ? AND topic_id IN
      (SELECT id FROM topic WHERE application = ? AND ${any.sql}))`,
    values: [application, application, ...any.values],
  };
}

function ofExample(value: FilterValue): SqlFragment {
  const byId = wholeOf(lowerCase(value), 'example_id');
  if (value.is !== 'equal' || !/^\d{1,9}$/.test(value.text)) return byId;
  return anyOf([byId, { sql: 'example_index = ?', values: [Number(value.text) - 1] }]);
}

/** Returns the condition of a test in SQL over its 16 bytes, for tests that carry one of the ids. */
export const idsOfTests = (values: readonly FilterValue[]): Buffer[] | null =>
  values.every((value) => value.is === 'equal')
    ? values.flatMap((value) =>
        value.is === 'equal' && isUuid(value.text.toLowerCase())
          ? [Buffer.from(value.text.replaceAll('-', ''), 'hex')]
          : [],
      )
    : null;

/** Returns SQL for the 16 bytes of the tests of an application that meet a condition. */
export const bytesOfTests = (application: number, { sql, values }: SqlFragment): SqlFragment => ({
  sql: `SELECT ${bytesOf('id')} FROM test WHERE application = ? AND ${sql}`,
  values: [application, ...values],
});

/** Fields of which one verdict has all: `verdict:fail evaluator:Facts` is a failed verdict of Facts. */
const OF_VERDICTS: ReadonlySet<string> = new Set(['verdict', 'evaluator', 'score']);

/** Reports whether a term is about a verdict of an evaluator. */
export const isOfVerdict = ({ field }: { field: string }): boolean => OF_VERDICTS.has(field);

/**
 * Groups the terms about verdicts by the verdict that they are about: those in a row, until a field occurs again. A negated term is
 * about all verdicts, alone.
 */
export function verdictGroups(terms: FilterTerms): FilterTerm[][] {
  const groups: FilterTerm[][] = [];
  let open: FilterTerm[] = [];
  for (const term of terms.filter(isOfVerdict)) {
    if (term.isNegated) groups.push([term]);
    else {
      if (open.length === 0 || open.some(({ field }) => field === term.field)) groups.push((open = []));
      open.push(term);
    }
  }
  return groups;
}

/** Returns the condition of a current row of `eval` for terms about one verdict, which must not be negated. */
export function verdictCondition(application: number, terms: FilterTerms): SqlFragment {
  return eachOf([
    { sql: 'superseded = 0', values: [] },
    ...terms.map(({ field, values }) => anyOf(values.map((value) => ofVerdict(application, field, value)))),
  ]);
}

function ofVerdict(application: number, field: string, value: FilterValue): SqlFragment {
  if (field === 'score') return within(value, 'normalised');
  if (field === 'verdict')
    return { sql: VERDICTS[value.is === 'equal' ? value.text : ''] ?? 'FALSE', values: [] };
  const any = anyOf([titled(value, 'name'), wholeOf(value, 'id')]);
  return {
    sql: `definition_id IN (SELECT id FROM definition WHERE application = ? AND ${any.sql})`,
    values: [application, ...any.values],
  };
}

const VERDICTS: Readonly<Record<string, string>> = {
  pass: "(eval.status = 'COMPLETED' AND passed = 1)",
  fail: "(eval.status = 'COMPLETED' AND passed = 0)",
  none: "eval.status IN ('FAILED', 'SKIPPED')",
};

/** Returns the condition of a current row of `eval` that has any value of a field. */
export const anyVerdict = (field: string): SqlFragment => ({
  sql: `superseded = 0 AND ${field === 'score' ? 'normalised IS NOT NULL' : "eval.status = 'COMPLETED'"}`,
  values: [],
});

/** Returns the condition of a row of `human_annotation` for a verdict of a reviewer; null for any. */
export const humanCondition = (value: FilterValue | null): SqlFragment => ({
  sql: HUMAN[value?.is === 'equal' ? value.text : ''] ?? '(verdict IS NOT NULL OR unsure = 1)',
  values: [],
});

const HUMAN: Readonly<Record<string, string>> = {
  pass: 'verdict = 1',
  fail: 'verdict = 0',
  unsure: 'unsure = 1',
};
