import type { SqlFragment } from '../../storage/sql.ts';
import { z } from 'zod';
import { invalid, issuesOf } from '../../contract/errors.ts';
import { givenTime, uuid } from '../../contract/values.ts';
import type { Issue } from '../../errors.ts';
import type { SqlValue } from '../../storage/database.ts';
import type { TruncateUnit } from '../../storage/dialect.ts';
import {
  type Aggregation,
  aggregationsOf,
  type ReportColumn,
  type ColumnType,
  type Operator,
  operatorsOf,
} from './column.ts';
import { type Filter, type Group, MAX_LIST, type Measurement, type ReportBody } from './contract.ts';
import { DATASOURCES, type DatasourceId, findColumn } from './datasources.ts';

/** A report whose names are resolved to columns and whose values have the types of their columns. */
export interface ReportPlan {
  datasource: DatasourceId;
  filters: PlannedFilter[];
  groups: PlannedGroup[];
  measurements: PlannedMeasurement[];
  orderBy: PlannedOrder[];
  /** True to count rows that other reports leave out. */
  takesAll: boolean;
  timeZone: string;
  /** True to compute the interval of the pass rate of each group. */
  withIntervals: boolean;
  limit: number;
  skip: number;
  /** Conditions of the rows whose verdicts the caller may see. */
  shown?: readonly SqlFragment[];
}

export interface PlannedFilter {
  column: ReportColumn;
  operator: Operator;
  values: SqlValue[];
}

export interface PlannedGroup {
  id: string;
  column: ReportColumn;
  truncate: TruncateUnit | null;
}

export interface PlannedMeasurement {
  id: string;
  aggregation: Aggregation;
  /** Id of `column` as the request gave it; null when none was given. */
  columnId: string | null;
  /** Column to measure; null to count rows. */
  column: ReportColumn | null;
}

export interface PlannedOrder {
  of: 'group' | 'measurement';
  index: number;
  direction: 'asc' | 'desc';
}

/** Plans a report. Throws `invalid` with every name that is not a column and every value of a wrong type. */
export function planReport(body: ReportBody): ReportPlan {
  const planner = new Planner(body.datasource);
  const plan: ReportPlan = {
    datasource: body.datasource,
    filters: body.filters.flatMap((filter, index) => planner.filter(filter, ['filters', `${index}`])),
    groups: body.groupBy.flatMap((group, index) => planner.group(group, ['groupBy', `${index}`])),
    measurements: body.measurements.flatMap((measurement, index) =>
      planner.measurement(measurement, ['measurements', `${index}`]),
    ),
    takesAll: planner.takesAll(body),
    orderBy: [],
    timeZone: body.timeZone,
    withIntervals: body.withIntervals && planner.hasIntervals(),
    limit: body.limit,
    skip: body.skip,
  };
  if (planner.issues.length > 0) throw invalid(planner.issues);
  const orderBy = body.orderBy.flatMap(({ by, direction }, index) =>
    planner.order(plan, by, direction, ['orderBy', `${index}`, 'by']),
  );
  if (planner.issues.length > 0) throw invalid(planner.issues);
  return { ...plan, orderBy };
}

/** Each of its methods plans one part of the report; it adds an issue and returns nothing if that is not possible. */
class Planner {
  readonly issues: Issue[] = [];
  private readonly datasource: DatasourceId;
  /** Ids of groups and measurements. */
  private readonly ids = new Set<string>();

  constructor(datasource: DatasourceId) {
    this.datasource = datasource;
  }

  filter({ column: id, operator, value }: Filter, path: string[]): PlannedFilter[] {
    const column = this.column(id, [...path, 'column']);
    if (!column) return [];
    const operators = operatorsOf(column);
    if (!operators.includes(operator)) return this.notOneOf(operators, [...path, 'operator']);
    const parsed = valuesOf(column, operator).safeParse(value, { reportInput: true });
    if (parsed.success) return [{ column, operator, values: parsed.data }];
    const issues = issuesOf(parsed.error);
    this.issues.push(...issues.map((issue) => ({ ...issue, path: [...path, 'value', ...issue.path] })));
    return [];
  }

  group({ column: id, truncate }: Group, path: string[]): PlannedGroup[] {
    const column = this.column(id, [...path, 'column']);
    if (!column) return [];
    if (column.isContinuous) return this.reject(`${id} has too many values to group by`, [...path, 'column']);
    if (truncate !== undefined && column.type !== 'date')
      return this.reject('only dates can be truncated', [...path, 'truncate']);
    return this.claim(id, [...path, 'column']) ? [{ id, column, truncate: truncate ?? null }] : [];
  }

