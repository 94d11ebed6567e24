import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ApiAnswer,
  type ApiCall,
  type BodyReference,
  apiCalls,
  type ApiRequest,
  exampleOf,
  isExport,
  isStream,
  kindInPath,
  kindOfName,
  parametersIn,
  pathWith,
  type RecordIds,
  type RecordKind,
  referencesInBody,
  sendCall,
  withReference,
} from '../support/api-calls.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';
import {
  createTenantFixture,
  type Outside,
  startOutside,
  type TenantFixture,
  FIXTURE_SETTINGS,
} from '../support/tenant-fixture.ts';

let server: TestServer;
let outside: Outside;
let own: TenantFixture;
/** One of another organisation, one of the same. */
let others: readonly TenantFixture[];
let same: TenantFixture;
/** One that has chosen the ids of the own traces for its own. */
let sibling: TenantFixture;
let before: ReadonlyMap<string, string>;
/** What was made known once, and never again. */
const secrets = new Set<string>();

beforeAll(async () => {
  server = await startServer({ config: FIXTURE_SETTINGS });
  outside = await startOutside();
  const foreign = await server.newTenant({ orgId: 'org-2' });
  const [first, second, third] = await Promise.all(
    [server, foreign, await server.newTenant()].map((tenant) => createTenantFixture(server, tenant, outside)),
  );
  own = first as TenantFixture;
  same = third as TenantFixture;
  others = [second as TenantFixture, same];
  sibling = await createTenantFixture(server, await server.newTenant({ orgId: 'org-2' }), outside, own);
  for (const fixture of [own, sibling, ...others]) for (const secret of fixture.secrets) secrets.add(secret);
  before = await states();
});
afterAll(async () => {
  await server.close();
  await outside.close();
});

const example = (call: ApiCall): ApiRequest => exampleOf(call, own.ids, own.texts);

const COUNTS = '/v0/documents/count-by-assignee';

/** Calls as the own application. What is answered tells no secret and, unless it was sent, nothing of the others. */
async function send(request: ApiRequest): Promise<ApiAnswer> {
  const answer = await sendCall(server.url, request, own.headers);
  // The one thing that applications of an organisation know of each other.
  const allowed = request.path === COUNTS ? `assignee-${same.marker}` : '';
  const told = `${JSON.stringify([...answer.headers])}\n${answer.text.replaceAll(allowed, '')}`;
  const sent = `${request.path}?${request.query.toString()} ${JSON.stringify(request.body)}`;
  for (const other of [sibling, ...others])
    expect(leaks(other, told, sent), told.slice(0, 2_000)).toEqual([]);
  for (const secret of secrets) expect(told.includes(secret), `${request.path} tells a secret`).toBe(false);
  return answer;
}

const leaks = ({ marker, ids, orgId }: TenantFixture, told: string, sent: string): string[] => {
  const shared = new Set(ids === own.ids ? [] : Object.values(own.ids));
  return [
    ...[marker, ...(orgId === own.orgId ? [] : [`"${orgId}"`])].filter((text) => told.includes(text)),
    ...Object.values(ids).filter((id) => told.includes(id) && !sent.includes(id) && !shared.has(id)),
  ];
};

const isSilent = (call: ApiCall): boolean =>
  call.method === 'GET' && !isStream(call) && !isExport(call) && call.scope !== null;

/** Everything that the others can read of themselves, but what they know of each other. */
async function states(): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const { ids, headers } of [sibling, ...others]) {
    for (const call of apiCalls.filter((one) => isSilent(one) && !NOT_OWN.includes(one.path))) {
      const request = exampleOf(call, ids);
      if (parametersIn(call, 'query').some(({ name }) => name === 'include'))
        request.query.set('include', 'payload');
      const { text } = await sendCall(server.url, request, headers);
      answers.set(`${ids.application} ${call.name}`, text.replaceAll(WHEN_READ, ''));
    }
  }
  return answers;
}
/** Texts of an application's health that depend on when it is read. */
const WHEN_READ = /"(?:checkedAt|from)":"[^"]+"|\d+ (?:s|min) ago/g;
/** Retention is measured by the service from time to time; test/resources/retention.test.ts shows that it concerns its application alone. */
const NOT_OWN = ['/metrics', '/v0/system', '/v0/retention', COUNTS];

/** What the others now read of themselves that they did not read before. */
async function changes(): Promise<string[]> {
  return [...(await states())].flatMap(([name, text]) =>
    text === before.get(name) ? [] : [`${name}: ${before.get(name)} → ${text}`],
  );
}

