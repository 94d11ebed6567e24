/** Calls in progress end when their caller loses the permission: every kind of call, every kind of change. */
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiRoutes, type RouteDeps } from '../../src/api/routes.ts';
import type { ScopeName } from '../../src/contract/scope.ts';
import { isUpload } from '../../src/contract/upload.ts';
import { isoTime } from '../../src/contract/values.ts';
import { AppError } from '../../src/errors.ts';
import { deleteAccount } from '../../src/people/account-store.ts';
import { endLogins, setPassword } from '../../src/people/login-store.ts';
import { addMember } from '../../src/people/setup-store.ts';
import type { RecordedDecision } from '../../src/resources/run-sets/decision-contract.ts';
import { runSets } from '../../src/resources/run-sets/record.ts';
import { NEVER_REVOKED, OpenCalls, pauseUnless, unlessRevoked } from '../../src/runtime/open-calls.ts';
import { eventStreams } from '../../src/runtime/event-streams.ts';
import type { Database } from '../../src/storage/database.ts';
import { apiCalls, isOtlp } from '../support/api-calls.ts';
import { besideServer } from '../support/beside-store.ts';
import { type CustomerApp, hang, startCustomerApp } from '../support/customer-app.ts';
import { isComplete } from '../support/effort.ts';
import { exportPath, framed, GrpcConnection } from '../support/grpc.ts';
import { addPerson, type Person } from '../support/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { storeExamples } from '../support/stored-examples.ts';
import { applicationKey, storeRun, storeTask, storeTest } from '../support/stored-tests.ts';
import { uuid } from '../support/spans.ts';
import { PATIENCE_MS } from '../support/until.ts';

type Headers = Readonly<Record<string, string>>;

let server: TestServer;
let grpc: GrpcConnection;
let app: CustomerApp;
let sampleId: string;
const [TASK, TEST, RUN, LONG_TASK, RUN_SET, RESULTS_RUN] = [
  uuid(1),
  uuid(2),
  uuid(3),
  uuid(4),
  uuid(5),
  uuid(6),
];
/** Rows of an export, and characters of each: more than the connection of a client that does not read accepts. */
const [ROWS, ROW_CHARACTERS] = [160, 100_000];
const LONG_TEXT = 'x'.repeat(ROW_CHARACTERS);
/** Results in a file, which shows the beginning of each text: 4,000 characters of four bytes. */
const RESULTS = 1_000;
const LONG_BEGINNING = '\u{1F600}'.repeat(4_000);

const spansOf = (traceId: string, count: number, text: string) => ({
  resourceSpans: [
    {
      scopeSpans: [
        {
          spans: Array.from({ length: count }, (_, index) => ({
            traceId,
            spanId: (index + 1).toString(16).padStart(16, '0'),
            name: text.slice(0, 40),
            startTimeUnixNano: `${Date.now()}000000`,
            endTimeUnixNano: `${Date.now()}000000`,
            attributes: [{ key: 'input.value', value: { stringValue: text } }],
          })),
        },
      ],
    },
  ],
});
/** Sends a trace by the admin's key. */
async function sendTrace(traceId: string, text: string, count = 1): Promise<void> {
  const { status } = await server.call('POST', '/v1/traces', {
    headers: { 'content-encoding': 'gzip' },
    body: new Uint8Array(gzipSync(JSON.stringify(spansOf(traceId, count, text)))),
  });
  expect(status).toBe(200);
}