  measurement({ aggregation, column: columnId, as }: Measurement, path: string[]): PlannedMeasurement[] {
    const id = as ?? (columnId === undefined ? aggregation : `${aggregation}_${columnId}`);
    const column = this.measured(aggregation, columnId, path);
    if (column === undefined || !this.claim(id, [...path, 'as'])) return [];
    return [{ id, aggregation, columnId: columnId ?? null, column }];
  }

  /** Reports whether rows of the datasource have clusters; adds an issue if they have none. */
  hasIntervals(): boolean {
    const { clusters, title } = DATASOURCES[this.datasource];
    if (clusters === undefined) this.reject(`${title} have no intervals`, ['withIntervals']);
    return clusters !== undefined;
  }

  /** Returns the column to measure; null to count rows; undefined after an issue. */
  private measured(
    aggregation: Aggregation,
    id: string | undefined,
    path: string[],
  ): ReportColumn | null | undefined {
    if (aggregation === 'passRate') {
      if (id !== undefined) this.reject('passRate accepts no column', [...path, 'column']);
      const { passRate, title } = DATASOURCES[this.datasource];
      if (passRate !== undefined) return findColumn(this.datasource, passRate);
      this.reject(`${title} have no pass rate`, [...path, 'aggregation']);
      return undefined;
    }
    if (id === undefined) {
      if (aggregation === 'count') return null;
      this.issues.push({ code: 'invalid_type', message: 'Required', path: [...path, 'column'] });
      return undefined;
    }
    const column = this.column(id, [...path, 'column']);
    if (!column) return undefined;
    const aggregations = aggregationsOf(column);
    if (aggregations.includes(aggregation)) return column;
    this.notOneOf(aggregations, [...path, 'aggregation']);
    return undefined;
  }

  order(
    { groups, measurements }: ReportPlan,
    by: string,
    direction: PlannedOrder['direction'],
    path: string[],
  ): PlannedOrder[] {
    const group = groups.findIndex(({ id }) => id === by);
    if (group !== -1) return [{ of: 'group', index: group, direction }];
    const measurement = measurements.findIndex(({ id }) => id === by);
    if (measurement !== -1) return [{ of: 'measurement', index: measurement, direction }];
    return this.notOneOf(
      [...groups, ...measurements].map(({ id }) => id),
      path,
    );
  }

  takesAll({ filters, groupBy, measurements }: ReportBody): boolean {
    const { leftOut } = DATASOURCES[this.datasource];
    return [...filters, ...groupBy, ...measurements].some(({ column }) => column === leftOut?.column);
  }

  private column(id: string, path: string[]): ReportColumn | undefined {
    const column = findColumn(this.datasource, id);
    if (!column) this.notOneOf(Object.keys(DATASOURCES[this.datasource].columns), path);
    return column;
  }

  private claim(id: string, path: string[]): boolean {
    const isFree = !this.ids.has(id);
    if (!isFree) this.reject('is taken by another group or measurement', path);
    this.ids.add(id);
    return isFree;
  }

  private notOneOf(names: readonly string[], path: string[]): [] {
    const message = names.length > 0 ? `must be one of ${names.join(', ')}` : 'the column allows none';
    this.issues.push({ code: 'invalid_enum_value', message, path });
    return [];
  }

  private reject(message: string, path: string[]): [] {
    this.issues.push({ code: 'custom', message, path });
    return [];
  }
}

/** Returns the schema of a filter's value, which converts it to the values that SQL compares with. */
function valuesOf(column: ReportColumn, operator: Operator): z.ZodType<SqlValue[]> {
  const value = VALUE_OF[column.type](column);
  switch (operator) {
    case 'isNull':
    case 'isNotNull':
      return z.unknown().transform(() => []);
    case 'in':
    case 'notIn':
      return z.array(value).min(1).max(MAX_LIST);
    case 'between':
      return z.tuple([value, value]);
    default:
      return value.transform((one) => [one]);
  }
}

const VALUE_OF: Readonly<Record<ColumnType, (column: ReportColumn) => z.ZodType<SqlValue>>> = {
  string: () => z.string(),
  number: () => z.number(),
  boolean: () => z.boolean().transform(Number),
  date: () => givenTime.transform((text) => Date.parse(text)),
  enum: ({ values = [] }) => z.enum(values),
  relation: () => uuid,
};
