import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseId } from '../../src/traces/ids.ts';
import type { TraceOrder } from '../../src/traces/list.ts';
import type { TraceFilter } from '../../src/traces/trace-where.ts';
import { BASE_NS, MS, type SpanSpec, traceBytes, uuid, type Values } from '../support/spans.ts';
import {
  openDatabase,
  stopQueries,
  temporaryFolder,
  Tenant,
  type TraceJson,
  useStore,
} from '../support/storage.ts';
import { effort } from '../support/effort.ts';

const { newTenant, database } = useStore();

interface Model {
  trace: number;
  /** Milliseconds; duration too. */
  start: number;
  duration: number;
  testIds: string[];
  session: string | null;
  user: string | null;
  models: string[];
  kinds: string[];
  tags: string[];
  metadata: Record<string, string>;
  environments: string[];
  providers: string[];
  tokens: number;
  errors: number;
  /** In quarters of a dollar. */
  cost: number;
}

const sets = (values: string[]): fc.Arbitrary<string[]> => fc.subarray(values, { maxLength: 2 });
const someModel: fc.Arbitrary<Omit<Model, 'trace'>> = fc.record({
  start: fc.integer({ min: 0, max: 40 }),
  duration: fc.integer({ min: 0, max: 9 }),
  testIds: sets([uuid(1), uuid(2), uuid(3)]),
  session: fc.constantFrom('s1', 's2', null),
  user: fc.constantFrom('u1', 'u2', null),
  models: sets(['m1', 'm2', 'm3']),
  kinds: sets(['LLM', 'TOOL', 'AGENT']),
  tags: sets(['t1', 't2', 't,3']),
  metadata: fc.dictionary(fc.constantFrom('k1', 'k2'), fc.constantFrom('v1', 'v2'), {
    noNullPrototype: true,
  }),
  environments: sets(['prod', 'staging', 'dev']),
  providers: sets(['openai', 'anthropic', 'acme']),
  tokens: fc.nat({ max: 40 }),
  errors: fc.nat({ max: 2 }),
  cost: fc.nat({ max: 8 }),
});
const someModels: fc.Arbitrary<Model[]> = fc
  .array(someModel, { minLength: 1, maxLength: 40, size: 'max' })
  .map((models) => models.map((model, i) => ({ ...model, trace: i + 1 })));

/** Three spans and as many more as the trace has values of one kind. */
function spansOf(model: Model): SpanSpec[] {
  const { trace } = model;
  const start = model.start * MS;
  const spans: Values[] = Array.from({ length: 3 }, (_, i): Values => {
    const [testId, name, kind] = [model.testIds[i], model.models[i], model.kinds[i]];
    const [environment, provider] = [model.environments[i], model.providers[i]];
    return {
      ...(testId === undefined ? {} : { 'service.test.id': testId }),
      ...(name === undefined ? {} : { 'llm.model_name': name }),
      ...(environment === undefined ? {} : { 'deployment.environment.name': environment }),
      ...(provider === undefined ? {} : { 'gen_ai.provider.name': provider }),
      // Else a span that names a model would be an LLM span.
      'openinference.span.kind': kind ?? model.kinds[0] ?? 'odd',
      ...(name !== undefined && kind === undefined && model.kinds.length === 0
        ? { 'touchstone.event': 'log' }
        : {}),
      ...(i === 0 && model.session !== null ? { 'session.id': model.session } : {}),
      ...(i === 0 && model.user !== null ? { 'user.id': model.user } : {}),
      ...(i === 0 ? { 'tag.tags': model.tags, metadata: JSON.stringify(model.metadata) } : {}),
      ...(i === 0 ? { 'gen_ai.usage.cost': model.cost / 4, 'gen_ai.usage.output_tokens': model.tokens } : {}),
    };
  });
  return spans.map((attributes, i) => ({
    trace,
    id: i + 1,
    ...(i > 0 ? { parent: 1 } : {}),
    start,
    end: start + (i === 0 ? model.duration * MS : 0),
    status: i < model.errors ? 2 : 0,
    attributes,
  }));
}