beforeAll(async () => {
  server = await startServer({ config: { grpcPort: 0 } });
  grpc = await GrpcConnection.open(server.grpcPort as number);
  app = await startCustomerApp();
  await server.call('POST', '/v0/webhook', { body: { url: app.url } });
  await server.call('POST', '/v0/webhook/test');
  const json = await server.ok('GET', '/v0/webhook/deliveries');
  sampleId = json.data[0]?.id ?? '';
  besideServer(server.folder, (database) => {
    const application = applicationKey(database, server.applicationId);
    storeTask(database, application, TASK);
    const run = { id: RUN, taskId: TASK, createdAt: Date.now() };
    const test = { run, status: 'IN_PROGRESS', phase: 'delivered', createdAt: Date.now() } as const;
    database.transaction(() => {
      storeTest(database, application, { ...test, id: TEST });
      for (let row = 0; row < ROWS; row++)
        storeTest(database, application, { ...test, id: uuid(100 + row), prompt: LONG_TEXT });
      storeRunSet(database, application);
      const results = { id: RESULTS_RUN, taskId: TASK, createdAt: Date.now() };
      for (let row = 0; row < RESULTS; row++)
        storeTest(database, application, {
          ...test,
          id: uuid(1_000 + row),
          run: results,
          prompt: `${row} ${LONG_BEGINNING}`,
        });
      storeRun(database, application, results);
      storeTask(database, application, LONG_TASK);
      storeExamples(database, application, LONG_TASK, Array<string>(ROWS).fill(LONG_TEXT));
    });
  });
  for (let part = 0; part < 8; part++)
    await sendTrace(`${part}`.repeat(32).replaceAll('0', 'e'), LONG_TEXT, ROWS / 8);
});
/** Stores a run set with a recorded decision, which the run is part of. */
function storeRunSet(database: Database, application: number): void {
  const at = Date.now();
  const rule = {
    failUnder: 100,
    strict: false,
    allowSkipped: 0,
    question: 'EXAMPLES_LIKE_THESE',
    equalTasks: false,
    withAdvisory: false,
    margin: null,
    minPaired: 80,
    findLoss: 50,
  } as const;
  const decision = {
    outcome: 'INCONCLUSIVE',
    at: isoTime(at),
    rule,
    rate: null,
    baselineId: null,
    baselineRunIds: [],
    advisoryIds: [],
  } satisfies RecordedDecision;
  runSets.insert(
    database,
    { application, at },
    {
      id: RUN_SET,
      title: null,
      commitId: null,
      branch: null,
      pullRequest: null,
      buildUrl: null,
      author: null,
      metadata: null,
      status: 'RUNNING',
      repeat: 1,
      promptSeed: null,
      examples: null,
      batchExamples: null,
      plannedTests: ROWS,
      openTests: ROWS,
      position: null,
      baselineId: null,
      baselineRuns: null,
      decision,
      decidedAt: at,
      usedAt: null,
    },
  );
  storeRun(database, application, { id: RUN, taskId: TASK, createdAt: at });
  database.run('UPDATE run SET run_set_id = ? WHERE id = ?', RUN_SET, RUN);
}
afterAll(async () => {
  grpc.destroy();
  await server.close();
  await app.close();
});

/** How a call in progress ended: the status of its response, or how a stream that had begun ended. */
type Ending = number | 'ended' | 'cut off';
/** A call in progress. */
interface Begun {
  ended: Promise<Ending>;
  /** Sends the rest of the body, or reads the rest of the response. */
  goOn?: () => void;
  leave: () => void;
}
type Begin = (headers: Headers) => Promise<Begun>;

/** A text that no list may contain, because every call that sends it lost its permission. */
const LATE = 'sent too late';

/** Begins a request whose body does not end. */
const withBody =
  (path: string, type: string, body: string, rest: string): Begin =>
  (headers) => {
    const sent = httpRequest(server.url + path, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': type,
        accept: 'application/json, text/event-stream',
        'transfer-encoding': 'chunked',
      },
    });
    sent.write(body);
    const ended = new Promise<number>((resolve, reject) => {
      sent.on('error', reject);
      sent.on('response', (response) => {
        resolve(response.statusCode ?? 0);
        response.resume();
      });
    });
    ended.catch(() => undefined);
    return Promise.resolve({ ended, goOn: () => sent.end(rest), leave: () => sent.destroy() });
  };

/** Texts that the event streams of the round have sent. */
const streamed: string[] = [];

/** Opens a stream of events. */
const events =
  (path: string): Begin =>
  async (headers) => {
    const gone = new AbortController();
    const response = await fetch(server.url + path, { headers, signal: gone.signal });
    expect(response.status).toBe(200);
    const place = streamed.push('') - 1;
    const read = async (): Promise<Ending> => {
      for await (const piece of response.body as ReadableStream<Uint8Array>)
        streamed[place] += Buffer.from(piece).toString();
      return 'ended';
    };
    const ended = read();
    ended.catch(() => undefined);
    return { ended, leave: () => gone.abort() };
  };

