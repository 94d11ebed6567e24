/**
 * Operators, aggregations and units of report columns. Which of them apply depends only on the type of the column.
 */
export const OPERATORS = [
  'eq',
  'ne',
  'in',
  'notIn',
  'lt',
  'lte',
  'gt',
  'gte',
  'between',
  'contains',
  'isNull',
  'isNotNull',
] as const;
export type Operator = (typeof OPERATORS)[number];

export const AGGREGATIONS = [
  'count',
  'countDistinct',
  'sum',
  'avg',
  'min',
  'max',
  'median',
  'p90',
  'p95',
  'p99',
  'passRate',
] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];

export const COLUMN_TYPES = ['string', 'number', 'boolean', 'date', 'enum', 'relation'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** Table that a column refers to, with `application` and `id`. */
export interface Relation {
  table: string;
  /** Column with the display name. */
  name: string;
}

/** One property of the rows of a datasource. All SQL of a report consists of these texts. */
export interface ReportColumn {
  title: string;
  type: ColumnType;
  description: string;
  unit?: string;
  /**
   * SQL expression over one row of the datasource's table; a JSON array for a many-valued column. Dates are Unix
   * milliseconds, booleans 0 and 1, relations ids.
   */
  sql: string;
  /** True if a row has any number of values. It counts in the group of each of them. */
  isMany?: true;
  /** True for a measure: nearly every row has a different value, so that grouping by it is pointless. */
  isContinuous?: true;
  /** Values of an enum. */
  values?: readonly string[];
  /** Target of a relation. */
  relation?: Relation;
}

export interface Datasource {
  title: string;
  description: string;
  /** Table with `application` and `id`. */
  table: string;
  columns: Readonly<Record<string, ReportColumn>>;
  /** Column, in percent, whose mean is the pass rate; absent if nothing passes or fails. */
  passRate?: string;
  /** SQL of the task and the example of a row, which are the clusters of its pass rate; absent without any. */
  clusters?: { task: string; example: string };
  /** Rows that count only if the request uses this column. */
  leftOut?: { column: string; unless: string };
}

const EQUALITY = ['eq', 'ne', 'in', 'notIn'] as const;
const ORDER = ['lt', 'lte', 'gt', 'gte', 'between'] as const;
const PRESENCE = ['isNull', 'isNotNull'] as const;

const OPERATORS_OF: Readonly<Record<ColumnType, readonly Operator[]>> = {
  string: [...EQUALITY, 'contains', ...PRESENCE],
  number: [...EQUALITY, ...ORDER, ...PRESENCE],
  boolean: ['eq', 'ne', ...PRESENCE],
  date: [...EQUALITY, ...ORDER, ...PRESENCE],
  enum: [...EQUALITY, ...PRESENCE],
  relation: [...EQUALITY, ...PRESENCE],
};

const COUNTS = ['count', 'countDistinct'] as const;
const AGGREGATIONS_OF: Readonly<Record<ColumnType, readonly Aggregation[]>> = {
  string: COUNTS,
  number: [...COUNTS, 'sum', 'avg', 'min', 'max', 'median', 'p90', 'p95', 'p99'],
  boolean: COUNTS,
  date: [...COUNTS, 'min', 'max'],
  enum: COUNTS,
  relation: COUNTS,
};

export const operatorsOf = ({ type }: ReportColumn): readonly Operator[] => OPERATORS_OF[type];

/**
 * Returns the aggregations of a column. A many-valued column cannot be measured, because a row would count once for
 * each of its values.
 */
export const aggregationsOf = ({ type, isMany }: ReportColumn): readonly Aggregation[] =>
  isMany ? [] : AGGREGATIONS_OF[type];
