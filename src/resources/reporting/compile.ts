import { rateSums } from '../../evaluate/rate-sums.ts';
import type { SqlValue } from '../../storage/database.ts';
import type { SqlFragment } from '../../storage/sql.ts';
import {
  containsText,
  each,
  inTimeAtEach,
  isoTimeOf,
  percentileOf,
  totalOf,
  truncated,
} from '../../storage/dialect.ts';
import { judgedSums } from '../definitions/corrected-store.ts';
import type { ReportColumn, Operator } from './column.ts';
import { DATASOURCES, type DatasourceId } from './datasources.ts';
import type { ReportPlan, PlannedFilter, PlannedMeasurement } from './plan.ts';

/** SQL that consists of fixed texts only, and the values of its parameters by name. */
export interface Compiled {
  sql: string;
  values: Record<string, SqlValue>;
}

/**
 * Compiles a report. The statement returns one row per group: `g0` … for the groups (for relations also `name0` …),
 * `v0` … for the measurements, and in each row `total`, the number of groups, and `scanned`, the number of rows read,
 * at most `maxRows` + 1. When the page has no group, it returns one row without `n`.
 */
export function compileReport(plan: ReportPlan, application: number, maxRows: number): Compiled {
  const bound = new BoundValues({ application, maxRows, limit: plan.limit, skip: plan.skip });
  const measured = plan.measurements.flatMap(({ column }, index) =>
    column ? `${column.sql} AS m${index}` : [],
  );
  const groupTerms = groupTermsOf(plan);
  const aggregates = plan.measurements.map(
    (measurement, index) => `${aggregate(measurement, `m${index}`)} AS v${index}`,
  );
  const names = plan.groups.flatMap(({ column }, index) =>
    column.relation ? `${nameOf(column, `g${index}`)} AS name${index}` : [],
  );
  const order = orderOf(plan);

  // Scanning, grouping and ordering each check the time limit. The LIMIT bounds memory. It also keeps SQLite from
  // merging the scan into the grouping, which would compute groups and measurements more than once.
  const sql = `WITH report AS MATERIALIZED (
  SELECT ${[...groupTerms, 'count(*) AS n', ...aggregates].join(', ')} FROM (${scan(plan, bound, [...measured, '1'])})${groupTerms.length > 0 ? ` GROUP BY ${groupTerms.join(', ')} HAVING ${inTimeAtEach('n')}` : ''}
), page AS (
  SELECT ${['report.*', ...names].join(', ')} FROM report WHERE ${inTimeAtEach('n')}${order} LIMIT :limit OFFSET :skip
)
SELECT totals.*, page.* FROM (SELECT count(*) AS total, ${totalOf('n')} AS scanned FROM report) AS totals
LEFT JOIN page ON true${order}`;
  return { sql, values: bound.values };
}

/**
 * Compiles the statement for the sums of which the intervals of pass rates consist: one row per group with a rate, `g0` …
 * and the columns of RateSumsRow. The datasource has clusters.
 */
export function compileIntervals(
  plan: ReportPlan,
  { passRate, task, example }: { passRate: string; task: string; example: string },
  application: number,
  maxRows: number,
): Compiled {
  const bound = new BoundValues({ application, maxRows });
  const columns = [`${task} AS task_id`, `${example} AS example_id`, `(${passRate}) / 100.0 AS rate`];
  return { sql: rateSums(`(${scan(plan, bound, columns)})`, groupTermsOf(plan)), values: bound.values };
}

/**
 * Compiles the statement for the sums by which the pass rates of judges are corrected: one row per group with completed evals,
 * `g0` … and the columns of JudgedSumsRow. The datasource is `eval`.
 */
export function compileJudged(
  plan: ReportPlan,
  { task, example }: { task: string; example: string },
  application: number,
  maxRows: number,
): Compiled {
  const bound = new BoundValues({ application, maxRows });
  const columns = [
    `${task} AS task_id`,
    `${example} AS example_id`,
    'eval.passed AS passed',
    'eval.definition_version AS version',
    'eval.judge_version AS judge',
  ];
  const source = `(SELECT * FROM (${scan(plan, bound, columns)}) WHERE passed IS NOT NULL)`;
  return { sql: judgedSums(source, groupTermsOf(plan)), values: bound.values };
}

const groupTermsOf = ({ groups }: ReportPlan): string[] => groups.map((_, index) => `g${index}`);

/** Returns SQL for the rows of a report, at most `:maxRows` + 1: `g0` … for their groups, and these columns. */
function scan(plan: ReportPlan, bound: BoundValues, columns: readonly string[]): string {
  const conditions = [
    ...conditionsOf(plan.datasource, plan.takesAll),
    ...plan.filters.map((filter) => condition(filter, bound)),
    ...(plan.shown ?? []).map((shown) => bound.named(shown)),
  ];
  const manyValued: string[] = [];
  const groups = plan.groups.map(({ column, truncate }, index) => {
    const alias = `many${index}`;
    if (column.isMany) manyValued.push(`LEFT JOIN ${each(column.sql)} AS ${alias} ON true`);
    const value = column.isMany ? `${alias}.value` : column.sql;
    if (truncate === null) return `${value} AS g${index}`;
    return `${truncated(value, bound.add(truncate), bound.add(plan.timeZone))} AS g${index}`;
  });
  return `SELECT ${[...groups, ...columns].join(', ')}
    FROM ${[DATASOURCES[plan.datasource].table, ...manyValued].join(' ')}
    WHERE ${conditions.join(' AND ')}
    LIMIT :maxRows + 1`;
}