/** Begins to download a file, and reads nothing of it before `goOn`. */
const download =
  (path: string): Begin =>
  async (headers) => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const sent = httpRequest(server.url + path, { headers, agent: false }, resolve);
    sent.on('error', reject).end();
    const response = await promise;
    expect(response.statusCode).toBe(200);
    const ended = new Promise<Ending>((settle) => {
      response.once('end', () => settle('ended')).once('error', () => settle('cut off'));
    });
    return { ended, goOn: () => void response.resume(), leave: () => sent.destroy() };
  };

/** Makes a call that waits for the app. */
const waiting =
  (path: string): Begin =>
  async (headers) => {
    const before = app.received.length;
    const gone = new AbortController();
    const ended = fetch(server.url + (path.endsWith('/replay') ? path.replace('{id}', sampleId) : path), {
      method: 'POST',
      headers,
      signal: gone.signal,
    }).then(async (response) => {
      await response.text();
      return response.status;
    });
    ended.catch(() => undefined);
    await expect.poll(() => app.received.length, { timeout: PATIENCE_MS }).toBeGreaterThan(before);
    return { ended, leave: () => gone.abort() };
  };

const FORM = 'multipart/form-data; boundary=x';
const PART =
  '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\ntitle,content,input\n';
const REST = `${LATE},${LATE},${LATE}\r\n--x--\r\n`;
const JSON_TYPE = 'application/json';

const ROUNDS = [1, 2, 3] as const;
type Round = (typeof ROUNDS)[number];

interface CallInProgress {
  scope: ScopeName;
  takesLogins: boolean;
  /** Calls of one round are in progress at the same time: an application may have two exports, and a listener takes what waits for the app. */
  round: Round;
  begin: Begin;
}
const callIn =
  (round: Round, takesLogins: boolean) =>
  (scope: ScopeName, begin: Begin): CallInProgress => ({ scope, takesLogins, round, begin });
const [rest, later, last] = [callIn(1, true), callIn(2, true), callIn(3, true)];
const keyed = callIn(1, false);

const otlpBody = (path: string): Begin =>
  withBody(path, JSON_TYPE, '{"resourceSpans":', JSON.stringify(spansOf('f'.repeat(32), 1, LATE)).slice(17));

const grpcCall =
  (signal: 'traces' | 'logs' | 'metrics'): Begin =>
  (headers) => {
    const call = grpc.begin({ headers, path: exportPath(signal) });
    const message = framed(Buffer.alloc(0));
    call.write(message.subarray(0, 3));
    return Promise.resolve({
      ended: call.reply.then(({ code }) => (code === 16 ? 401 : code === 7 ? 403 : (code ?? 0))),
      goOn: () => call.write(message.subarray(3)),
      leave: call.end,
    });
  };

const CALLS: Readonly<Record<string, CallInProgress>> = {
  'GET /v0/webhook/listen': rest('write', events('/v0/webhook/listen')),
  'GET /v0/traces/stream': rest('read', events('/v0/traces/stream')),
  'GET /v0/tests/{id}/stream': rest('read', events(`/v0/tests/${TEST}/stream`)),
  'GET /v0/traces/export': rest('read', download('/v0/traces/export?format=otlp-jsonl')),
  'GET /v0/tests/export': rest('read', download('/v0/tests/export?format=jsonl')),
  'GET /v0/results/export': later('read', download(`/v0/results/export?side=run:${RESULTS_RUN}`)),
  'GET /v0/run-sets/{id}/evidence': last('read', download(`/v0/run-sets/${RUN_SET}/evidence`)),
  'GET /v0/tasks/{id}/examples/export': later('read', download(`/v0/tasks/${LONG_TASK}/examples/export`)),
  'POST /v0/tasks/{id}/examples/import': rest(
    'write',
    withBody(`/v0/tasks/${TASK}/examples/import`, FORM, PART, REST),
  ),
  'POST /v0/tasks/{id}/examples/import, the file itself': rest(
    'write',
    withBody(`/v0/tasks/${TASK}/examples/import`, 'text/csv', 'input\n', `${LATE}\n`),
  ),
  'POST /v0/documents/upload': rest('write', withBody('/v0/documents/upload', FORM, PART, REST)),
  'POST /v1/quickstarts/uploads': rest('write', withBody('/v1/quickstarts/uploads', FORM, PART, REST)),
  'POST /v0/tags': rest('write', withBody('/v0/tags', JSON_TYPE, '{"name":', `"${LATE}"}`)),
  'POST /v0/webhook/test': later('write', waiting('/v0/webhook/test')),
  'POST /v0/webhook/deliveries/{id}/replay': later('write', waiting('/v0/webhook/deliveries/{id}/replay')),
  'POST /v1/traces': keyed('ingest', otlpBody('/v1/traces')),
  'POST /v0/otel/traces': keyed('ingest', otlpBody('/v0/otel/traces')),
  'POST /v0/otel/v1/traces': keyed('ingest', otlpBody('/v0/otel/v1/traces')),
  'POST /v1/logs': keyed('ingest', withBody('/v1/logs', JSON_TYPE, '{"resourceLogs":', '[]}')),
  'POST /v1/metrics': keyed('ingest', withBody('/v1/metrics', JSON_TYPE, '{', '}')),
  'POST /v0/ingest': keyed(
    'ingest',
    withBody('/v0/ingest', JSON_TYPE, '{"events":[', `{"type":"trace","timestamp":1,"input":"${LATE}"}]}`),
  ),
  'POST /mcp': keyed('read', withBody('/mcp', JSON_TYPE, '{"jsonrpc":', '"2.0"}')),
  'traces over gRPC': keyed('ingest', grpcCall('traces')),
  'logs over gRPC': keyed('ingest', grpcCall('logs')),
  'metrics over gRPC': keyed('ingest', grpcCall('metrics')),
};

