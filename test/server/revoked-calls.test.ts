/** Calls in progress end when their caller loses the permission: every kind of call, every kind of change. */
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScopeName } from '../../src/contract/scope.ts';
import { AppError } from '../../src/errors.ts';
import { deleteAccount } from '../../src/people/account-store.ts';
import { endLogins, setPassword } from '../../src/people/login-store.ts';
import { addMember } from '../../src/people/setup-store.ts';
import { NEVER_REVOKED, OpenCalls, pauseUnless, unlessRevoked } from '../../src/runtime/open-calls.ts';
import { eventStreams } from '../../src/runtime/event-streams.ts';
import type { Database } from '../../src/storage/database.ts';
import { apiCalls, isOtlp, isStream } from '../support/api-calls.ts';
import { besideServer } from '../support/beside-store.ts';
import { GrpcConnection } from '../support/grpc.ts';
import { addPerson, type Person } from '../support/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { applicationKey, storeTest, storeTask } from '../support/stored-tests.ts';
import { uuid } from '../support/spans.ts';

type Headers = Readonly<Record<string, string>>;

let server: TestServer;
let grpc: GrpcConnection;
const [TASK, TEST, RUN] = [uuid(1), uuid(2), uuid(3)];
beforeAll(async () => {
  server = await startServer({ config: { grpcPort: 0 } });
  grpc = await GrpcConnection.open(server.grpcPort as number);
  await server.call('POST', '/v0/webhook', { body: { url: 'http://127.0.0.1:1/' } });
  besideServer(server.folder, (database) => {
    const application = applicationKey(database, server.applicationId);
    storeTask(database, application, TASK);
    const run = { id: RUN, taskId: TASK, createdAt: Date.now() };
    storeTest(database, application, {
      id: TEST,
      run,
      status: 'IN_PROGRESS',
      phase: 'delivered',
      createdAt: Date.now(),
    });
  });
});
afterAll(async () => {
  grpc.destroy();
  await server.close();
});

/** A call in progress. `ended` resolves to its status, or to the code of a gRPC call. */
interface Begun {
  ended: Promise<number>;
  leave: () => void;
}

/** Begins a request whose body does not end. Resolves once the server has begun to read it. */
const withBody =
  (method: string, path: string, type: string, body: string) =>
  async (headers: Headers): Promise<Begun> => {
    const sent = httpRequest(server.url + path, {
      method,
      headers: { ...headers, 'content-type': type, 'transfer-encoding': 'chunked' },
    });
    sent.write(body);
    const ended = new Promise<number>((resolve, reject) => {
      sent.on('error', reject);
      sent.on('response', (response) => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      });
    });
    ended.catch(() => undefined);
    // A later request of the same caller is authenticated after this one.
    await fetch(`${server.url}/v0/tags`, { headers });
    return { ended, leave: () => sent.destroy() };
  };

/** Opens a stream; it ends with the status that its first response had. */
const reading =
  (path: string) =>
  async (headers: Headers): Promise<Begun> => {
    const gone = new AbortController();
    const response = await fetch(server.url + path, { headers, signal: gone.signal });
    expect(response.status).toBe(200);
    const ended = response.text().then(() => response.status);
    ended.catch(() => undefined);
    return { ended, leave: () => gone.abort() };
  };

const FORM = 'multipart/form-data; boundary=x';
const PART = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\ntitle,content\n';

interface CallInProgress {
  scope: ScopeName;
  takesLogins: boolean;
  begin: (headers: Headers) => Promise<Begun>;
}
const rest = (scope: ScopeName, begin: CallInProgress['begin']): CallInProgress => ({
  scope,
  takesLogins: true,
  begin,
});
const keyed = (scope: ScopeName, begin: CallInProgress['begin']): CallInProgress => ({
  scope,
  takesLogins: false,
  begin,
});

const CALLS: Readonly<Record<string, CallInProgress>> = {
  'GET /v0/webhook/listen': rest('write', reading('/v0/webhook/listen')),
  'GET /v0/traces/stream': rest('read', reading('/v0/traces/stream')),
  'GET /v0/tests/{id}/stream': rest('read', reading(`/v0/tests/${TEST}/stream`)),
  'POST /v0/tasks/{id}/examples/import': rest(
    'write',
    withBody('POST', `/v0/tasks/${TASK}/examples/import`, FORM, PART),
  ),
  'POST /v0/tasks/{id}/examples/import, the file itself': rest(
    'write',
    withBody('POST', `/v0/tasks/${TASK}/examples/import`, 'text/csv', 'input\n'),
  ),
  'POST /v0/documents/upload': rest('write', withBody('POST', '/v0/documents/upload', FORM, PART)),
  'POST /v1/quickstarts/uploads': rest('write', withBody('POST', '/v1/quickstarts/uploads', FORM, PART)),
  'POST /v0/tags': rest('write', withBody('POST', '/v0/tags', 'application/json', '{"name":')),
  'POST /v1/traces': keyed('ingest', withBody('POST', '/v1/traces', 'application/json', '{"resourceSpans":')),
  'POST /v0/otel/traces': keyed('ingest', withBody('POST', '/v0/otel/traces', 'application/json', '{')),
  'POST /v0/otel/v1/traces': keyed('ingest', withBody('POST', '/v0/otel/v1/traces', 'application/json', '{')),
  'POST /v1/logs': keyed('ingest', withBody('POST', '/v1/logs', 'application/json', '{"resourceLogs":')),
  'POST /v1/metrics': keyed('ingest', withBody('POST', '/v1/metrics', 'application/json', '{')),
  'POST /v0/ingest': keyed('ingest', withBody('POST', '/v0/ingest', 'application/json', '{"events":[')),
  'POST /mcp': keyed('read', withBody('POST', '/mcp', 'application/json', '{"jsonrpc":')),
  'OTLP over gRPC': keyed('ingest', async (headers) => {
    const call = grpc.begin({ headers });
    call.write(Buffer.from([0, 0, 0, 1, 0, 1]));
    return {
      ended: call.reply.then(({ code }) => (code === 16 ? 401 : code === 7 ? 403 : (code ?? 0))),
      leave: call.end,
    };
  }),
};