/** An id of the same form that no application has. */
const unknownLike = (id: string): string => `${id.slice(0, -8)}${'0'.repeat(8)}`;
/** An answer that says nothing but what is not there. */
const NOT_THERE = /^404 \{"message":"[^"]+"\}$/;

const withOthers = async (use: (other: TenantFixture) => Promise<void>): Promise<void> => {
  for (const other of others) await use(other);
};

describe('a world', () => {
  /** They report about the service, not about what was stored. */
  const TELLS_OF_NOBODY = [
    'getEvalCosts',
    'getEvidenceKey',
    'getExampleData',
    'getMetrics',
    'getRetention',
    'listColumns',
    'listDatasources',
    'listLedger',
    'listRejections',
    'getSystem',
  ];
  /** They show numbers, or nothing in these applications; tests of their resources show that they concern one application alone. */
  const COUNTS_ONLY = ['getIssuePareto', 'listQuickstartSteps'];

  it.each(apiCalls.filter(isSilent).map((call) => [call.name, call] as const))(
    'has something to show at %s',
    async (_name, call) => {
      const { status, text } = await send(example(call));
      expect(status, text).toBe(200);
      if (![...TELLS_OF_NOBODY, ...COUNTS_ONLY].includes(call.operation.operationId))
        expect(leaks(own, text, ''), text).not.toEqual([]);
    },
  );
});

describe("another application's id in the path", () => {
  const cases = apiCalls.flatMap((call) =>
    parametersIn(call, 'path').flatMap(({ name }) => {
      const kind = kindInPath(call, name);
      return kind === null ? [] : [[`{${name}} of ${call.name}`, call, name, kind] as const];
    }),
  );

  it.each(cases)('%s is like one that is not there', async (_name, call, parameter, kind) => {
    const asked = example(call);
    const ownPath = asked.path;
    const sendWith = async (id: string): Promise<string> => {
      const path = pathWith(call, (name) => (name === parameter ? id : valueIn(call, ownPath, name)));
      const { status, text } = await send({ ...asked, path });
      return `${status} ${text.replaceAll(id, 'ID')}`;
    };
    const unknown = await sendWith(unknownLike(own.ids[kind]));
    expect(unknown).toMatch(NOT_THERE);
    await withOthers(async ({ ids }) => expect(await sendWith(ids[kind])).toBe(unknown));
  });

  const valueIn = ({ path }: ApiCall, address: string, name: string): string =>
    decodeURIComponent(address.split('/')[path.split('/').indexOf(`{${name}}`)] ?? '');
});

describe("another application's id in a filter", () => {
  const isText = ({ type, items }: { type?: unknown; items?: { type?: unknown } }): boolean =>
    type === 'string' || items?.type === 'string';
  const cases = apiCalls
    .filter((call) => call.method === 'GET' && !isStream(call))
    .flatMap((call) =>
      parametersIn(call, 'query').flatMap(({ name, schema }) => {
        const kind = kindOfName(name, schema);
        const isPlain = isText(schema) && !JSON.stringify(schema).match(/"enum"|"format"|"pattern"/);
        return kind === null && !isPlain ? [] : [[`${name} of ${call.name}`, call, name, kind] as const];
      }),
    );
  /** Requests one record by its id, it says that this is not there. */
  const ANSWERS_ITSELF = 'lookUpSpan';
  /** What is rejected with nothing to go with it, and what is part of a trace. */
  const REJECTED: Readonly<Record<string, number>> = { metadataValue: 400, subtree: 404, baseline: 404 };
  /** A suggestion repeats the words that were written, but never a value that no own record has. */
  const WRITTEN_BEFORE: Readonly<Record<string, string>> = { suggestFilter: 'name:' };

  it.each(cases)('%s finds nothing', async (_name, call, name, kind) => {
    await withOthers(async ({ ids, marker }) => {
      const request = example(call);
      const written = WRITTEN_BEFORE[call.operation.operationId] ?? '';
      request.query.set(name, kind === null ? written + marker : ids[kind]);
      const { status, text, json } = await send(request);
      expect(status, text).toBe(REJECTED[name] ?? 200);
      // A file has its head only.
      if (json === undefined) {
        expect(text.split('\r\n')).toHaveLength(2);
        return;
      }
      const [data] = Object.values(json as Record<string, unknown>);
      // Facets are no list: they report how many traces they counted.
      const isEmpty = (data as { traces?: unknown } | null)?.traces === 0;
      const found = isEmpty ? Object.values((data as { facets: object }).facets).flat() : data;
      if (status === 200 && call.operation.operationId !== ANSWERS_ITSELF) expect(found, text).toEqual([]);
    });
  });
});