it('every route that streams, downloads or takes a file is among the calls', () => {
  const routes = apiRoutes({ config: {} } as RouteDeps);
  const lasting = routes
    .filter(({ response, body }) => response === 'events' || response === 'stream' || isUpload(body))
    .map(({ method, path }) => `${method} ${path}`);
  // The document also has the routes that the server opens itself.
  const others = apiCalls.filter((call) => {
    const types = [
      ...Object.keys(call.operation.requestBody?.content ?? {}),
      ...Object.values(call.operation.responses).flatMap((response) =>
        'content' in response ? Object.keys(response.content ?? {}) : [],
      ),
    ];
    return isOtlp(call) || types.some((type) => /event-stream|multipart|csv|ndjson|parquet/.test(type));
  });
  const names = new Set([...lasting, ...others.map(({ name }) => name)]);
  expect(names.size).toBeGreaterThan(12);
  expect([...names].filter((name) => !Object.hasOwn(CALLS, name))).toEqual([]);
});

const inStore = <T>(work: (database: Database, application: number) => T): T =>
  besideServer(server.folder, (database) => work(database, applicationKey(database, server.applicationId)));
const keyIdOf = (headers: Headers): string => String(headers['x-api-key']).slice(3, 15);
const recordOf = (keyId: string): string =>
  inStore((database) => database.get<{ id: string }>('SELECT id FROM api_key WHERE key_id = ?', keyId))?.id ??
  '';
const setScopes = (keyId: string, scopes: readonly ScopeName[]): unknown =>
  inStore((database) =>
    database.run('UPDATE api_key SET scopes = ? WHERE key_id = ?', scopes.join(' '), keyId),
  );
const memberPath = ({ id }: Person): string => `/v0/applications/${server.applicationId}/members/${id}`;

interface Caller {
  headers: Headers;
  keyId: string;
  person: Person;
}
interface Change {
  of: 'key' | 'person';
  /** Ends calls of every kind; the other changes end one call of each way to end. */
  endsAll?: true;
  status: 401 | 403;
  /** Calls with this scope continue. */
  keeps?: ScopeName;
  make: (caller: Caller) => unknown;
}

