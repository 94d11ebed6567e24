import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { pagination } from '../../contract/paging.ts';
import { isTimezone } from '../../deliver/schedule.ts';
import { TRUNCATE_UNITS } from '../../storage/dialect.ts';
import { correctedRate } from '../definitions/corrected-rate.ts';
import { rateInterval } from '../tests/rate-interval.ts';
import { AGGREGATIONS, COLUMN_TYPES, OPERATORS } from './column.ts';
import { datasourceId } from './datasources.ts';

const MAX_TEXT = 1_000;
export const MAX_LIST = 100;

export const datasourcePath = z.object({ id: datasourceId });
export const columnPath = datasourcePath.extend({ columnId: z.string().max(MAX_TEXT) });

export const datasourceRecord = namedObject('Datasource', {
  id: datasourceId,
  title: z.string(),
  description: z.string(),
});

const columnType = z.enum(COLUMN_TYPES);
const unit = z.string().nullable().describe('Unit of its numbers; null for none.');

export const columnRecord = namedObject('Column', {
  id: z.string().describe('Name of the column in reports.'),
  title: z.string(),
  type: columnType,
  description: z.string(),
  unit,
  isMany: z
    .boolean()
    .describe('True if a row may have several values; it then counts in the group of each of them.'),
  isGroupable: z.boolean(),
  truncations: z
    .array(z.enum(TRUNCATE_UNITS))
    .describe('Units to which a group by this column can be truncated.'),
  operators: z.array(z.enum(OPERATORS)).describe('Operators that filters may use.'),
  aggregations: z.array(z.enum(AGGREGATIONS)).describe('Aggregations that measurements may use.'),
  values: z.array(z.string()).nullable().describe('All possible values; null when they are not listed.'),
});
export type ColumnRecord = z.input<typeof columnRecord>;

export const valuesQuery = z.object({
  search: z
    .string()
    .min(1)
    .max(MAX_TEXT)
    .optional()
    .describe('Part of the name, ignoring case; no character has a special meaning.'),
});

export const columnValue = namedObject('ColumnValue', {
  id: z.string().describe('Value as text; for a relation, the id of the record.'),
  name: z.string().describe('Value as text; for a relation, the name of the record, if it has one.'),
});
export type ColumnValue = z.input<typeof columnValue>;

const columnId = z.string().max(MAX_TEXT).describe('Id of a column of the datasource.');
const scalar = z.union([z.string().max(MAX_TEXT), z.number(), z.boolean()]);

const filter = z.object({
  column: columnId,
  operator: z
    .enum(OPERATORS)
    .describe('`ne` and `notIn` include rows without a value; `between` includes both ends.'),
  value: z
    .union([scalar, z.array(scalar).max(MAX_LIST)])
    .optional()
    .describe(
      'Value to compare with: a text, a number, true or false, an ISO 8601 time or an id. `in` and `notIn` require a list, `between` a pair, `isNull` and `isNotNull` no value.',
    ),
});
export type Filter = z.output<typeof filter>;

const group = z.object({
  column: columnId,
  truncate: z
    .enum(TRUNCATE_UNITS)
    .optional()
    .describe('Unit to which dates are truncated, in `timeZone`. Weeks begin on Monday.'),
});
export type Group = z.output<typeof group>;

const measurement = z.object({
  aggregation: z
    .enum(AGGREGATIONS)
    .describe(
      '`count` counts rows; with a column, those that have a value. `passRate`, in percent, accepts no column: it is the mean of the datasource’s pass rate. Percentiles interpolate.',
    ),
  column: columnId.optional(),
  as: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, 'must be a letter and up to 63 letters, digits and _')
    .optional()
    .describe('Name of the measurement in the response. Default: the aggregation, or `aggregation_column`.'),
});
export type Measurement = z.output<typeof measurement>;

const order = z.object({
  by: z.string().max(MAX_TEXT).describe('A column of `groupBy`, or the name of a measurement.'),
  direction: z.enum(['asc', 'desc']).default('asc'),
});

export const reportBody = z.object({
  datasource: datasourceId,
  filters: z.array(filter).max(50).default([]).describe('Filters, all of which a row must meet.'),
  groupBy: z
    .array(group)
    .max(5)
    .default([])
    .describe('Columns to group by. Without them all rows are one group.'),
  timeZone: z
    .string()
    .max(64)
    .refine(isTimezone, {
      error: 'must be an IANA time zone, such as Europe/Berlin',
      params: { code: 'invalid_string' },
    })
    .default('UTC')
    .describe('IANA time zone in which dates are truncated.'),
  measurements: z.array(measurement).min(1).max(10),
  orderBy: z
    .array(order)
    .max(15)
    .default([])
    .describe(
      'Order of the groups. Ties, and the default order, are by the groups. Relations are ordered by name; empty values are last.',
    ),
  withIntervals: z
    .boolean()
    .default(false)
    .describe(
      'Add the 95 % interval of the pass rate of each group, for examples like these; in a report of evals by `evalDefinition` also the corrected pass rate. For `test` and `eval`, and at most 10000 groups.',
    ),
  limit: z.int().min(1).max(1_000).default(100),
  skip: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
});
export type ReportBody = z.output<typeof reportBody>;

const groupValue = z
  .union([z.string(), z.number(), z.boolean(), z.object({ id: z.string(), name: z.string() })])
  .nullable()
  .describe('Null for rows without a value. For a truncated date, the start of the hour, day and so on.');

export const report = namedObject('Report', {
  data: z.array(
    z.object({
      groups: z.record(z.string(), groupValue).describe('Values of the group, by the id of the column.'),
      values: z
        .record(z.string(), z.union([z.number(), z.string()]).nullable())
        .describe('Values of the measurements, by name. Null when no row has a value.'),
      passRateInterval: rateInterval
        .nullable()
        .optional()
        .describe(
          'Interval of the pass rate, in percent; null when no row has one. Present only with `withIntervals`. In a report of evals, `tests` counts evals.',
        ),
      correctedPassRate: correctedRate.optional(),
    }),
  ),
  columns: z.array(
    z.object({
      id: z.string().describe('Name in `groups` or `values`.'),
      role: z.enum(['group', 'measurement']),
      column: z.string().nullable(),
      title: z.string(),
      type: columnType,
      unit,
    }),
  ),
  pagination: pagination.describe('`total` counts groups.'),
});
export type ReportAnswer = z.input<typeof report>;
