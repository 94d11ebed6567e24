import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { operatorsOf } from '../../src/resources/reporting/column.ts';
import { type Compiled, compileReport, compileValues } from '../../src/resources/reporting/compile.ts';
import { reportBody } from '../../src/resources/reporting/contract.ts';
import { DATASOURCES, datasourceId, findColumn } from '../../src/resources/reporting/datasources.ts';
import { planReport } from '../../src/resources/reporting/plan.ts';

const compile = (body: unknown): Compiled => compileReport(planReport(reportBody.parse(body)), 7, 100);

const HOSTILE = fc.oneof(
  fc.string({ minLength: 1, maxLength: 40 }),
  fc.constantFrom(
    "'; DROP TABLE test; --",
    '" OR 1=1 --',
    'status) FROM test; --',
    ':application',
    '?1',
    '__proto__',
    'constructor',
    'prompt',
    'test.prompt',
    'g0',
    '*',
  ),
);

describe('the SQL of a report', () => {
  it('holds no text of the request: only values do', () => {
    const anyReport = fc.record({
      texts: fc.array(HOSTILE, { minLength: 1, maxLength: 5 }),
      as: fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,63}$/),
      timeZone: fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
      truncate: fc.constantFrom('hour', 'day', 'week', 'month', 'quarter', 'year'),
      limit: fc.integer({ min: 1, max: 1_000 }),
    });
    const report = (one: {
      texts: string[];
      as: string;
      timeZone: string;
      truncate: string;
      limit: number;
    }) => ({
      datasource: 'test',
      filters: [
        { column: 'model', operator: 'in', value: one.texts },
        { column: 'model', operator: 'contains', value: one.texts[0] },
        { column: 'createdAt', operator: 'gt', value: '2026-01-01T00:00:00Z' },
      ],
      groupBy: [{ column: 'createdAt', truncate: one.truncate }],
      measurements: [{ aggregation: 'avg', column: 'cost', as: one.as }],
      timeZone: one.timeZone,
      orderBy: [{ by: one.as, direction: 'desc' }],
      limit: one.limit,
      skip: one.limit,
    });
    fc.assert(
      fc.property(anyReport, ({ as: name, ...rest }) => {
        fc.pre(name !== 'createdAt');
        const plain = {
          texts: rest.texts.map(() => 'x'),
          as: 'x',
          timeZone: 'UTC',
          truncate: 'day',
          limit: 1,
        };
        const { sql, values } = compile(report({ as: name, ...rest }));
        // The shape of the request alone makes the text.
        expect(sql).toBe(compile(report(plain)).sql);
        expect(Object.values(values)).toEqual(expect.arrayContaining(rest.texts));
      }),
    );
  });

  it.each(datasourceId.options)(
    'of %s names as many values as it binds, whatever is filtered',
    (datasource) => {
      for (const [id, column] of Object.entries(DATASOURCES[datasource].columns))
        for (const operator of operatorsOf(column)) {
          const one = {
            string: 'text of the request',
            number: 4711,
            boolean: true,
            date: '2026-01-01T00:00:00Z',
            enum: column.values?.[0],
            relation: '7F1D8A52-6C1B-4F0E-9A43-2D5B8C7E1F60',
          }[column.type];
          const isList = ['in', 'notIn', 'between'].includes(operator);
          const filter = { column: id, operator, value: isList ? [one, one] : one };
          const { sql, values } = compile({
            datasource,
            filters: [filter],
            measurements: [{ aggregation: 'count' }],
          });
          const named = new Set([...sql.matchAll(/:([a-z]\w*)/gi)].map(([, name]) => name));
          expect(named, `${id} ${operator}`).toEqual(new Set(Object.keys(values)));
          expect(sql).not.toMatch(/text of the request|4711|7f1d8a52/i);
        }
    },
  );

  it('looks at rows of the application alone, each of which can be the last', () => {
    for (const datasource of datasourceId.options) {
      const { table } = DATASOURCES[datasource];
      const { sql, values } = compile({ datasource, measurements: [{ aggregation: 'count' }] });
      expect(sql).toContain(`WHERE ${table}.application = :application AND in_time(${table}.id)`);
      expect(values).toMatchObject({ application: 7, maxRows: 100 });
    }
  });

  it('of values holds no text to search for', () => {
    fc.assert(
      fc.property(HOSTILE, (search) => {
        const of = { datasource: 'test', takesAll: false, limit: 1 } as const;
        const column = findColumn('test', 'model');
        if (!column) throw new Error('no such column');
        const { sql, values } = compileValues({ ...of, column, search }, 7);
        expect(sql).toBe(compileValues({ ...of, column, search: 'x' }, 7).sql);
        expect(values).toEqual({ application: 7, limit: 1, p0: search });
      }),
    );
  });
});

describe('a name in a request', () => {
  const report = {
    datasource: 'test',
    filters: [{ column: 'status', operator: 'eq', value: 'PENDING' }],
    groupBy: [{ column: 'status' }],
    measurements: [{ aggregation: 'avg', column: 'cost' }],
    orderBy: [{ by: 'status' }],
  };

  it.each<[place: string, change: (name: string) => object, path: string[]]>([
    [
      'a filter',
      (name) => ({ filters: [{ column: name, operator: 'eq', value: 1 }] }),
      ['filters', '0', 'column'],
    ],
    ['a group', (name) => ({ groupBy: [{ column: name }], orderBy: [] }), ['groupBy', '0', 'column']],
    [
      'a measurement',
      (name) => ({ measurements: [{ aggregation: 'count', column: name }] }),
      ['measurements', '0', 'column'],
    ],
    ['an order', (name) => ({ orderBy: [{ by: name }] }), ['orderBy', '0', 'by']],
    [
      'a value of an enum',
      (name) => ({ filters: [{ column: 'status', operator: 'eq', value: name }] }),
      ['filters', '0', 'value'],
    ],
  ])('that is none of ours is rejected as %s', (_place, change, path) => {
    const known = new Set([...Object.keys(DATASOURCES.test.columns), 'avg_cost']);
    fc.assert(
      fc.property(HOSTILE, (name) => {
        fc.pre(!known.has(name));
        let error: unknown;
        try {
          compile({ ...report, ...change(name) });
        } catch (thrown) {
          error = thrown;
        }
        expect(error).toBeInstanceOf(AppError);
        expect((error as AppError).issues).toEqual([
          expect.objectContaining({ code: 'invalid_enum_value', path }),
        ]);
      }),
    );
  });
});