const CHANGES: Readonly<Record<string, Change>> = {
  'a key is revoked': {
    of: 'key',
    endsAll: true,
    status: 401,
    make: async ({ keyId }) =>
      expect((await server.call('DELETE', `/v0/api-keys/${recordOf(keyId)}`)).status).toBe(204),
  },
  'a key expires': {
    of: 'key',
    status: 401,
    make: ({ keyId }) =>
      inStore((database) => database.run('UPDATE api_key SET expires_at = 1 WHERE key_id = ?', keyId)),
  },
  'a key loses all scopes that its calls need': {
    of: 'key',
    status: 403,
    make: ({ keyId }) => setScopes(keyId, ['annotate']),
  },
  'a key loses the scopes that change something': {
    of: 'key',
    endsAll: true,
    status: 403,
    keeps: 'read',
    make: ({ keyId }) => setScopes(keyId, ['read']),
  },
  'a key is deleted with its application': {
    of: 'key',
    status: 401,
    make: ({ keyId }) => inStore((database) => database.run('DELETE FROM api_key WHERE key_id = ?', keyId)),
  },
  'a person is demoted': {
    of: 'person',
    endsAll: true,
    status: 403,
    keeps: 'read',
    make: async ({ person }) =>
      expect((await server.call('PUT', memberPath(person), { body: { role: 'viewer' } })).status).toBe(200),
  },
  'a person is demoted by the command line': {
    of: 'person',
    status: 403,
    keeps: 'read',
    make: ({ person: { id: userId } }) =>
      inStore((database, application) =>
        addMember(database, { application, userId, role: 'viewer', at: Date.now() }),
      ),
  },
  'a person is removed from the application': {
    of: 'person',
    endsAll: true,
    status: 403,
    make: async ({ person }) => expect((await server.call('DELETE', memberPath(person))).status).toBe(204),
  },
  'a person signs out': {
    of: 'person',
    status: 401,
    make: async ({ headers }) =>
      expect(
        (await server.call('DELETE', '/v0/login', { headers: { 'x-api-key': null, ...headers } })).status,
      ).toBe(204),
  },
  'the logins of a person are ended': {
    of: 'person',
    status: 401,
    make: ({ person: { id: userId } }) => inStore((database) => endLogins(database, { userId })),
  },
  'a person gets a new password': {
    of: 'person',
    status: 401,
    make: ({ person: { id: userId } }) =>
      inStore((database) => {
        setPassword(database, { userId, passwordHash: 'scrypt$2$AA$AB', at: Date.now() });
        endLogins(database, { userId });
      }),
  },
  'an account is deleted': {
    of: 'person',
    status: 401,
    make: ({ person: { id: userId } }) => inStore((database) => deleteAccount(database, { userId })),
  },
};

async function newCaller(of: Change['of']): Promise<Caller> {
  const person = addPerson(server, server, { role: 'editor' });
  const headers = of === 'key' ? await server.newKey(['read', 'write', 'ingest']) : person.headers;
  return { headers, person, keyId: of === 'key' ? keyIdOf(headers) : '' };
}