export interface ValuesOf {
  datasource: DatasourceId;
  column: ReportColumn;
  takesAll: boolean;
  search: string | null;
  limit: number;
}

/** Compiles the statement for a column's distinct values: rows of `value` and `name`, the text that is searched. */
export function compileValues(
  { datasource, column, takesAll, search, limit }: ValuesOf,
  application: number,
): Compiled {
  const bound = new BoundValues({ application, limit });
  const { table } = DATASOURCES[datasource];
  const matches = search === null ? '' : ` WHERE ${containsText(bound.add(search), 'name')}`;
  const byValue = column.type === 'number' || column.type === 'date';
  const sql = `SELECT value, name FROM (
  SELECT value, ${nameOf(column, 'value')} AS name FROM (
    SELECT DISTINCT ${column.isMany ? 'many.value' : column.sql} AS value
    FROM ${table}${column.isMany ? ` JOIN ${each(column.sql)} AS many ON true` : ''}
    WHERE ${conditionsOf(datasource, takesAll).join(' AND ')}
  ) WHERE value IS NOT NULL
)${matches} ORDER BY ${byValue ? 'value' : 'name, value'} LIMIT :limit`;
  return { sql, values: bound.values };
}

/** Returns the conditions that every row of a report meets. */
function conditionsOf(datasource: DatasourceId, takesAll: boolean): string[] {
  const { table, leftOut } = DATASOURCES[datasource];
  return [
    `${table}.application = :application`,
    inTimeAtEach(`${table}.id`),
    ...(leftOut && !takesAll ? [leftOut.unless] : []),
  ];
}

/** Operators that are the negation of another one; they include rows without a value. */
const OPPOSITES: Partial<Record<Operator, Operator>> = { ne: 'eq', notIn: 'in', isNull: 'isNotNull' };

function condition({ column, operator, values }: PlannedFilter, bound: BoundValues): string {
  const terms = values.map((value) => bound.add(value));
  const opposite = OPPOSITES[operator];
  const holds = column.isMany
    ? `EXISTS (SELECT 1 FROM ${each(column.sql)} AS one WHERE ${comparison('one.value', opposite ?? operator, terms)})`
    : comparison(column.sql, opposite ?? operator, terms);
  return opposite ? `(${holds}) IS NOT TRUE` : `(${holds})`;
}

const COMPARISONS: Partial<Record<Operator, string>> = { eq: '=', lt: '<', lte: '<=', gt: '>', gte: '>=' };

function comparison(value: string, operator: Operator, terms: readonly string[]): string {
  const [first, second] = terms;
  switch (operator) {
    case 'in':
      return `${value} IN (${terms.join(', ')})`;
    case 'between':
      return `${value} BETWEEN ${first} AND ${second}`;
    case 'contains':
      return containsText(first ?? '', value);
    case 'isNotNull':
      return `${value} IS NOT NULL`;
    default:
      return `${value} ${COMPARISONS[operator]} ${first}`;
  }
}

function aggregate({ aggregation, column }: PlannedMeasurement, value: string): string {
  switch (aggregation) {
    case 'count':
      return column ? `count(${value})` : 'count(*)';
    case 'countDistinct':
      return `count(DISTINCT ${value})`;
    case 'passRate':
      return `avg(${value})`;
    case 'median':
      return percentileOf(value, 50);
    case 'p90':
    case 'p95':
    case 'p99':
      return percentileOf(value, Number(aggregation.slice(1)));
    default:
      return `${aggregation}(${value})`;
  }
}

/** Returns SQL for the display name of `value`. */
function nameOf({ type, relation }: ReportColumn, value: string): string {
  if (relation)
    return relation.name === 'id'
      ? value
      : `coalesce((SELECT ${relation.name} FROM ${relation.table} AS named
          WHERE named.application = :application AND named.id = ${value}), ${value})`;
  switch (type) {
    case 'boolean':
      return `CASE ${value} WHEN 1 THEN 'true' ELSE 'false' END`;
    case 'date':
      return isoTimeOf(value);
    case 'number':
      return `CASE WHEN ${value} = CAST(${value} AS INTEGER) THEN CAST(CAST(${value} AS INTEGER) AS TEXT)
        ELSE CAST(${value} AS TEXT) END`;
    default:
      return value;
  }
}

/** Returns the order: as requested, then by the groups, so that it is unique. */
function orderOf({ groups, orderBy }: ReportPlan): string {
  const byGroup = (index: number, direction: string): string[] =>
    [...(groups[index]?.column.relation ? [`name${index}`] : []), `g${index}`].map(
      (term) => `${term} ${direction} NULLS LAST`,
    );
  const terms = orderBy.flatMap(({ of, index, direction }) => {
    const word = direction === 'asc' ? 'ASC' : 'DESC';
    return of === 'group' ? byGroup(index, word) : [`v${index} ${word} NULLS LAST`];
  });
  const all = [...terms, ...groups.flatMap((_, index) => byGroup(index, 'ASC'))];
  return all.length > 0 ? ` ORDER BY ${all.join(', ')}` : '';
}

/** Values by the names under which SQL refers to them. */
class BoundValues {
  readonly values: Record<string, SqlValue>;
  private count = 0;

  constructor(named: Record<string, SqlValue>) {
    this.values = named;
  }

  /** Adds the values of a condition and returns it with their names. */
  named({ sql, values }: SqlFragment): string {
    const rest = [...values];
    return sql.replaceAll('?', () => this.add(rest.shift() ?? null));
  }

  /** Adds a value as a parameter and returns its name in SQL. */
  add(value: SqlValue): string {
    const name = `p${this.count++}`;
    this.values[name] = value;
    return `:${name}`;
  }
}
