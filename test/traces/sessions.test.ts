import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import { otelTraceUuid } from '../../src/traces/ids.ts';
import {
  listSessions,
  type ListSessions,
  readSession,
  type SessionFilter,
} from '../../src/traces/sessions.ts';
import { BASE_MS, BASE_NS, MS, type SpanSpec, traceBytes, uuid } from '../support/spans.ts';
import {
  openDatabase,
  stopQueries,
  temporaryFolder,
  Tenant,
  type TraceJson,
  useStore,
} from '../support/storage.ts';
import { effort } from '../support/effort.ts';

const { newTenant } = useStore();

interface SessionJson {
  id: string;
  userIds: string[];
  traceCount: number;
  models: string[];
  testIds: string[];
  [field: string]: unknown;
}

interface SessionPage {
  data: SessionJson[];
  pagination: { total: number };
}

type PageArgs = Partial<Pick<ListSessions, 'skip' | 'limit' | 'orderBy' | 'orderDir'>>;

const ownerOf = ({ application }: Tenant) => ({
  application,
  applicationId: `application-${application}`,
  orgId: 'organisation',
});
const parse = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString());

function list(tenant: Tenant, filter: SessionFilter = {}, page: PageArgs = {}): SessionPage {
  const window = { skip: 0, limit: 100, orderBy: 'lastAt', orderDir: 'desc', ...page } as const;
  return parse(listSessions(tenant.database, { ...ownerOf(tenant), ...window, filter })) as SessionPage;
}

function read(
  tenant: Tenant,
  id: string,
): (SessionJson & { traces: TraceJson[]; tracesTruncated: boolean }) | null {
  const bytes = readSession(tenant.database, { ...ownerOf(tenant), id });
  return bytes && (parse(bytes) as { data: NonNullable<ReturnType<typeof read>> }).data;
}

const idsOf = ({ data }: SessionPage): string[] => data.map(({ id }) => id);

interface Model {
  trace: number;
  session: string | null;
  user: string | null;
  model: string | null;
  testId: string | null;
  /** Milliseconds; duration too. */
  start: number;
  duration: number;
  isFailed: boolean;
  tokens: number;
  /** In quarters of a dollar; null when it is not sent. */
  cost: number | null;
  hasTexts: boolean;
}

const SESSIONS = ['s1', 'S2', 'ß/ä 🙂', '..'];
const someTraces: fc.Arbitrary<Model[]> = fc
  .array(
    fc.record({
      session: fc.constantFrom(...SESSIONS, null),
      user: fc.constantFrom('u1', 'u2', null),
      model: fc.constantFrom('m1', 'm2', null),
      testId: fc.constantFrom(uuid(1), uuid(2), null),
      start: fc.nat({ max: 30 }),
      duration: fc.nat({ max: 9 }),
      isFailed: fc.boolean(),
      tokens: fc.nat({ max: 9 }),
      cost: fc.option(fc.nat({ max: 2 })),
      hasTexts: fc.boolean(),
    }),
    { minLength: 1, maxLength: 30, size: 'max' },
  )
  .map((models) => models.map((model, i) => ({ ...model, trace: i + 1 })));

function spanOf(trace: Model): SpanSpec {
  const start = trace.start * MS;
  return {
    trace: trace.trace,
    id: 1,
    start,
    end: start + trace.duration * MS,
    status: trace.isFailed ? 2 : 0,
    attributes: {
      ...(trace.session === null ? {} : { 'session.id': trace.session }),
      ...(trace.user === null ? {} : { 'user.id': trace.user }),
      ...(trace.model === null ? {} : { 'gen_ai.request.model': trace.model }),
      ...(trace.testId === null ? {} : { 'service.test.id': trace.testId }),
      'gen_ai.usage.input_tokens': trace.tokens,
      'gen_ai.usage.output_tokens': 1,
      ...(trace.cost === null ? {} : { 'gen_ai.usage.cost': trace.cost / 4 }),
      ...(trace.hasTexts ? { 'input.value': `in ${trace.trace}`, 'output.value': `out ${trace.trace}` } : {}),
    },
  };
}