/** Returns the number of open streams of a kind. */
async function openStreams(kind: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(new RegExp(`^touchstone_streams\\{kind="${kind}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
}

let traces = 0;
/** Sends a trace with a name that no other has; returns the name. */
async function sendNamed(): Promise<string> {
  const name = `trace ${++traces} of the admin.`;
  await sendTrace(traces.toString(16).padStart(32, 'd'), name);
  return name;
}

const seenBy = (): string => streamed.join('');

/** A stream, a file, an upload, a body, and a call of another protocol. */
const EACH_WAY_TO_END = [
  'GET /v0/traces/stream',
  'GET /v0/traces/export',
  'POST /v0/documents/upload',
  'POST /v0/tags',
  'traces over gRPC',
];

const rounds = Object.entries(CHANGES).flatMap(([what, change]) =>
  (change.endsAll || isComplete ? ROUNDS : ([1] as const)).map((round) => ({
    what,
    round,
    ...change,
  })),
);
describe.each(rounds)('when $what', ({ of, status, keeps, make, round, endsAll }) => {
  it(`its calls of round ${round} end`, async () => {
    const calls = Object.entries(CALLS).filter(
      ([name, call]) =>
        call.round === round &&
        (call.takesLogins || of === 'key') &&
        (endsAll || isComplete || EACH_WAY_TO_END.includes(name)),
    );
    app.behave(hang);
    const caller = await newCaller(of);
    streamed.length = 0;
    const begun: [name: string, Begun][] = [];
    for (const [name, { begin }] of calls) begun.push([name, await begin(caller.headers)]);
    // A later request of the same caller is authenticated after the others.
    await fetch(`${server.url}/v0/tags`, { headers: caller.headers });
    if (round === 1) {
      const early = await sendNamed();
      await expect.poll(seenBy, { timeout: PATIENCE_MS }).toContain(early);
    }

    await make(caller);
    const isKept = (name: string): boolean => CALLS[name]?.scope === keeps;
    const isFile = (name: string): boolean => /\/(?:export|evidence)$/.test(name);
    const endings = Object.fromEntries(
      await Promise.all(
        begun
          .filter(([name]) => !isKept(name) && !isFile(name))
          .map(async ([name, { ended }]) => [name, await ended] as const),
      ),
    );
    if (keeps === undefined) await expect.poll(() => openStreams('export'), { timeout: PATIENCE_MS }).toBe(0);
    const late = await sendNamed();
    if (round === 1 && keeps === 'read') await expect.poll(seenBy, { timeout: PATIENCE_MS }).toContain(late);
    for (const [, { goOn }] of begun) goOn?.();
    for (const [name, { ended }] of begun) if (isFile(name)) endings[name] = await ended;
    const expected = (name: string): Ending =>
      isFile(name) ? (isKept(name) ? 'ended' : 'cut off') : name.startsWith('GET ') ? 'ended' : status;
    expect(endings).toEqual(
      Object.fromEntries(
        begun.filter(([name]) => isFile(name) || !isKept(name)).map(([name]) => [name, expected(name)]),
      ),
    );
    if (keeps === undefined) expect(seenBy()).not.toContain(late);
    for (const [, { leave }] of begun) leave();
    app.disconnect();
  });
});

it('nothing of what they sent afterwards is stored, and no delivery is left open', async () => {
  const open = (): unknown =>
    inStore((database) => database.all('SELECT id FROM delivery WHERE finished_at IS NULL'));
  await expect.poll(open, { timeout: PATIENCE_MS }).toEqual([]);
  for (const list of ['tags', 'documents', `tasks/${TASK}/examples`, 'traces']) {
    const { status, text } = await server.call('GET', `/v0/${list}?limit=100`);
    expect(status).toBe(200);
    expect(text).not.toContain(LATE);
  }
});

describe('a call that is watched', () => {
  const gone = new AppError('forbidden', 'Your role lacks the scope "write"');

  it('aborts with the error of its check, and does not for a store that is busy', async () => {
    const revocations: string[] = [];
    const calls = new OpenCalls(() => revocations.push('revoked'));
    let answer: Error | null = new AppError('unavailable', 'busy');
    let checks = 0;
    const { revoked, end } = calls.watch(async () => {
      checks += 1;
      if (answer) throw answer;
    });
    await expect.poll(() => checks).toBeGreaterThan(1);
    expect(revoked.aborted).toBe(false);
    answer = gone;
    await expect(unlessRevoked(revoked, new Promise(() => undefined))).rejects.toBe(gone);
    expect(revocations).toEqual(['revoked']);
    await pauseUnless(revoked, 1_000_000);
    end();
    calls.close();
  });

  it('that has lost its permission before its work fails rejects with the reason, and handles the failure', async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', onUnhandled);
    const permission = new AbortController();
    permission.abort(gone);
    const work = Promise.withResolvers<never>();
    const result = unlessRevoked(permission.signal, work.promise);
    await expect(result).rejects.toBe(gone);
    work.reject(new Error('the work failed later'));
    await setImmediate();
    process.off('unhandledRejection', onUnhandled);
    expect(unhandled).toEqual([]);
  });

  it.each([
    ['a file is cut off at once, so that it is not taken for complete', 0],
    ['events end, and the stream of a client that does not read is destroyed', 1],
  ])('%s', async (_what, lingerMs) => {
    const kind = { name: 'x', plural: 'xs', total: 1, perApplication: 1, longestMs: 1_000_000, lingerMs };
    const open = eventStreams({
      isClosing: () => false,
      log: undefined as never,
      open: { set: () => undefined },
    });
    const permission = new AbortController();
    const caller = { application: 1, revoked: permission.signal };
    async function* endless(): AsyncGenerator<string, void> {
      for (;;) yield 'more\n';
    }
    const stream = open(kind, caller, endless);
    permission.abort(gone);
    await expect.poll(() => stream.destroyed).toBe(true);
    expect(stream.readableEnded).toBe(false);
    await expect
      .poll(() => open(kind, { ...caller, revoked: NEVER_REVOKED }, endless))
      .toBeInstanceOf(Readable);
  });
});