it('every route that streams or takes a file is among the calls', () => {
  const lasting = apiCalls.filter((call) => {
    const content = Object.keys(call.operation.requestBody?.content ?? {});
    return isStream(call) || isOtlp(call) || content.some((type) => !type.startsWith('application/json'));
  });
  expect(lasting.length).toBeGreaterThan(7);
  expect(lasting.map(({ name }) => name).filter((name) => !Object.hasOwn(CALLS, name))).toEqual([]);
});

const inStore = <T>(work: (database: Database, application: number) => T): T =>
  besideServer(server.folder, (database) => work(database, applicationKey(database, server.applicationId)));
const keyIdOf = (headers: Headers): string => String(headers['x-api-key']).slice(3, 15);
const recordOf = (keyId: string): string =>
  inStore((database) => database.get<{ id: string }>('SELECT id FROM api_key WHERE key_id = ?', keyId))?.id ??
  '';

/** What ends the calls of a key, and the status that they end with. */
const KEY_CHANGES: Readonly<Record<string, { status: number; make: (keyId: string) => unknown }>> = {
  'the key is revoked': {
    status: 401,
    make: async (keyId) =>
      expect((await server.call('DELETE', `/v0/api-keys/${recordOf(keyId)}`)).status).toBe(204),
  },
  'the key expires': {
    status: 401,
    make: (keyId) =>
      inStore((database) => database.run('UPDATE api_key SET expires_at = 1 WHERE key_id = ?', keyId)),
  },
  'the key loses the scope': {
    status: 403,
    make: (keyId) =>
      inStore((database) =>
        database.run(`UPDATE api_key SET scopes = '["annotate"]' WHERE key_id = ?`, keyId),
      ),
  },
  'the key is deleted with its application': {
    status: 401,
    make: (keyId) => inStore((database) => database.run('DELETE FROM api_key WHERE key_id = ?', keyId)),
  },
};

/** What ends the calls of a person. */
const PERSON_CHANGES: Readonly<
  Record<string, { status: number; scopes?: ScopeName[]; make: (person: Person) => unknown }>
> = {
  'the person is demoted': {
    status: 403,
    scopes: ['write'],
    make: async ({ id }) => {
      const path = `/v0/applications/${server.applicationId}/members/${id}`;
      expect((await server.call('PUT', path, { body: { role: 'viewer' } })).status).toBe(200);
    },
  },
  'the person is demoted by the command line': {
    status: 403,
    scopes: ['write'],
    make: ({ id: userId }) =>
      inStore((database, application) =>
        addMember(database, { application, userId, role: 'viewer', at: Date.now() }),
      ),
  },
  'the person is removed from the application': {
    status: 403,
    make: async ({ id }) => {
      const path = `/v0/applications/${server.applicationId}/members/${id}`;
      expect((await server.call('DELETE', path)).status).toBe(204);
    },
  },
  'the person signs out': {
    status: 401,
    make: async ({ headers }) =>
      expect(
        (await server.call('DELETE', '/v0/login', { headers: { 'x-api-key': null, ...headers } })).status,
      ).toBe(204),
  },
  'the logins of the person are ended': {
    status: 401,
    make: ({ id: userId }) => inStore((database) => endLogins(database, { userId })),
  },
  'the person gets a new password': {
    status: 401,
    make: ({ id: userId }) =>
      inStore((database) => {
        setPassword(database, { userId, passwordHash: 'scrypt$2$AA$AB', at: Date.now() });
        endLogins(database, { userId });
      }),
  },
  'the account is deleted': {
    status: 401,
    make: ({ id: userId }) => inStore((database) => deleteAccount(database, { userId })),
  },
};

const isEventStream = (name: string): boolean => name.startsWith('GET ');

describe.each(Object.entries(CALLS))('%s', (name, { scope, takesLogins, begin }) => {
  const expected = (status: number): number => (isEventStream(name) ? 200 : status);

  it.each(Object.entries(KEY_CHANGES))('ends when %s', async (_what, { status, make }) => {
    const headers = await server.newKey([scope]);
    const { ended, leave } = await begin(headers);
    await make(keyIdOf(headers));
    expect(await ended).toBe(expected(status));
    leave();
  });

  const ofPeople = Object.entries(PERSON_CHANGES).filter(
    ([, { scopes }]) => takesLogins && (scopes === undefined || scopes.includes(scope)),
  );
  it.each(ofPeople)('ends when %s', async (_what, { status, make }) => {
    const person = addPerson(server, server, { role: 'editor' });
    const { ended, leave } = await begin(person.headers);
    await make(person);
    expect(await ended).toBe(expected(status));
    leave();
  });
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