/** In order of time. */
const inOrder = (traces: Model[]): Model[] =>
  traces.toSorted((a, b) => a.start - b.start || a.trace - b.trace);
const distinct = (values: (string | null)[]): string[] =>
  [...new Set(values.filter((value) => value !== null))].sort();
const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
const time = (ms: number): string => new Date(BASE_MS + ms).toISOString();

/** A session as a look at each of its traces tells; lists sorted. */
function expected(id: string, all: Model[]): SessionJson {
  const traces = inOrder(all.filter(({ session }) => session === id));
  const [first, last] = [traces[0] as Model, traces.at(-1) as Model];
  const costs = traces.map((trace) => trace.cost).filter((cost) => cost !== null);
  const tokens = sum(traces.map((trace) => trace.tokens));
  return {
    id,
    orgId: 'organisation',
    applicationId: expect.stringMatching(/^application-\d+$/),
    userIds: distinct(traces.map(({ user }) => user)),
    traceCount: traces.length,
    firstAt: time(first.start),
    lastAt: time(last.start),
    durationMs: Math.max(...traces.map(({ start, duration }) => start + duration)) - first.start,
    usage: {
      promptTokens: tokens,
      completionTokens: traces.length,
      totalTokens: tokens + traces.length,
    },
    cost: costs.length === 0 ? null : sum(costs) / 4,
    errorCount: traces.filter(({ isFailed }) => isFailed).length,
    models: distinct(traces.map(({ model }) => model)),
    input: first.hasTexts ? `in ${first.trace}` : null,
    output: last.hasTexts ? `out ${last.trace}` : null,
    testIds: distinct(traces.map(({ testId }) => testId)),
    lastTraceId: otelTraceUuid(traceBytes(last.trace)),
  };
}

function sorted<T extends SessionJson>(session: T): T {
  const { userIds, models, testIds } = session;
  return { ...session, userIds: userIds.sort(), models: models.sort(), testIds: testIds.sort() };
}

/** An application with these traces, and another one with the same. */
function filled(traces: Model[]): Tenant {
  const [tenant, other] = [newTenant(), newTenant()];
  for (const trace of traces) tenant.store([spanOf(trace)]);
  for (const trace of traces) other.store([spanOf({ ...trace, trace: trace.trace + 500 })]);
  return tenant;
}