describe("another application's run or variant as a side of results", () => {
  const cases = apiCalls.filter((call) => parametersIn(call, 'query').some(({ name }) => name === 'side'));

  it.each(
    cases.flatMap((call) => (['run', 'variant'] as const).map((kind) => [kind, call.name, call] as const)),
  )('a %s in %s is like one that is not there', async (kind, _name, call) => {
    const sendWith = async (id: string, beside: readonly string[]): Promise<string> => {
      const request = example(call);
      request.query.set('side', [...beside, `${kind}:${id}`].join(','));
      const { status, text } = await send(request);
      return `${status} ${text.replaceAll(id, 'ID')}`;
    };
    for (const beside of [[], [`run:${own.ids.run}`]]) {
      const unknown = await sendWith(unknownLike(own.ids[kind]), beside);
      expect(unknown).toMatch(NOT_THERE);
      await withOthers(async ({ ids }) => expect(await sendWith(ids[kind], beside)).toBe(unknown));
    }
  });
});

describe('whatever a list is requested', () => {
  const cases = apiCalls.filter(isSilent).flatMap((call) => {
    const choices = parametersIn(call, 'query').flatMap(({ name, schema }) =>
      (schema.enum ?? schema.items?.enum ?? []).map((value) => [name, String(value)] as const),
    );
    return choices.length === 0 ? [] : [[call.name, call, choices] as const];
  });

  it.each(cases)('%s shows nothing of the others', async (_name, call, choices) => {
    for (const [name, value] of choices) {
      const request = example(call);
      request.query.set(name, value);
      const { status, text } = await send(request);
      expect(status, `${name}=${value} ${text}`).toBe(200);
    }
  });
});

describe("another application's id in a body", () => {
  /**
   * Where an id links what may never come, as spans do: it is kept as it was sent, and nothing else happens. An erasure of what is not there has a
   * receipt too; test/resources/erasures.test.ts shows that it concerns the own application alone.
   */
  const TAKES_ANY_ID = ['ingestEvents', 'createErasure'];
  const cases = apiCalls
    .filter(({ operation }) => !TAKES_ANY_ID.includes(operation.operationId))
    .flatMap((call) =>
      referencesInBody(call).map(
        (reference) => [`${reference.path.join('.')} of ${call.name}`, call, reference] as const,
      ),
    );

  /** A selection names rows that may have been deleted since they were shown, and reports those that it does not find. */
  const CHOOSES_ROWS = /^(?:selection|results)\./;
  /** A criterion has required fields beside its definition; test/resources/reviews.test.ts has these cases. */
  const OF_CRITERION = /^criteria\./;

  let totalsBefore: readonly string[];
  /** How many records there are of each kind of the own application. */
  async function totals(): Promise<string[]> {
    const lists = apiCalls.filter((call) => isSilent(call) && !call.path.includes('{'));
    const answers: string[] = [];
    for (const call of lists) {
      const { json } = await send(example(call));
      const { pagination } = Object(json) as { pagination?: { total: number } };
      if (pagination) answers.push(`${call.name} ${pagination.total}`);
    }
    return answers;
  }
  beforeAll(async () => {
    totalsBefore = await totals();
  });

  it('there are some', () => {
    expect(cases.length).toBeGreaterThan(30);
    expect(totalsBefore.length).toBeGreaterThan(15);
  });

  const senderOf =
    (call: ApiCall, reference: BodyReference) =>
    async (id: string): Promise<string> => {
      const request = example(call);
      const sendBeside = (alone: boolean) =>
        send({ ...request, body: withReference(request.body, reference, id, alone) });
      const beside = await sendBeside(false);
      const { status, text } = beside.status === 422 ? await sendBeside(true) : beside;
      return `${status} ${text.replaceAll(id, 'ID')}`;
    };

  it.each(cases.filter(([path]) => !CHOOSES_ROWS.test(path) && !OF_CRITERION.test(path)))(
    '%s is like one that is not there',
    async (_name, call, reference) => {
      const sendWith = senderOf(call, reference);
      const unknown = await sendWith(unknownLike(own.ids[reference.kind]));
      expect(unknown).toMatch(NOT_THERE);
      await withOthers(async ({ ids }) => expect(await sendWith(ids[reference.kind])).toBe(unknown));
    },
  );

  it('nothing was made by any of them', async () => {
    expect(await totals()).toEqual(totalsBefore);
  });

  it.each(cases.filter(([path]) => CHOOSES_ROWS.test(path)))(
    '%s chooses no row, like one that is not there',
    async (_name, call, reference) => {
      const sendWith = senderOf(call, reference);
      const unknown = await sendWith(unknownLike(own.ids[reference.kind]));
      expect(unknown).toMatch(/^(?:200 .*"done":0,|422 )/);
      await withOthers(async ({ ids }) => expect(await sendWith(ids[reference.kind])).toBe(unknown));
    },
  );
});