/** Each filter alone: what the API takes, and what that means. */
const FILTERS: [name: string, filter: TraceFilter, matches: (model: Model) => boolean][] = [
  ['one testId', { testId: [uuid(1)] }, ({ testIds }) => testIds.includes(uuid(1))],
  ['several testIds', { testId: [uuid(2), uuid(3)] }, ({ testIds }) => testIds.some((id) => id !== uuid(1))],
  ['a testId nobody has', { testId: [uuid(4)] }, () => false],
  ['sessionId', { sessionId: ['s1'] }, ({ session }) => session === 's1'],
  ['several sessionIds', { sessionId: ['s1', 's2'] }, ({ session }) => session !== null],
  ['userId', { userId: ['u2'] }, ({ user }) => user === 'u2'],
  ['model', { model: ['m1'] }, ({ models }) => models.includes('m1')],
  ['several models', { model: ['m2', 'm3'] }, ({ models }) => models.some((name) => name !== 'm1')],
  ['kind', { kind: ['LLM'] }, ({ kinds }) => kinds.includes('LLM')],
  ['tag', { tag: ['t,3'] }, ({ tags }) => tags.includes('t,3')],
  ['environment', { environment: ['prod'] }, ({ environments }) => environments.includes('prod')],
  [
    'several environments',
    { environment: ['staging', 'dev'] },
    ({ environments }) => environments.some((name) => name !== 'prod'),
  ],
  ['provider', { provider: ['openai'] }, ({ providers }) => providers.includes('openai')],
  [
    'several providers',
    { provider: ['anthropic', 'acme'] },
    ({ providers }) => providers.some((name) => name !== 'openai'),
  ],
  ['metadataKey', { metadataKey: 'k1' }, ({ metadata }) => 'k1' in metadata],
  ['metadataValue', { metadataKey: 'k2', metadataValue: 'v1' }, ({ metadata }) => metadata['k2'] === 'v1'],
  ['hasErrors', { hasErrors: true }, ({ errors }) => errors > 0],
  ['hasErrors false', { hasErrors: false }, ({ errors }) => errors === 0],
  ['minDurationMs', { minDurationMs: 4 }, ({ duration }) => duration >= 4],
  ['maxDurationMs', { maxDurationMs: 4.5 }, ({ duration }) => duration <= 4],
  ['minCost', { minCost: 1 }, ({ cost }) => cost >= 4],
  ['maxCost', { maxCost: 0.5 }, ({ cost }) => cost <= 2],
  ['minTokens', { minTokens: 20 }, ({ tokens }) => tokens >= 20],
  ['maxTokens', { maxTokens: 19 }, ({ tokens }) => tokens <= 19],
  ['search', { search: 'S1' }, ({ session }) => session === 's1'],
  ['startDate', { startDate: BASE_NS + 20n * BigInt(MS) }, ({ start }) => start >= 20],
  ['endDate', { endDate: BASE_NS + 20n * BigInt(MS) }, ({ start }) => start <= 20],
];

const hexOf = ({ trace }: Model): string => traceBytes(trace).toString('hex');
const ascending = (a: Model, b: Model): number => a.start - b.start || (hexOf(a) < hexOf(b) ? -1 : 1);

/** `total` is exact up to here. */
const MAX_TOTAL = 10_000;

