import { invalid } from '../../contract/errors.ts';
import { paginate } from '../../contract/paging.ts';
import { isoTime } from '../../contract/values.ts';
import { type RateSumsRow, sumsOfRow } from '../../evaluate/rate-sums.ts';
import { type RateInterval, rateIntervalOfTasks } from '../../evaluate/statistics/rate-interval.ts';
import type { Database, SqlValue } from '../../storage/database.ts';
import type { Reviewer } from '../../contract/reviewer.ts';
import type { SqlFragment } from '../../storage/sql.ts';
import { type Shown, shownTo } from '../../traces/withheld/store.ts';
import type { CorrectedRate } from '../definitions/corrected-rate.ts';
import { correctedRateOfSums, type JudgedSumsRow } from '../definitions/corrected-store.ts';
import { judgeStandings } from '../definitions/standing.ts';
import { shownOrNull } from '../tests/rate-interval.ts';
import type { ReportColumn } from './column.ts';
import { compileIntervals, compileJudged, compileReport, compileValues, type ValuesOf } from './compile.ts';
import type { ColumnValue, ReportAnswer } from './contract.ts';
import { DATASOURCES, findColumn } from './datasources.ts';
import type { ReportPlan, PlannedGroup, PlannedMeasurement } from './plan.ts';

/** Most rows of a report, which SQLite sorts in memory. */
const MAX_ROWS = 2_000_000;
const MAX_VALUES = 1_000;
/** Column of evals by which a report must be grouped to have corrected pass rates. */
const DEFINITION_COLUMN = 'evalDefinition';
/** Most groups whose intervals are computed. */
const MAX_INTERVALS = 10_000;

type Row = Readonly<Record<string, SqlValue>> & { total: number; scanned: number };

/** Runs a report. Throws `invalid` when the filters leave too many rows. */
function runReport(
  database: Database,
  {
    application,
    plan: requested,
    reviewer,
    now,
    maxRows = MAX_ROWS,
  }: { application: number; plan: ReportPlan; reviewer?: Reviewer; now: number; maxRows?: number },
): ReportAnswer {
  const shown = reviewer ? shownTo(database, { application, reviewer, now }) : null;
  const plan = shown ? { ...requested, shown: shownRows(requested, shown) } : requested;
  const { sql, values } = compileReport(plan, application, maxRows);
  const rows = database.all<Row>(sql, values);
  const [{ total, scanned }] = rows as [Row];
  if (scanned > maxRows)
    throw invalid([
      { code: 'too_big', message: `must leave at most ${maxRows} rows to read`, path: ['filters'] },
    ]);
  if (plan.withIntervals && total > MAX_INTERVALS)
    throw invalid([
      {
        code: 'too_big',
        message: `must be false with more than ${MAX_INTERVALS} groups; got ${total}`,
        path: ['withIntervals'],
      },
    ]);
  const intervals = plan.withIntervals ? intervalsOf(database, { application, plan, maxRows }) : null;
  const corrected = plan.withIntervals
    ? correctedOf(database, { application, plan, maxRows, rows, now })
    : null;
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
        ...(intervals && { passRateInterval: shownOrNull(intervals.get(groupKey(plan, row))) }),
        ...(corrected && { correctedPassRate: corrected.get(groupKey(plan, row)) ?? null }),
      })),
    columns: [...plan.groups.map(groupColumn), ...plan.measurements.map(measurementColumn)],
    pagination: paginate(plan, total),
  };
}

/** Returns the conditions of the rows of a report whose verdicts the caller may see: a report could single them out. */
function shownRows({ datasource }: ReportPlan, { trace, test, task, topic }: Shown): SqlFragment[] {
  switch (datasource) {
    case 'eval':
      return [trace('eval.trace_id'), test('eval.test_id')];
    case 'test':
      return [test('test.id')];
    case 'human_annotation':
      return [trace('human_annotation.trace_id')];
    case 'task':
      return [task('task.id')];
    case 'topic':
      return [topic('topic.id')];
    default:
      return [];
  }
}

/** Returns the intervals of the pass rates of all groups, by their keys. */
function intervalsOf(
  database: Database,
  { application, plan, maxRows }: { application: number; plan: ReportPlan; maxRows: number },
): Map<string, RateInterval> {
  const { clusters, passRate } = DATASOURCES[plan.datasource];
  if (!clusters || passRate === undefined) return new Map();
  const column = findColumn(plan.datasource, passRate) as ReportColumn;
  const { sql, values } = compileIntervals(plan, { ...clusters, passRate: column.sql }, application, maxRows);
  const rows = database.all<RateSumsRow & Record<string, SqlValue>>(sql, values);
  return new Map(
    rows
      .filter(({ tests }) => tests !== null)
      .map((row) => [groupKey(plan, row), rateIntervalOfTasks(sumsOfRow(row))]),
  );
}

/** Returns the corrected pass rates of the groups by their keys; null in a report that is not by definition of evals. */
function correctedOf(
  database: Database,
  {
    application,
    plan,
    maxRows,
    rows,
    now,
  }: { application: number; plan: ReportPlan; maxRows: number; rows: readonly Row[]; now: number },
): Map<string, CorrectedRate> | null {
  const { clusters } = DATASOURCES[plan.datasource];
  const place = plan.groups.findIndex(({ id }) => id === DEFINITION_COLUMN);
  if (plan.datasource !== 'eval' || !clusters || place === -1) return null;
  const definitionOf = (row: Readonly<Record<string, SqlValue>>): string => String(row[`g${place}`]);
  const { gated } = judgeStandings(database, { application, ids: new Set(rows.map(definitionOf)), now });
  if (gated.size === 0) return new Map();
  const { sql, values } = compileJudged(plan, clusters, application, maxRows);
  const found = database.all<JudgedSumsRow & Record<string, SqlValue>>(sql, values);
  return new Map(
    found.map((row) => [groupKey(plan, row), correctedRateOfSums(gated.get(definitionOf(row)), row)]),
  );
}

const groupKey = ({ groups }: ReportPlan, row: Readonly<Record<string, SqlValue>>): string =>
  JSON.stringify(groups.map((_, index) => row[`g${index}`] ?? null));

function groupValue(
  { type }: ReportColumn,
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