/** Bytes order, as SQLite has it. */
const compareText = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe('listSessions', () => {
  it('returns of each session what its traces show, in either order, page by page', () => {
    const pages = fc.record({
      traces: someTraces,
      limit: fc.integer({ min: 1, max: 5 }),
      orderBy: fc.constantFrom('firstAt', 'lastAt'),
      orderDir: fc.constantFrom('asc', 'desc'),
    });
    fc.assert(
      fc.property(pages, ({ traces, limit, orderBy, orderDir }) => {
        const tenant = filled(traces);
        const all = distinct(traces.map(({ session }) => session))
          .map((id) => expected(id, traces))
          .sort((a, b) => compareText(String(a[orderBy]), String(b[orderBy])) || compareText(a.id, b.id));
        if (orderDir === 'desc') all.reverse();
        for (let skip = 0; skip <= all.length; skip += limit) {
          const page = list(tenant, {}, { skip, limit, orderBy, orderDir });
          expect(page.data.map(sorted)).toEqual(all.slice(skip, skip + limit));
          const total = all.length;
          expect(page.pagination).toEqual({ skip, limit, total, totalPages: Math.ceil(total / limit) });
        }
      }),
      { numRuns: effort(13) },
    );
  });

  const at = (ms: number): bigint => BASE_NS + BigInt(ms * MS);
  const started =
    (from: number, to: number) =>
    ({ start }: Model): boolean =>
      start >= from && start <= to;
  it.each<[name: string, filter: SessionFilter, hasOneThat: ((trace: Model) => boolean)[]]>([
    ['userId', { userId: ['u1'] }, [({ user }) => user === 'u1']],
    ['several userIds', { userId: ['u1', 'u2'] }, [({ user }) => user !== null]],
    ['a userId nobody has', { userId: ['u3'] }, [() => false]],
    ['startDate', { startDate: at(20) }, [started(20, 99)]],
    ['endDate', { endDate: at(4) }, [started(0, 4)]],
    ['both', { startDate: at(10), endDate: at(12) }, [started(10, 12)]],
    ['search', { search: 's' }, [({ session }) => session !== '..']],
    [
      'all together',
      { userId: ['u2'], startDate: at(10), endDate: at(20), search: 'S2' },
      [({ user }) => user === 'u2', started(10, 20), ({ session }) => session === 'S2'],
    ],
  ])('by %s returns all of each session that has a trace like that', (_name, filter, hasOneThat) => {
    fc.assert(
      fc.property(someTraces, (traces) => {
        const found = SESSIONS.filter((id) => {
          const own = traces.filter(({ session }) => session === id);
          return own.length > 0 && hasOneThat.every((matches) => own.some(matches));
        });
        const page = list(filled(traces), filter);
        const byId = page.data.map(sorted).sort((a, b) => compareText(a.id, b.id));
        expect(byId).toEqual(found.sort(compareText).map((id) => expected(id, traces)));
        expect(page.pagination.total).toBe(found.length);
      }),
      { numRuns: effort(5) },
    );
  });

  it.each<[part: string, found: string[]]>([
    ['%', ['100%']],
    ['_', ['a_b']],
    ['\\', ['a\\b']],
    [`' OR 1=1 --`, []],
    ['B', ['a_b', 'a\\b', 'aXb']],
    ['STRASSE', ['Straße']],
    ['🙂', ['x🙂y']],
  ])('searches ids for %s as it is', (part, found) => {
    const tenant = newTenant();
    for (const [i, id] of ['100%', 'a_b', 'a\\b', 'aXb', 'Straße', 'x🙂y'].entries()) {
      tenant.store([{ trace: i + 1, id: 1, attributes: { 'session.id': id } }]);
    }
    expect(idsOf(list(tenant, { search: part })).sort()).toEqual(found.sort());
  });

  it('is empty without a session', () => {
    const tenant = newTenant();
    tenant.store([{ id: 1 }]);
    expect(list(tenant)).toEqual({ data: [], pagination: { skip: 0, limit: 100, total: 0, totalPages: 0 } });
  });

  it('forgets a session with the last of its traces', () => {
    const tenant = newTenant();
    for (const trace of [1, 2]) tenant.store([{ trace, id: 1, attributes: { 'session.id': 's' } }]);
    tenant.delete(1);
    expect(list(tenant).data).toMatchObject([{ id: 's', traceCount: 1 }]);
    tenant.delete(2);
    expect(list(tenant).data).toEqual([]);
    expect(read(tenant, 's')).toBeNull();
  });

  it('knows of each session when its first and its last trace began, whatever becomes of them', () => {
    const step = fc.record({
      kind: fc.constantFrom('store', 'store', 'store', 'delete', 'rewrite'),
      trace: fc.integer({ min: 1, max: 6 }),
      span: fc.integer({ min: 1, max: 3 }),
      start: fc.nat({ max: 30 }),
      session: fc.constantFrom(...SESSIONS, 'a\0b', null),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), (steps) => {
        const tenant = newTenant();
        const { database, application } = tenant;
        for (const { kind, trace, span, start, session } of steps) {
          const attributes = session === null ? {} : { 'session.id': session };
          if (kind === 'delete') tenant.delete(trace);
          else if (kind === 'rewrite') tenant.rewrite(trace);
          else tenant.store([{ trace, id: span, start: start * MS, attributes }]);
          const known = 'SELECT id, first_ns, last_ns FROM session WHERE application = ? ORDER BY id';
          const found = `SELECT session_id AS id, min(start_ns) AS first_ns, max(start_ns) AS last_ns FROM trace
            WHERE application = ? AND session_id IS NOT NULL GROUP BY session_id ORDER BY session_id`;
          expect(database.allExact(known, application)).toEqual(database.allExact(found, application));
        }
      }),
      { numRuns: effort(13) },
    );
  });

  it('names no more users, models and tests than it may', () => {
    const tenant = newTenant();
    const specs = Array.from({ length: 70 }, (_, i): SpanSpec => {
      const attributes = {
        'session.id': 's',
        'user.id': `u${i}`,
        'gen_ai.request.model': `m${i}`,
        'service.test.id': uuid(i + 1),
      };
      return { trace: i + 1, id: 1, start: i, attributes };
    });
    tenant.store(specs);
    const [session] = list(tenant).data;
    expect(session).toMatchObject({ traceCount: 70 });
    expect(session?.userIds).toHaveLength(20);
    expect(session?.models).toHaveLength(64);
    expect(session?.testIds).toHaveLength(20);
    for (const names of [session?.userIds, session?.models, session?.testIds]) {
      expect(new Set(names).size).toBe(names?.length);
    }
  });
});