describe('listTraces', () => {
  it('leaves out traces that have only spans of deliveries, unless they are requested', () => {
    const tenant = newTenant();
    const delivery = (trace: number): SpanSpec => ({
      trace,
      id: 1,
      name: 'POST webhook',
      attributes: { 'touchstone.delivery': 'attempt', 'service.test.id': uuid(trace) },
      resource: { 'service.name': 'touchstone' },
    });
    tenant.store([delivery(1), delivery(2), { trace: 3, id: 1, name: 'POST webhook' }]);
    const names = (filter: TraceFilter): unknown[] =>
      tenant.list(filter).data.map(({ rootName, spanCount }) => [rootName, spanCount]);
    expect(names({})).toEqual([['POST webhook', 1]]);
    expect(names({ includeDeliveries: true })).toHaveLength(3);
    expect(names({ testId: [uuid(1)] })).toHaveLength(1);
    const resource = { 'service.name': 'app' };
    tenant.store([{ trace: 1, id: 2, parent: 1, name: 'answer', resource }]);
    expect(names({})).toHaveLength(2);
    tenant.rewrite(1);
    expect(names({})).toHaveLength(2);
    // An app that says neither its name nor what its spans are, stored together with the delivery.
    tenant.store([
      delivery(4),
      { trace: 4, id: 2, parent: 1, name: 'reply' },
      { trace: 4, id: 3, parent: 2 },
    ]);
    expect(names({ testId: [uuid(4)] })).toEqual([['reply', 3]]);
    expect(names({})).toHaveLength(3);
    tenant.rewrite(4);
    expect(names({})).toHaveLength(3);
  });

  it('leaves out traces of samples, unless they are requested', () => {
    const tenant = newTenant();
    const insert = 'INSERT INTO sample_test (application, test_id, created_at) VALUES (?, ?, 0)';
    database().run(insert, tenant.application, parseId(uuid(1)));
    const spans = [1, 2].map((trace) => ({
      trace,
      id: 1,
      attributes: { 'service.test.id': uuid(trace) },
    }));
    tenant.store(spans);
    tenant.store([{ trace: 1, id: 2 }]);
    const traces = (filter: TraceFilter): unknown[] =>
      tenant.list(filter).data.map(({ testId, flags }) => [testId, flags]);
    expect(traces({})).toEqual([[uuid(2), []]]);
    expect(traces({ includeSamples: true })).toHaveLength(2);
    expect(traces({ testId: [uuid(1)] })).toEqual([[uuid(1), ['sample']]]);
    tenant.rewrite(1);
    expect(traces({})).toHaveLength(1);
  });

  const filled = (models: Model[]): Tenant => {
    const tenant = newTenant();
    const other = newTenant();
    for (const model of models) tenant.store(spansOf(model));
    for (const model of models.slice(0, 3)) other.store(spansOf({ ...model, trace: model.trace + 500 }));
    return tenant;
  };
  const idsOf = (page: { data: { otelTraceId: string }[] }): string[] =>
    page.data.map(({ otelTraceId }) => otelTraceId);

  it.each(FILTERS)('by %s returns what a look at every trace does', (_name, filter, matches) => {
    fc.assert(
      fc.property(someModels, (models) => {
        const expected = models.filter(matches).sort(ascending).map(hexOf);
        const page = filled(models).list(filter, { limit: 100, orderDir: 'asc' });
        expect(idsOf(page)).toEqual(expected);
        expect(page.pagination.total).toBe(expected.length);
      }),
      { numRuns: effort(3) },
    );
  });

  it('by any two filters together returns what has both', () => {
    fc.assert(
      fc.property(someModels, (models) => {
        const tenant = filled(models);
        for (const [, one, matchesOne] of FILTERS) {
          for (const [, two, matchesTwo] of FILTERS) {
            if (Object.keys(one).some((key) => key in two)) continue;
            const expected = models.filter((model) => matchesOne(model) && matchesTwo(model));
            const page = tenant.list({ ...one, ...two }, { limit: 100, orderDir: 'asc' });
            expect(idsOf(page)).toEqual(expected.sort(ascending).map(hexOf));
          }
        }
      }),
      { numRuns: effort(1) },
    );
  });

  it('pages through everything once, in either direction, equal times by id', () => {
    const pages = fc.tuple(
      someModels,
      fc.integer({ min: 1, max: 7 }),
      fc.constantFrom('asc', 'desc'),
      fc.boolean(),
    );
    fc.assert(
      fc.property(pages, ([models, limit, orderDir, sameTime]) => {
        const all = sameTime ? models.map((model) => ({ ...model, start: 0 })) : models;
        const tenant = filled(all);
        const found: string[] = [];
        for (let skip = 0; skip < all.length; skip += limit) {
          const page = tenant.list({}, { skip, limit, orderDir });
          expect(page.data.length).toBeLessThanOrEqual(limit);
          const total = all.length;
          expect(page.pagination).toEqual({ skip, limit, total, totalPages: Math.ceil(total / limit) });
          found.push(...idsOf(page));
        }
        const sorted = all.toSorted(ascending).map(hexOf);
        expect(found).toEqual(orderDir === 'asc' ? sorted : sorted.reverse());
        expect(tenant.list({}, { skip: all.length, orderDir }).data).toEqual([]);
      }),
      { numRuns: effort(10) },
    );
  });

  it.each<[TraceOrder, (trace: TraceJson) => number]>([
    ['durationMs', (trace) => trace['durationMs'] as number],
    ['cost', (trace) => (trace['cost'] as number | null) ?? 0],
    ['totalTokens', (trace) => trace.usage.promptTokens + trace.usage.completionTokens],
  ])('pages through everything in the order of %s, equal ones by id', (orderBy, valueOf) => {
    const pages = fc.tuple(someModels, fc.integer({ min: 1, max: 7 }), fc.constantFrom('asc', 'desc'));
    fc.assert(
      fc.property(pages, ([models, limit, orderDir]) => {
        const tenant = filled(models);
        const found: TraceJson[] = [];
        for (let skip = 0; skip < models.length; skip += limit)
          found.push(...tenant.list({}, { skip, limit, orderBy, orderDir }).data);
        const compare = (a: TraceJson, b: TraceJson): number =>
          valueOf(a) - valueOf(b) || (a.otelTraceId < b.otelTraceId ? -1 : 1);
        const sorted = tenant.list({}, { limit: 100 }).data.toSorted(compare);
        expect(found).toEqual(orderDir === 'asc' ? sorted : sorted.reverse());
      }),
      { numRuns: effort(10) },
    );
  });

  it('shows of each trace what the trace itself shows, but for steps, and texts truncated', () => {
    const tenant = newTenant();
    const text = 'x'.repeat(600);
    const attributes = {
      'input.value': text,
      'output.value': 'out',
      metadata: '{"a":1}',
      'service.test.id': uuid(1),
    };
    tenant.store([{ id: 1, attributes }]);
    const { steps, stepsTruncated, inputSpanId, outputSpanId, ...whole } = tenant.read(1) as TraceJson;
    expect([steps, stepsTruncated, inputSpanId, outputSpanId].every((value) => value !== undefined)).toBe(
      true,
    );
    expect(tenant.list().data).toEqual([{ ...whole, input: text.slice(0, 300) }]);
    expect(whole).toMatchObject({ input: text, output: 'out', metadata: { a: 1 } });
  });

  it('filters by text as it is, whatever SQL it looks like', () => {
    const tenant = newTenant();
    const odd = `' OR 1=1 --%_\\"`;
    tenant.store([
      {
        id: 1,
        attributes: { 'session.id': odd, 'tag.tags': [odd], metadata: JSON.stringify({ [odd]: odd }) },
      },
    ]);
    tenant.store([{ trace: 2, id: 1, attributes: { 'session.id': 'plain' } }]);
    for (const filter of [{ sessionId: [odd] }, { tag: [odd] }, { metadataKey: odd, metadataValue: odd }]) {
      expect(tenant.list(filter).pagination.total).toBe(1);
    }
    expect(tenant.list({ sessionId: ['%'] }).pagination.total).toBe(0);
  });

  it.each<[rule: string, part: string, found: number[]]>([
    ['the name of the root', 'CHECKOUT', [1]],
    ['the input', 'haupt', [2]],
    ['the output', 'AROS', [3]],
    ['the id of the session', 'thread-', [4]],
    ['the id of the user', '@example', [5]],
    ['several of them', 'capital', [2, 3, 5]],
    ['text of any script in any case', 'ΟΔΌΣ', [4]],
    ['text that has more letters in upper case', 'STRASSE', [2]],
    ['text with a letter that has no other case', '首都', [3]],
    ['a percent sign as it is', '%', [5]],
    ['an underscore as it is', '_', [4]],
    ['a backslash as it is', '\\', [1]],
    ['a quote as it is', `'`, [5]],
    ['what spans two of its texts not', 'x checkoutwhat', []],
    ['what only spans below the root say not', 'hidden', []],
    ['what is nowhere', 'nowhere', []],
  ])('searches %s', (_definition, part, found) => {
    const tenant = newTenant();
    const root = (trace: number, name: string, attributes: Values): SpanSpec => ({
      trace,
      id: 1,
      name,
      start: trace,
      attributes,
    });
    tenant.store([
      root(1, 'C:\\x Checkout', { 'input.value': 'what' }),
      { trace: 1, id: 2, parent: 1, name: 'hidden', attributes: { 'input.value': 'hidden' } },
      root(2, 'ask', { 'input.value': 'Hauptstraße or Capital?' }),
      root(3, 'ask', { 'input.value': 'capital', 'output.value': 'Aros CAPITAL 首都' }),
      root(4, 'ask', { 'session.id': 'Thread-1_οδός' }),
      root(5, 'ask', { 'user.id': `o'hara@example.com`, 'output.value': '100% capital' }),
      root(6, 'ask', {}),
    ]);
    newTenant().store([root(7, 'checkout capital', {})]);
    const page = tenant.list({ search: part }, { orderDir: 'asc' });
    expect(idsOf(page)).toEqual(found.map((trace) => traceBytes(trace).toString('hex')));
    expect(page.pagination.total).toBe(found.length);
  });

  it('knows no total for sure beyond the number it counts to', () => {
    using place = temporaryFolder();
    const own = openDatabase(place.file('store.db'));
    const tenant = new Tenant(own, 1);
    const columns =
      'native, end_ns, received_at, updated_at, next_seq, span_count, error_count, input_tokens, output_tokens, kinds, flags, root_rank, root_ns';
    own.connection
      .prepare(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO trace (application, trace_id, start_ns, cost, root_name, models, services, ${columns})
         SELECT ?, CAST(printf('%016d', i) AS BLOB), i, 0, 'r', '[]', '[]', 0, i, 0, 0, 0, 0, i % 2, 0, 0, 0, 0, 0, 0 FROM n`,
      )
      .run(MAX_TOTAL + 5, tenant.application);
    expect(tenant.list().pagination).toMatchObject({
      total: MAX_TOTAL,
      totalPages: MAX_TOTAL / 25,
      totalExceeded: true,
    });
    const exact = tenant.list({ hasErrors: true }).pagination;
    expect(exact.total).toBe((MAX_TOTAL + 6) / 2);
    expect(exact).not.toHaveProperty('totalExceeded');
    const last = tenant.list({}, { skip: MAX_TOTAL + 2, orderDir: 'asc' });
    expect(last.data).toHaveLength(3);
    expect(last.pagination).toMatchObject({ total: MAX_TOTAL, totalExceeded: true });
    own.connection.close();
  });

  it('finds traces by a property that very many of them have', () => {
    const tenant = newTenant();
    const count = 5_200;
    const specs = Array.from(
      { length: count },
      (_, i): SpanSpec => ({
        trace: i + 1,
        id: 1,
        start: i,
        attributes: {
          'tag.tags': i % 100 === 0 ? ['common', 'rare'] : ['common'],
          'deployment.environment.name': 'live',
        },
      }),
    );
    tenant.store(specs);
    newTenant().store(specs.slice(0, 10));
    const common = tenant.list({ tag: ['common'] }, { limit: 3 });
    expect(common.pagination.total).toBe(count);
    expect(idsOf(common)).toEqual(
      [count, count - 1, count - 2].map((trace) => traceBytes(trace).toString('hex')),
    );
    expect(tenant.list({ tag: ['common', 'rare'] }).pagination.total).toBe(count);
    expect(tenant.list({ tag: ['common'], environment: ['live'] }).pagination.total).toBe(count);
    expect(tenant.list({ tag: ['common'], endDate: BASE_NS + 99n }).pagination.total).toBe(100);
    expect(tenant.list({ tag: ['rare'], hasErrors: false }).pagination.total).toBe(count / 100);
  });
});

describe('the queries of listTraces', () => {
  /** How SQLite goes about each statement of a list: one text for each. */
  function plansOf(filter: TraceFilter): string[] {
    using place = temporaryFolder();
    const prepared: string[] = [];
    const own = openDatabase(place.file('store.db'), (sql) => prepared.push(sql));
    // A page without anything on it that is not the first has its matches counted too.
    new Tenant(own, 1).list(filter, { skip: 1 });
    const plans = [...prepared].map((sql) => {
      const values = Array<null>(sql.split('?').length - 1).fill(null);
      return own.connection
        .prepare<null[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...values)
        .map(({ detail }) => detail)
        .join('\n');
    });
    own.connection.close();
    return plans;
  }

  it.each<[name: string, filter: TraceFilter, index: string]>([
    ['no filter', {}, 'trace_by_start (application=? AND start_ns>?)'],
    ['times', { startDate: 1n }, 'trace_by_start (application=? AND start_ns>?)'],
    ['hasErrors', { hasErrors: true }, 'trace_with_errors (application=? AND start_ns>?)'],
    ['sessionId', { sessionId: ['s'] }, 'trace_by_session (application=? AND session_id=? AND start_ns>?)'],
    ['several sessionIds', { sessionId: ['s', 't'] }, 'trace_by_session (application=? AND session_id=?)'],
    ['userId', { userId: ['u'] }, 'trace_by_user (application=? AND user_id=? AND start_ns>?)'],
    ['testId', { testId: [uuid(1)] }, 'trace_test USING PRIMARY KEY (application=? AND test_id=?)'],
    [
      'several testIds',
      { testId: [uuid(1), uuid(2)] },
      'trace_test USING PRIMARY KEY (application=? AND test_id=?)',
    ],
    ['model', { model: ['m'] }, 'trace_attr USING PRIMARY KEY (application=? AND key=? AND value=?)'],
    [
      'environment',
      { environment: ['e'] },
      'trace_attr USING PRIMARY KEY (application=? AND key=? AND value=?)',
    ],
    ['search', { search: 's' }, 'trace_by_start (application=? AND start_ns>?)'],
    ['metadataKey', { metadataKey: 'k' }, 'trace_attr USING PRIMARY KEY (application=? AND key=?)'],
  ])('take the index made for %s, and never go through a complete table', (_name, filter, index) => {
    const plans = plansOf(filter);
    const [rows, ...others] = plans.filter((plan) => plan.includes('trace'));
    expect(others).not.toEqual([]);
    expect(rows).toContain(index);
    for (const plan of [rows, ...others]) expect(plan).not.toMatch(/SCAN trace/);
    // What is counted is found the same way, or without a look at the table.
    for (const plan of others) expect(plan.includes(index) || plan.includes('COVERING INDEX')).toBe(true);
  });

  it.each<TraceFilter>([{}, { search: 'nothing' }, { minCost: 1e9 }, { hasErrors: true }, { userId: ['u'] }])(
    'can be stopped: %j',
    (filter) => {
      using place = temporaryFolder();
      const own = openDatabase(place.file('store.db'));
      const tenant = new Tenant(own, 1);
      tenant.store([{ id: 1, status: 2, attributes: { 'user.id': 'u' } }]);
      stopQueries(own);
      expect(() => tenant.list(filter)).toThrow('too late');
      own.connection.close();
    },
  );
});
