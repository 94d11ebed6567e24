import type { ReportColumn, Relation } from './column.ts';

/** Columns that several datasources have, and their common SQL. */
type More = Pick<ReportColumn, 'isMany' | 'isContinuous' | 'unit'>;

export const stringColumn = (
  title: string,
  sql: string,
  description: string,
  more: More = {},
): ReportColumn => ({
  title,
  type: 'string',
  sql,
  description,
  ...more,
});

export const flagColumn = (title: string, sql: string, description: string): ReportColumn => ({
  title,
  type: 'boolean',
  sql,
  description,
});

export const date = (title: string, sql: string, description: string): ReportColumn => ({
  title,
  type: 'date',
  sql,
  description,
});

export const enumColumn = (
  title: string,
  values: readonly string[],
  sql: string,
  description: string,
): ReportColumn => ({ title, type: 'enum', values, sql, description });

/** Column of a number with few values, such as a version. */
export const integer = (title: string, sql: string, description: string): ReportColumn => ({
  title,
  type: 'number',
  sql,
  description,
});

export const measureColumn = (
  title: string,
  unit: string | null,
  sql: string,
  description: string,
): ReportColumn => ({
  title,
  type: 'number',
  ...(unit === null ? {} : { unit }),
  isContinuous: true,
  sql,
  description,
});

export const relation = (title: string, to: Relation, sql: string, description: string): ReportColumn => ({
  title,
  type: 'relation',
  relation: to,
  sql,
  description,
});

/** Column of relations; `array` is a JSON array of ids. */
export const relations = (title: string, to: Relation, array: string, description: string): ReportColumn => ({
  ...relation(title, to, array, description),
  isMany: true,
});

export const TASK: Relation = { table: 'task', name: 'title' };
export const TOPIC: Relation = { table: 'topic', name: 'title' };
export const TAG: Relation = { table: 'tag', name: 'name' };
export const DEFINITION: Relation = { table: 'definition', name: 'name' };
export const QUICKSTART: Relation = { table: 'quickstart', name: 'name' };
export const EXPERIMENT: Relation = { table: 'experiment', name: 'title' };
export const VARIANT: Relation = { table: 'experiment_variant', name: 'title' };
export const QUEUE: Relation = { table: 'annotation_queue', name: 'title' };
/** Relation to tests, which have no name; their ids are shown instead. */
export const TEST: Relation = { table: 'test', name: 'id' };
export const RUN: Relation = { table: 'run', name: 'id' };
export const EVAL: Relation = { table: 'eval', name: 'id' };
export const ANNOTATION: Relation = { table: 'human_annotation', name: 'id' };

/** Columns with the times when rows of `table` were created and changed. */
export const times = (table: string): { createdAt: ReportColumn; modifiedAt: ReportColumn } => ({
  createdAt: date('Created', `${table}.created_at`, 'Time of creation.'),
  modifiedAt: date('Modified', `${table}.modified_at`, 'Time of the last change.'),
});

/** Returns SQL for a value of the task in `taskId`. */
export const ofTask = (table: string, column: string): string =>
  `(SELECT task.${column} FROM task WHERE task.application = ${table}.application AND task.id = ${table}.task_id)`;

/** Columns with the metrics of a task or a topic. */
export function metrics(kind: 'task' | 'topic'): Record<string, ReportColumn> {
  const of = (column: string): string =>
    `(SELECT ${column} FROM figure WHERE figure.application = ${kind}.application AND figure.kind = '${kind}'
       AND figure.id = ${kind}.id)`;
  return {
    passRate: measureColumn(
      'Pass rate',
      'percent',
      of('100.0 * pass_rate'),
      'Pass rate of its counted tests: those of the last 30 days that were started by hand or by schedule.',
    ),
    errorRate: measureColumn(
      'Error rate',
      'percent',
      of('100.0 * error_rate'),
      'Percentage of tests that failed without being judged.',
    ),
    monitoringPassRate: measureColumn(
      'Monitoring pass rate',
      'percent',
      of('100.0 * monitoring_pass_rate'),
      'Pass rate of traces that were judged without a test.',
    ),
    health: measureColumn(
      'Health score',
      null,
      of('health'),
      'Score from 0 to 100: the pass rate with more weight on newer tests.',
    ),
    scoreDeviation: measureColumn(
      'Deviation of scores',
      null,
      of('deviation'),
      'Standard deviation of scores from 0 to 1 for the same input.',
    ),
    countedTests: measureColumn(
      'Counted tests',
      null,
      `coalesce(${of('tests')}, 0)`,
      'Number of tests that the pass rate is based on.',
    ),
  };
}