describe('reports', () => {
  const ask = async <T>(request: Partial<ApiRequest>): Promise<T> => {
    const plain = { method: 'GET', path: '', query: new URLSearchParams(), headers: {}, body: undefined };
    const { status, text, json } = await send({ ...plain, isForm: false, ...request });
    expect(status, text).toBe(200);
    return (json as { data: T }).data;
  };
  interface Column {
    id: string;
    isGroupable: boolean;
  }

  it('show no column of another application', async () => {
    const datasources = await ask<{ id: string }[]>({ path: '/v0/reporting/datasources' });
    expect(datasources.length).toBeGreaterThan(4);
    for (const { id: datasource } of datasources) {
      const columns = await ask<Column[]>({ path: `/v0/reporting/datasources/${datasource}/columns` });
      for (const { id, isGroupable } of columns) {
        await ask({ path: `/v0/reporting/datasources/${datasource}/columns/${id}/values` });
        const groupBy = isGroupable ? [{ column: id }] : [];
        const body = { datasource, groupBy, measurements: [{ aggregation: 'count' }] };
        await ask({ method: 'POST', path: '/v0/reporting/query', body });
      }
    }
  });

  it('find nothing by the id of another application', async () => {
    const relations: readonly (readonly [datasource: string, column: string, kind: RecordKind])[] = [
      ['task', 'topic', 'topic'],
      ['test', 'task', 'task'],
    ];
    await withOthers(async ({ ids }: { ids: RecordIds }) => {
      for (const [datasource, column, kind] of relations) {
        const filters = [{ column, operator: 'eq', value: ids[kind] }];
        const body = { datasource, filters, groupBy: [{ column }], measurements: [{ aggregation: 'count' }] };
        expect(await ask({ method: 'POST', path: '/v0/reporting/query', body })).toEqual([]);
      }
    });
  });
});

describe('requests', () => {
  const ingest = apiCalls.find(({ name }) => name === 'POST /v0/ingest') as ApiCall;

  it("may carry another application's test id, and stays with who sent it", async () => {
    const { headers } = await server.newTenant();
    await withOthers(async ({ ids }) => {
      const { text, json } = await sendCall(server.url, exampleOf(ingest, ids), headers);
      expect(text).not.toContain('"success":false');
      const [{ id }] = (json as { data: [{ id: string }] }).data;
      // What is kept of the deliveries of its tests goes with a trace.
      expect((await server.call('DELETE', `/v0/traces/${id}`, { headers })).status).toBe(204);
    });
    expect(await changes()).toEqual([]);
  });

  it('is separate by application where the ids of traces and steps are the same', async () => {
    const [first, second] = [await server.newTenant(), await server.newTenant({ orgId: 'org-3' })];
    const [traceId, timestamp] = [randomUUID(), new Date().toISOString()];
    const path = `/v0/traces/${traceId}`;
    const ingestAs = ({ headers }: Tenant, text: string, step: object) =>
      server.call('POST', '/v0/ingest', {
        headers,
        body: {
          events: [
            { type: 'trace', timestamp, traceId, input: text },
            { type: 'llm', timestamp, traceId, id: 'step', modelId: 'model', ...step },
          ],
        },
      });
    const readAs = async ({ headers }: Tenant) => (await server.call('GET', path, { headers })).text;
    await ingestAs(first, 'of the first', { event: 'start', input: 'open' });
    const alone = await readAs(first);
    await ingestAs(second, 'of the second', { event: 'end', output: 'closed' });
    expect(await readAs(first)).toBe(alone);
    expect(await readAs(second)).not.toContain('open');
    await server.call('DELETE', path, { headers: second.headers });
    expect(await readAs(first)).toBe(alone);
    const step = { event: 'end', output: 'end' };
    expect((await ingestAs(second, 'again', step)).text).toContain('"success":false');
    for (const tenant of [first, await server.newTenant()]) {
      expect((await ingestAs(tenant, 'again', step)).text).not.toContain('"success":false');
      expect(await readAs(tenant)).toContain('again');
    }
  });

  it('is separate by application where keys of idempotency are the same', async () => {
    const request = { ...exampleOf(ingest, own.ids), headers: { 'idempotency-key': 'same' } };
    const mine = await sendCall(server.url, request, own.headers);
    const again = await sendCall(server.url, request, own.headers);
    const { headers } = await server.newTenant();
    const theirs = await sendCall(server.url, request, headers);
    expect(again.text).toBe(mine.text);
    expect(theirs.status).toBe(200);
    expect(theirs.text).not.toBe(mine.text);
  });
});