describe('readSession', () => {
  it('returns what the list shows, and its traces in order of time as the list of traces has them', () => {
    fc.assert(
      fc.property(someTraces, (traces) => {
        const tenant = filled(traces);
        for (const id of SESSIONS) {
          const own = inOrder(traces.filter(({ session }) => session === id));
          const session = read(tenant, id);
          if (own.length === 0) expect(session).toBeNull();
          else {
            expect(sorted(session as SessionJson)).toEqual({
              ...expected(id, traces),
              traces: tenant.list({ sessionId: [id] }, { limit: 100, orderDir: 'asc' }).data,
              tracesTruncated: false,
            });
            const otelIds = own.map(({ trace }) => traceBytes(trace).toString('hex'));
            expect(session?.traces.map(({ otelTraceId }) => otelTraceId)).toEqual(otelIds);
          }
        }
      }),
      { numRuns: effort(10) },
    );
  });

  it.each([
    ['no', 1_000, false],
    ['one', 1_001, true],
  ])('leaves out %s trace of %d', (_left, count, tracesTruncated) => {
    const tenant = newTenant();
    tenant.store(
      Array.from({ length: count }, (_, i) => ({
        trace: i + 1,
        id: 1,
        start: i,
        attributes: { 'session.id': 's' },
      })),
    );
    const session = read(tenant, 's');
    expect(session).toMatchObject({ traceCount: count, tracesTruncated });
    expect(session?.traces).toHaveLength(1_000);
    expect(session?.traces[0]?.otelTraceId).toBe(traceBytes(1).toString('hex'));
  });

  it.each(['s', 'S ', 's%', '_', ''])('distinguishes %j from ids that look alike', (id) => {
    const tenant = newTenant();
    tenant.store([{ id: 1, attributes: { 'session.id': 'S' } }]);
    expect(read(tenant, id)).toBeNull();
    expect(read(tenant, 'S')).toMatchObject({ id: 'S', traceCount: 1 });
  });
});

