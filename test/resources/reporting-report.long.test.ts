import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { aggregationsOf, type ReportColumn, operatorsOf } from '../../src/resources/reporting/column.ts';
import { type ReportAnswer, type ReportBody, reportBody } from '../../src/resources/reporting/contract.ts';
import { DATASOURCES, datasourceId, findColumn } from '../../src/resources/reporting/datasources.ts';
import { planReport } from '../../src/resources/reporting/plan.ts';
import { reportingQueries } from '../../src/resources/reporting/store.ts';
import type { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import { TRUNCATE_UNITS } from '../../src/storage/dialect.ts';
import { type Folder, openDatabase, temporaryFolder } from '../support/storage.ts';
import { aliasOf, expectedReport, expectedValues, valuesOf } from './reporting-oracle.ts';
import { type StoredRows, storeRows, TEXTS, type Value } from './reporting-rows.ts';

const OURS = 1;
const THEIRS = 2;
const EMPTY = 3;

let folder: Folder;
let database: SqliteDatabase;
let rows: StoredRows;
beforeAll(() => {
  folder = temporaryFolder();
  database = openDatabase(folder.file('store.db'));
  database.connection.transaction(() => {
    rows = storeRows(database, OURS, 1);
    storeRows(database, THEIRS, 2);
    pointAtOurs();
  })();
});
afterAll(() => {
  database.connection.close();
  folder[Symbol.dispose]();
});

/** Rows of another application may name ours: a span carries any test id its sender likes. */
function pointAtOurs(): void {
  for (const sql of [
    `INSERT INTO trace_test SELECT DISTINCT 2, test_id, 2000001, 0, 0 FROM trace_test WHERE application = 1`,
    `UPDATE trace SET trace_id = (SELECT trace_id FROM human_annotation WHERE application = 1 ORDER BY id LIMIT 1)
       WHERE tkey = 2000001`,
    `INSERT INTO task_tag SELECT 2, task_id, (SELECT min(id) FROM tag WHERE application = 2) FROM task_tag
       WHERE application = 1 GROUP BY task_id`,
    `INSERT INTO task_tag SELECT 2, 'any', id FROM tag WHERE application = 1`,
    `INSERT INTO figure (application, kind, id, tests, pass_rate, health)
       SELECT 2, kind, id, tests + 1, 0.3, 1 FROM figure WHERE application = 1`,
    `INSERT INTO definition_link (application, definition_id, kind, target_id, config, created_at)
       SELECT 2, 'any', kind, target_id, '{}', 0 FROM definition_link WHERE application = 1 GROUP BY kind, target_id`,
    `INSERT INTO test_event (application, test_id, at, phase, detail)
       SELECT 2, id, created_at + 1, 'done', '' FROM test WHERE application = 1`,
    `UPDATE task SET topic_id = (SELECT min(id) FROM topic WHERE application = 1) WHERE application = 2`,
    `UPDATE eval SET passed = 0, superseded = 0, test_id = ours.id
       FROM (SELECT id, row_number() OVER () AS n FROM test WHERE application = 1) AS ours,
         (SELECT id, row_number() OVER () AS n FROM eval WHERE application = 2) AS theirs
       WHERE theirs.n = ours.n AND eval.id = theirs.id`,
    `UPDATE eval SET passed = 0, superseded = 0, trace_id = ours.trace_id
       FROM (SELECT trace_id, row_number() OVER () AS n FROM trace WHERE application = 1) AS ours,
         (SELECT id, row_number() OVER () AS n FROM eval WHERE application = 2) AS theirs
       WHERE theirs.n = ours.n AND eval.id = theirs.id`,
  ])
    expect(database.run(sql)).toBeGreaterThan(0);
}

const run = (body: unknown, application = OURS): ReportAnswer =>
  reportingQueries.runReport(database, { application, plan: planReport(reportBody.parse(body)), now: 0 });

/** Percentiles may differ in their last digits. */
const settled = ({ data, total }: { data: unknown; total: number }): unknown =>
  JSON.parse(JSON.stringify({ data, total }), (_key, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(12)) : value,
  );

function answered(body: unknown): unknown {
  const { data, pagination } = run(body);
  return settled({ data, total: pagination.total });
}

const expected = (body: unknown): unknown => settled(expectedReport(rows, reportBody.parse(body)));

const COLUMNS = datasourceId.options.flatMap((datasource) =>
  Object.entries(DATASOURCES[datasource].columns).map(([id, column]) => ({ datasource, id, column })),
);

/** How a filter writes `value`. */
const written = ({ type }: ReportColumn, value: Value): unknown =>
  type === 'date' ? new Date(Number(value)).toISOString() : value;

/** What a filter of the operator is given, of `values` that the column may have. */
function operand(operator: string, values: readonly unknown[]): unknown {
  if (operator === 'isNull' || operator === 'isNotNull') return undefined;
  if (operator === 'in' || operator === 'notIn') return values.slice(0, 3);
  if (operator === 'between') return [values[0], values[1] ?? values[0]];
  return operator === 'contains' ? String(values[0]).slice(0, 3).toLowerCase() : values[0];
}

const presentValues = (datasource: ReportBody['datasource'], id: string): Value[] =>
  [...new Set(rows.views[datasource].flatMap((view) => valuesOf(view, id)))].filter((one) => one !== null);

describe('every column', () => {
  it.each(COLUMNS)('$id of $datasource can be filtered by', ({ datasource, id, column }) => {
    const values = presentValues(datasource, id).map((value) => written(column, value));
    expect(values.length).toBeGreaterThan(0);
    for (const operator of operatorsOf(column)) {
      const filter = { column: id, operator, value: operand(operator, values) };
      const report = { datasource, filters: [filter], measurements: [{ aggregation: 'count' }] };
      expect(answered(report), operator).toEqual(expected(report));
    }
  });

  it.each(COLUMNS.filter(({ column }) => !column.isContinuous))(
    '$id of $datasource can be grouped by',
    ({ datasource, id, column }) => {
      const report = { datasource, measurements: [{ aggregation: 'count' }], limit: 1_000 };
      const whole = { ...report, groupBy: [{ column: id }] };
      expect(answered(whole)).toEqual(expected(whole));
      for (const truncate of column.type === 'date' ? TRUNCATE_UNITS : [])
        for (const timeZone of ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns']) {
          const cut = { ...report, groupBy: [{ column: id, truncate }], timeZone };
          expect(answered(cut), `${truncate} ${timeZone}`).toEqual(expected(cut));
        }
    },
  );

  it.each(COLUMNS.filter(({ column }) => aggregationsOf(column).length > 0))(
    '$id of $datasource can be measured',
    ({ datasource, id, column }) => {
      const measurements = aggregationsOf(column).map((aggregation) => ({ aggregation, column: id }));
      for (const groupBy of [[], [{ column: 'createdAt', truncate: 'week' }]]) {
        const report = { datasource, measurements, groupBy };
        expect(answered(report)).toEqual(expected(report));
      }
    },
  );

  it.each(COLUMNS)('$id of $datasource tells its values', ({ datasource, id, column }) => {
    const takesAll = DATASOURCES[datasource].leftOut?.column === id;
    const values = (search: string | null, application = OURS): unknown =>
      reportingQueries.listColumnValues(database, { application, datasource, column, takesAll, search });
    const all = expectedValues(rows, datasource, id, null);
    expect(values(null)).toEqual(all);
    const part = all[0]?.name.slice(1, 4).toLowerCase() ?? '';
    expect(values(part)).toEqual(expectedValues(rows, datasource, id, part));
    expect(values('no value has this')).toEqual([]);
    expect(values(null, EMPTY)).toEqual([]);
  });
});

describe('a report', () => {
  it('says what plain loops over the rows say', () => {
    const anyReport = fc
      .constantFrom(...datasourceId.options)
      .chain((datasource) => anyReportOf(datasource, Object.entries(DATASOURCES[datasource].columns)));
    fc.assert(
      fc.property(anyReport, (report) => {
        expect(answered(report)).toEqual(expected(report));
      }),
      { numRuns: 400 },
    );
  });

  it.each(datasourceId.options)('of no %s counts none', (datasource) => {
    const report = { datasource, measurements: [{ aggregation: 'count' }] };
    const { data, pagination } = run(report, EMPTY);
    expect(data).toEqual([{ groups: {}, values: { count: 0 } }]);
    expect(pagination).toEqual({ skip: 0, limit: 100, total: 1, totalPages: 1 });
    const grouped = run({ ...report, groupBy: [{ column: 'createdAt', truncate: 'day' }] }, EMPTY);
    expect(grouped.data).toEqual([]);
    expect(grouped.pagination).toEqual({ skip: 0, limit: 100, total: 0, totalPages: 0 });
  });

  it.each(datasourceId.options)('of each %s can be stopped at every row', (datasource) => {
    const args = { application: OURS, datasource, column: findColumn(datasource, 'id') as ReportColumn };
    const asked = [
      () => run({ datasource, measurements: [{ aggregation: 'count' }] }),
      () => reportingQueries.listColumnValues(database, { ...args, takesAll: true, search: null }),
    ];
    const counted = rows.views[datasource].filter((view) => view['superseded'] !== true).length;
    for (const ask of asked) {
      let calls = 0;
      let last = Number.POSITIVE_INFINITY;
      database.connection.function('in_time', (_key: unknown) => {
        if (++calls > last) throw new AppError('unavailable', 'too long');
        return 1;
      });
      ask();
      expect(calls).toBeGreaterThanOrEqual(counted);
      [calls, last] = [0, 2];
      expect(ask).toThrow('too long');
      expect(calls).toBe(3);
      last = Number.POSITIVE_INFINITY;
    }
  });

  it('can be stopped while it groups, and while it orders', () => {
    const groupBy = [{ column: 'id' }];
    for (const calls of [60, 120]) {
      let left = calls;
      database.connection.function('in_time', (_key: unknown) => {
        if (left-- === 0) throw new AppError('unavailable', 'too long');
        return 1;
      });
      const report = { datasource: 'test', groupBy, measurements: [{ aggregation: 'count' }] };
      expect(() => run(report)).toThrow('too long');
    }
    database.connection.function('in_time', (_key: unknown) => 1);
  });

  it('looks at no more rows than it may, those of each of several values counted', () => {
    const count = { datasource: 'test', measurements: [{ aggregation: 'count' }] };
    const many = rows.views.test.reduce((sum, view) => sum + Math.max(1, valuesOf(view, 'model').length), 0);
    for (const [report, looked] of [
      [count, 60],
      [{ ...count, groupBy: [{ column: 'model' }] }, many],
    ] as const) {
      const runWith = (maxRows: number): ReportAnswer =>
        reportingQueries.runReport(database, {
          application: OURS,
          plan: planReport(reportBody.parse(report)),
          now: 0,
          maxRows,
        });
      expect(runWith(looked)).toEqual(run(report));
      expect(() => runWith(looked - 1)).toThrow(
        `Invalid request: filters: must leave at most ${looked - 1} rows to read`,
      );
    }
  });

  it('tells groups after the last page from none', () => {
    const report = {
      datasource: 'test',
      groupBy: [{ column: 'id' }],
      measurements: [{ aggregation: 'count' }],
    };
    const { data, pagination } = run({ ...report, skip: 1_000 });
    expect([data.length, pagination.total]).toEqual([0, 60]);
  });

  it('leaves out evals that were superseded, unless it names the column', () => {
    const report = { datasource: 'eval', measurements: [{ aggregation: 'count' }] };
    const count = (more: object): unknown =>
      run({ ...report, ...more }).data.map(({ values }) => values['count']);
    const all = rows.views.eval.length;
    const superseded = rows.views.eval.filter((view) => view['superseded']).length;
    expect(superseded).toBeGreaterThan(0);
    expect(count({})).toEqual([all - superseded]);
    expect(count({ groupBy: [{ column: 'superseded' }] })).toEqual([all - superseded, superseded]);
    expect(count({ filters: [{ column: 'superseded', operator: 'eq', value: true }] })).toEqual([superseded]);
    expect(count({ filters: [{ column: 'superseded', operator: 'isNotNull' }] })).toEqual([all]);
  });
});

type Entries = readonly [id: string, column: ReportColumn][];

function anyReportOf(datasource: ReportBody['datasource'], entries: Entries): fc.Arbitrary<unknown> {
  const groupable = entries.filter(([, { isContinuous }]) => !isContinuous);
  const measurable = entries.filter(([, column]) => aggregationsOf(column).length > 0);
  const filter = fc
    .constantFrom(...entries)
    .chain(([id, column]) =>
      fc
        .constantFrom(...operatorsOf(column))
        .chain((operator) =>
          fc
            .array(fc.constantFrom(...anyValues(datasource, id, column)), { minLength: 1, maxLength: 3 })
            .map((values) => ({ column: id, operator, value: operand(operator, values) })),
        ),
    );
  const group = fc
    .constantFrom(...groupable)
    .chain(([id, { type }]) =>
      fc
        .option(fc.constantFrom(...TRUNCATE_UNITS), { nil: undefined })
        .map((truncate) => ({ column: id, truncate: type === 'date' ? truncate : undefined })),
    );
  const ofColumn = fc
    .constantFrom(...measurable)
    .chain(([id, column]) =>
      fc.constantFrom(...aggregationsOf(column)).map((aggregation) => ({ aggregation, column: id })),
    );
  const rateOrCount = DATASOURCES[datasource].passRate === undefined ? ['count'] : ['count', 'passRate'];
  const measurement = fc.oneof(
    ofColumn,
    fc.constantFrom(...rateOrCount).map((aggregation) => ({ aggregation })),
  ) as fc.Arbitrary<ReportBody['measurements'][number]>;
  return fc
    .record({
      datasource: fc.constant(datasource),
      filters: fc.array(filter, { maxLength: 2 }),
      groupBy: fc.uniqueArray(group, { maxLength: 3, selector: ({ column }) => column }),
      measurements: fc.uniqueArray(measurement, { minLength: 1, maxLength: 4, selector: aliasOf }),
      timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/New_York'),
      skip: fc.constantFrom(0, 0, 3, 50),
      limit: fc.constantFrom(1, 5, 1_000),
    })
    .chain((report) => {
      // Percentiles that are nearly the same have no order to rely on.
      const measured = report.measurements.filter(({ aggregation }) => !/^(?:p\d|median)/.test(aggregation));
      const names = [...report.groupBy.map(({ column }) => column), ...measured.map(aliasOf)];
      const order = fc.record({
        by: fc.constantFrom(...(names.length > 0 ? names : ['none'])),
        direction: fc.constantFrom('asc', 'desc'),
      });
      return fc
        .array(order, { maxLength: names.length > 0 ? 2 : 0 })
        .map((orderBy) => ({ ...report, orderBy }));
    });
}

/** Values that rows have, and others. */
function anyValues(datasource: ReportBody['datasource'], id: string, column: ReportColumn): unknown[] {
  const present = presentValues(datasource, id)
    .slice(0, 20)
    .map((value) => written(column, value));
  if (column.type === 'string') return [...present, ...TEXTS];
  return column.type === 'number' ? [...present, -1, 0.3, 1e9] : present;
}