describe('documents by assignee', () => {
  it('are counted over the organisation, and not over others', async () => {
    const call = apiCalls.find(({ operation }) => operation.operationId === 'countDocumentsByAssignee');
    const { json } = await sendCall(server.url, exampleOf(call as ApiCall, own.ids), own.headers);
    const { data } = json as { data: { assignee: string; count: number }[] };
    const assignees = data.map(({ assignee }) => assignee);
    expect(assignees.toSorted()).toEqual([own, same].map(({ marker }) => `assignee-${marker}`).toSorted());
  });
});

it('nothing of the other applications has changed', async () => {
  expect(await changes()).toEqual([]);
});

describe('with its own ids', () => {
  const SECRET = /(?:sk_[A-Za-z0-9]{12}_[A-Za-z0-9]{43}|whsec_[A-Za-z0-9+/=]+)/g;
  const MAKES_SECRETS = [
    'createApiKey',
    'createApplication',
    'saveWebhook',
    'rotateWebhookSecret',
    'saveIssueWebhook',
    'rotateIssueWebhookSecret',
  ];
  /** Nothing waits to be answered; the experiment has a baseline already; no user is signed in; the issue is deleted. */
  const NOT_NOW: Readonly<Record<string, number>> = {
    answerDelivery: 404,
    createVariant: 422,
    signIn: 401,
    getLogin: 401,
    signOut: 401,
    listOwnLogins: 401,
    endOwnLogin: 401,
    endOtherLogins: 401,
    changePassword: 401,
    setUpAccount: 403,
    acceptInvitation: 403,
    removeExampleData: 404,
    unlinkIssue: 404,
  };
  const order = ['GET', 'POST', 'PUT', 'DELETE'];
  const cases = apiCalls
    .toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method))
    .map((call) => [call.name, call] as const);

  it.each(cases)('%s is not rejected, and shows secrets only where it makes them', async (_name, call) => {
    const { status, text } = await send(example(call));
    const { operationId } = call.operation;
    const expected = NOT_NOW[operationId] ?? (status < 300 || status === 409 ? status : 200);
    expect(status, text).toBe(expected);
    const told = text.match(SECRET) ?? [];
    if (!MAKES_SECRETS.includes(operationId)) expect(told).toEqual([]);
    for (const secret of told) secrets.add(secret);
  });

  it('no secret is in the log', () => {
    expect(secrets.size).toBeGreaterThan(15);
    const logged = server.logged.join('\n');
    for (const secret of secrets) expect(logged.includes(secret)).toBe(false);
  });

  it('nothing of the other applications has changed', async () => {
    expect(await changes()).toEqual([]);
  });
});

it('a listener to the webhook gets no delivery of another application', async () => {
  const [{ headers }, { headers: theirs }] = others as [TenantFixture, TenantFixture];
  const stop = new AbortController();
  const stream = await fetch(`${server.url}/v0/webhook/listen`, { headers, signal: stop.signal });
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  const hear = async () => Buffer.from((await reader.read()).value ?? []).toString();
  const answer = (id: string, credentials: TenantFixture['headers']) =>
    server.call('POST', `/v0/webhook/listen/${id}`, { headers: credentials, body: { status: 200 } });
  expect(await hear()).toBe(': listening\n\n');
  const sent = await server.call('POST', '/v0/webhook/test', { headers: theirs });
  expect(sent.json).toEqual({ success: true, statusCode: 200 });
  const heard = server.call('POST', '/v0/webhook/test', { headers });
  let said = '';
  while (!/^event: delivery\ndata: .*\n\n/m.test(said)) said += await hear();
  const [, data = ''] = /^event: delivery\ndata: (.*)\n/m.exec(said) ?? [];
  const { id, body } = JSON.parse(data) as { id: string; body: string };
  expect((await answer(id, theirs)).status).toBe(404);
  expect((await answer(id, headers)).status).toBe(204);
  expect((await heard).json).toEqual({ success: true, statusCode: 200 });
  const deliveries = await server.call('GET', '/v0/webhook/deliveries', { headers });
  expect(deliveries.text).toContain((JSON.parse(body) as { testId: string }).testId);
  stop.abort();
});