describe('a store with very many sessions', () => {
  it('has no total for sure beyond the number it counts to', () => {
    using place = temporaryFolder();
    const database = openDatabase(place.file('store.db'));
    const tenant = new Tenant(database, 1);
    const columns =
      'native, end_ns, received_at, updated_at, next_seq, span_count, error_count, kinds, flags, root_rank, root_ns';
    database.connection.exec(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10005)
       INSERT INTO trace (application, trace_id, start_ns, session_id, input_tokens, output_tokens, cost, root_name, models,
         services, ${columns})
       SELECT 1, CAST(printf('%016d', i) AS BLOB), i, 's' || i, 9e18, 0, 0, 'r', '[]', '[]', 0, i, 0, 0, 0, 0, 0, 0, 0, 0, 0
       FROM n;
       INSERT INTO session SELECT application, session_id, start_ns, start_ns FROM trace`,
    );
    const page = list(tenant, {}, { limit: 2 });
    expect(idsOf(page)).toEqual(['s10005', 's10004']);
    expect(page.pagination).toMatchObject({ total: 10_000, totalPages: 5_000, totalExceeded: true });
    const deep = list(tenant, {}, { skip: 10_003 });
    expect(idsOf(deep)).toEqual(['s2', 's1']);
    expect(deep.pagination).toMatchObject({ total: 10_000, totalExceeded: true });
    expect(list(tenant, { search: 's100' }).pagination).toEqual({
      skip: 0,
      limit: 100,
      total: 17,
      totalPages: 1,
    });

    database.connection.exec(`UPDATE trace SET session_id = 'one' WHERE start_ns < 10`);
    expect(read(tenant, 'one')).toMatchObject({ traceCount: 9, usage: { promptTokens: 8.1e19 } });
    database.connection.close();
  });
});

describe('the queries of sessions', () => {
  const withStatements = (work: (database: SqliteDatabase, statements: string[]) => void): void => {
    using place = temporaryFolder();
    const statements: string[] = [];
    const database = openDatabase(place.file('store.db'), (sql) => statements.push(sql));
    const tenant = new Tenant(database, 1);
    for (const trace of [1, 2]) {
      tenant.store([{ trace, id: 1, attributes: { 'session.id': `s${trace}`, 'user.id': 'u' } }]);
    }
    statements.length = 0;
    work(database, statements);
    database.connection.close();
  };

  it.each<[name: string, filter: SessionFilter]>([
    ['no filter', {}],
    ['a user', { userId: ['u'] }],
    ['several users', { userId: ['u', 'v'] }],
    ['times', { startDate: 1n, endDate: 2n ** 62n }],
    ['a search', { search: 's' }],
  ])('take the indexes made for them with %s, and never go through a complete table', (_name, filter) => {
    withStatements((database, statements) => {
      const tenant = new Tenant(database, 1);
      list(tenant, filter, { limit: 1 });
      read(tenant, 's1');
      const plans = statements.map((sql) => {
        const values = sql.includes(':ids')
          ? [{ application: null, ids: null }]
          : Array<null>(sql.split('?').length - 1).fill(null);
        return database.connection
          .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
          .all(...values)
          .map(({ detail }) => detail);
      });
      for (const step of plans.flat()) {
        expect(step).not.toMatch(/SCAN (trace|session)/);
        // Neither all traces of the application nor those of every user.
        expect(step).not.toMatch(/trace_by_\w+ \(application=\?( AND user_id>\?)?\)/);
      }

      // The page and the count.
      const [page, counted] = plans.filter((_, i) => statements[i]?.includes('FROM session'));
      const rows = /SEARCH session USING COVERING INDEX session_by_last \(application=\?( AND last_ns>\?)?\)/;
      expect(page?.[0]).toMatch(rows);
      expect(page?.join('\n')).not.toContain('USE TEMP B-TREE');
      expect(counted?.find((step) => step.includes('SEARCH session'))).toMatch(
        / USING (COVERING INDEX|PRIMARY KEY) /,
      );
      const ofUsers = 'SEARCH trace USING COVERING INDEX trace_by_user (application=? AND user_id=?)';
      if (filter.userId) for (const plan of [page, counted]) expect(plan).toContain(ofUsers);
    });
  });

  it('can be stopped', () => {
    withStatements((database) => {
      const tenant = new Tenant(database, 1);
      stopQueries(database);
      for (const filter of [{}, { userId: ['u'] }, { search: 'nothing' }, { startDate: 1n }]) {
        expect(() => list(tenant, filter)).toThrow('too late');
      }
      expect(() => read(tenant, 's1')).toThrow('too late');
    });
  });
});
