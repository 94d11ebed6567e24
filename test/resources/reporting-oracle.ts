/** What a report should answer, computed by plain loops over what the rows should show. */
import type { ReportAnswer, ReportBody } from '../../src/resources/reporting/contract.ts';
import { DATASOURCES, findColumn } from '../../src/resources/reporting/datasources.ts';
import type { ReportColumn, Operator } from '../../src/resources/reporting/column.ts';
import { truncateTime } from '../../src/storage/sqlite/truncate-time.ts';
import type { StoredRows, Value, View } from './reporting-rows.ts';

type Answered = Pick<ReportAnswer, 'data'> & { total: number };
type Filter = ReportBody['filters'][number];
type Measurement = ReportBody['measurements'][number];

const truncate = truncateTime();

export function expectedReport({ views, names }: StoredRows, body: ReportBody): Answered {
  const { datasource, filters, groupBy, measurements, orderBy, timeZone, skip, limit } = body;
  const column = (id: string): ReportColumn => findColumn(datasource, id) as ReportColumn;
  const asked = [...filters, ...groupBy, ...measurements].some((part) => part.column === 'superseded');
  const rows = views[datasource].filter(
    (view) =>
      (datasource !== 'eval' || asked || view['superseded'] === false) &&
      filters.every((filter) => meets(view, filter, column(filter.column))),
  );

  const groups = new Map<string, { key: Value[]; rows: View[] }>();
  if (groupBy.length === 0) groups.set('[]', { key: [], rows: [] });
  for (const row of rows) {
    let keys: Value[][] = [[]];
    for (const { column: id, truncate: unit } of groupBy) {
      const values = valuesOf(row, id).map((value) =>
        unit && typeof value === 'number' ? truncate(value, unit, timeZone) : value,
      );
      keys = keys.flatMap((key) => (values.length > 0 ? values : [null]).map((value) => [...key, value]));
    }
    for (const key of keys) {
      const text = JSON.stringify(key);
      const group = groups.get(text) ?? { key, rows: [] };
      groups.set(text, group);
      group.rows.push(row);
    }
  }

  const shown = [...groups.values()].map(({ key, rows: own }) => ({
    key,
    measured: measurements.map((measurement) => measure(measurement, datasource, own)),
  }));
  const nameOfKey = (key: readonly Value[], index: number): Value[] => {
    const value = key[index] ?? null;
    const { type } = column(groupBy[index]?.column ?? '');
    return type === 'relation' && value !== null ? [names.get(String(value)) ?? value, value] : [value];
  };
  const aliases = measurements.map(aliasOf);
  shown.sort((a, b) => {
    for (const { by, direction } of orderBy) {
      const group = groupBy.findIndex((one) => one.column === by);
      const [left, right] =
        group === -1
          ? [[a.measured[aliases.indexOf(by)] ?? null], [b.measured[aliases.indexOf(by)] ?? null]]
          : [nameOfKey(a.key, group), nameOfKey(b.key, group)];
      const difference = compareLists(left, right, direction);
      if (difference !== 0) return difference;
    }
    for (const index of groupBy.keys()) {
      const difference = compareLists(nameOfKey(a.key, index), nameOfKey(b.key, index), 'asc');
      if (difference !== 0) return difference;
    }
    return 0;
  });

  return {
    total: shown.length,
    data: shown.slice(skip, skip + limit).map(({ key, measured }) => ({
      groups: Object.fromEntries(
        groupBy.map(({ column: id }, index) => [id, wire(key[index] ?? null, column(id), names)]),
      ),
      values: Object.fromEntries(
        measurements.map((one, index) => {
          const value = measured[index] ?? null;
          if (value === null) return [aliases[index] ?? '', null];
          const isDate = one.column !== undefined && column(one.column).type === 'date';
          const isTime = isDate && ['min', 'max'].includes(one.aggregation);
          return [aliases[index] ?? '', isTime ? new Date(Number(value)).toISOString() : Number(value)];
        }),
      ),
    })),
  };
}

