import { invalid } from '../../contract/errors.ts';
import { paginate } from '../../contract/paging.ts';
import { isoTime } from '../../contract/values.ts';
import type { Database, SqlValue } from '../../storage/database.ts';
import type { Column } from './column.ts';
import { compileReport, compileValues, type ValuesOf } from './compile.ts';
import type { ColumnValue, ReportAnswer } from './contract.ts';
import type { Plan, PlannedGroup, PlannedMeasurement } from './plan.ts';

/** Most rows of a report, which SQLite sorts in memory. */
const MAX_ROWS = 2_000_000;
const MAX_VALUES = 1_000;

type Row = Readonly<Record<string, SqlValue>> & { total: number; scanned: number };

/** Runs a report. Throws `invalid` when the filters leave too many rows. */
function runReport(
  database: Database,
  { application, plan, maxRows = MAX_ROWS }: { application: number; plan: Plan; maxRows?: number },
): ReportAnswer {
  const { sql, values } = compileReport(plan, application, maxRows);
  const rows = database.all<Row>(sql, values);
  const [{ total, scanned }] = rows as [Row];
  if (scanned > maxRows)
    throw invalid([
      { code: 'too_big', message: `must leave at most ${maxRows} rows to read`, path: ['filters'] },
    ]);
  return {
    data: rows
      .filter(({ n }) => n !== null)
      .map((row) => ({
        groups: Object.fromEntries(
          plan.groups.map(({ id, column }, index) => [
            id,
            groupValue(column, row[`g${index}`] ?? null, row[`name${index}`]),
          ]),
        ),
        values: Object.fromEntries(
          plan.measurements.map((measurement, index) => [
            measurement.id,
            measuredValue(measurement, row[`v${index}`] ?? null),
          ]),
        ),
      })),
    columns: [...plan.groups.map(groupColumn), ...plan.measurements.map(measurementColumn)],
    pagination: paginate(plan, total),
  };
}

function groupValue(
  { type }: Column,
  value: SqlValue,
  name: SqlValue | undefined,
): string | number | boolean | { id: string; name: string } | null {
  if (value === null) return null;
  switch (type) {
    case 'boolean':
      return value === 1;
    case 'date':
      return isoTime(Number(value));
    case 'number':
      return Number(value);
    case 'relation':
      return { id: String(value), name: String(name) };
    default:
      return String(value);
  }
}

function measuredValue(measurement: PlannedMeasurement, value: SqlValue): number | string | null {
  if (value === null) return null;
  return typeOf(measurement) === 'date' ? isoTime(Number(value)) : Number(value);
}

/** Returns the type of a measurement: of dates, only the first and the last are dates. */
const typeOf = ({ aggregation, column }: PlannedMeasurement): 'date' | 'number' =>
  column?.type === 'date' && (aggregation === 'min' || aggregation === 'max') ? 'date' : 'number';

const groupColumn = ({ id, column }: PlannedGroup): ReportAnswer['columns'][number] => ({
  id,
  role: 'group',
  column: id,
  title: column.title,
  type: column.type,
  unit: column.unit ?? null,
});

function measurementColumn(measurement: PlannedMeasurement): ReportAnswer['columns'][number] {
  const { id, aggregation, columnId, column } = measurement;
  const isCount = aggregation === 'count' || aggregation === 'countDistinct';
  return {
    id,
    role: 'measurement',
    column: columnId,
    title: column?.title ?? 'Rows',
    type: typeOf(measurement),
    unit: isCount ? null : (column?.unit ?? null),
  };
}

/** Returns the first distinct values of a column, by name. */
function listColumnValues(
  database: Database,
  { application, ...of }: Omit<ValuesOf, 'limit'> & { application: number },
): ColumnValue[] {
  const { sql, values } = compileValues({ ...of, limit: MAX_VALUES }, application);
  return database.all<{ value: SqlValue; name: string }>(sql, values).map(({ value, name }) => {
    const shown = groupValue(of.column, value, name);
    if (typeof shown === 'object' && shown !== null) return shown;
    return { id: String(shown), name: String(shown) };
  });
}

export const reportingQueries = { runReport, listColumnValues };