export function expectedValues(
  { views, names }: StoredRows,
  datasource: ReportBody['datasource'],
  id: string,
  search: string | null,
): { id: string; name: string }[] {
  const column = findColumn(datasource, id) as ReportColumn;
  const rows = views[datasource].filter(
    (view) => datasource !== 'eval' || id === 'superseded' || view['superseded'] === false,
  );
  const values = [...new Set(rows.flatMap((row) => valuesOf(row, id)))].filter((value) => value !== null);
  const shown = values.map((value) => {
    const answered = wire(value, column, names);
    if (typeof answered === 'object' && answered) return { value, shown: answered };
    return { value, shown: { id: String(answered), name: String(answered) } };
  });
  const byValue = column.type === 'number' || column.type === 'date';
  return shown
    .filter(({ shown: { name } }) => search === null || name.toUpperCase().includes(search.toUpperCase()))
    .sort((a, b) =>
      byValue
        ? compare(a.value, b.value)
        : compareLists([a.shown.name, a.value], [b.shown.name, b.value], 'asc'),
    )
    .map((one) => one.shown);
}

export const aliasOf = ({ as, aggregation, column }: Measurement): string =>
  as ?? (column === undefined ? aggregation : `${aggregation}_${column}`);

export function valuesOf(view: View, id: string): readonly Value[] {
  const value = view[id];
  if (value === undefined) throw new Error(`no view shows ${id}`);
  return Array.isArray(value) ? (value as readonly Value[]) : [value as Value];
}

const wire = (
  value: Value,
  { type }: ReportColumn,
  names: ReadonlyMap<string, string>,
): Value | { id: string; name: string } => {
  if (value === null) return null;
  if (type === 'date') return new Date(Number(value)).toISOString();
  return type === 'relation' ? { id: String(value), name: names.get(String(value)) ?? String(value) } : value;
};

/** A row with several values meets what one of them meets; an opposite holds where the other does not. */
function meets(view: View, { column: id, operator, value: given }: Filter, { type }: ReportColumn): boolean {
  const values = valuesOf(view, id).filter((value) => value !== null);
  const parse = (one: unknown): Value => (type === 'date' ? Date.parse(String(one)) : (one as Value));
  const wanted = (Array.isArray(given) ? given : [given]).map(parse);
  const [first = '', second = ''] = wanted.filter((one) => one !== null);
  const holds: Record<Operator, () => boolean> = {
    eq: () => values.includes(first),
    ne: () => !values.includes(first),
    in: () => values.some((value) => wanted.includes(value)),
    notIn: () => !values.some((value) => wanted.includes(value)),
    lt: () => values.some((value) => compare(value, first) < 0),
    lte: () => values.some((value) => compare(value, first) <= 0),
    gt: () => values.some((value) => compare(value, first) > 0),
    gte: () => values.some((value) => compare(value, first) >= 0),
    between: () => values.some((value) => compare(value, first) >= 0 && compare(value, second) <= 0),
    contains: () => values.some((value) => String(value).toUpperCase().includes(String(first).toUpperCase())),
    isNull: () => values.length === 0,
    isNotNull: () => values.length > 0,
  };
  return holds[operator]();
}

function measure(
  { aggregation, column }: Measurement,
  datasource: ReportBody['datasource'],
  rows: View[],
): Value {
  const id = aggregation === 'passRate' ? DATASOURCES[datasource].passRate : column;
  const values = rows
    .flatMap((row) => (id === undefined ? [true] : valuesOf(row, id)))
    .filter((one) => one !== null);
  const numbers = values.map(Number).sort((a, b) => a - b);
  const sum = numbers.reduce((total, value) => total + value, 0);
  if (aggregation === 'count') return values.length;
  if (aggregation === 'countDistinct') return new Set(values).size;
  if (numbers.length === 0) return null;
  switch (aggregation) {
    case 'sum':
      return sum;
    case 'avg':
    case 'passRate':
      return sum / numbers.length;
    case 'min':
      return numbers[0] as number;
    case 'max':
      return numbers.at(-1) as number;
    default: {
      const place =
        ((aggregation === 'median' ? 50 : Number(aggregation.slice(1))) / 100) * (numbers.length - 1);
      const low = numbers[Math.floor(place)] as number;
      const high = numbers[Math.ceil(place)] as number;
      return low + (high - low) * (place - Math.floor(place));
    }
  }
}

/** Texts as SQLite orders them: by their bytes. */
function compare(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}

/** Empty last in both directions. */
function compareLists(a: readonly Value[], b: readonly Value[], direction: 'asc' | 'desc'): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? null;
    if (left === null || right === null) {
      if (left === right) continue;
      return left === null ? 1 : -1;
    }
    const difference = compare(left, right);
    if (difference !== 0) return direction === 'asc' ? difference : -difference;
  }
  return 0;
}
