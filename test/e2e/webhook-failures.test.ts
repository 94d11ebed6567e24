import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withStore } from '../../src/cli/data-folder.ts';
import {
  answer,
  type Behaviour,
  type CustomerApp,
  NOWHERE,
  type Received,
  startCustomerApp,
} from '../support/customer-app.ts';
import {
  answering,
  type Certificate,
  type Connection,
  OK,
  startDeafServer,
  startHostileServer,
  wholeRequest,
} from '../support/hostile-server.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';
import { jsonRequest, jsonSpan, newTraceId } from './otlp-sender.ts';
import { until } from '../support/until.ts';

/** Every test here has an application of its own, so that all of them can wait at the same time. */
const SETTINGS = { quietMs: 200, orphanQuietMs: 800, traceDeadlineMs: 1_500 };
const MIB = 1024 * 1024;

interface TestJson {
  status: string;
  failure: { code: string; message: string; hint: string } | null;
  timeline: { phase: string; detail: string }[];
  traceIds: string[];
}

/** An application whose tests go to `url`. */
class Caller {
  private readonly server: TestServer;
  private readonly tenant: Tenant;

  constructor(server: TestServer, tenant: Tenant) {
    this.server = server;
    this.tenant = tenant;
  }

  static async new(server: TestServer, url: string, timeoutMs = 120_000): Promise<Caller> {
    const caller = new Caller(server, await server.newTenant());
    await caller.post('/v0/webhook', { url, timeoutMs });
    return caller;
  }

  async post(path: string, body: unknown): Promise<unknown> {
    const headers = { ...this.tenant.headers, prefer: 'return=representation' };
    const { status, json, text } = await this.server.call('POST', path, { headers, body });
    if (status !== 200 && status !== 201) throw new Error(`${path} was answered ${status}: ${text}`);
    return json;
  }

  private async get(path: string): Promise<unknown> {
    return (await this.server.call('GET', path, { headers: this.tenant.headers })).json;
  }

  /** The id of a new test. */
  async trigger(): Promise<string> {
    const { task } = (await this.post('/v0/tasks', {
      title: 'Capital',
      type: 'STATIC',
      inputExamples: ['Capital of France?'],
    })) as { task: { id: string } };
    const { data } = (await this.post('/v0/tasks/trigger', { taskIds: [task.id] })) as {
      data: { testIds: string[] }[];
    };
    return data[0]?.testIds[0] as string;
  }

  async read(id: string): Promise<TestJson> {
    return ((await this.get(`/v0/tests/${id}`)) as { test: TestJson }).test;
  }

  /** The test when it is over. */
  async over(id: string): Promise<TestJson> {
    return until(
      () => this.read(id),
      ({ status }) => /^(COMPLETED|FAILED)$/.test(status),
    );
  }

  async attempts(id: string): Promise<{ outcome: string; statusCode: number | null }[]> {
    const { data } = (await this.get(`/v0/webhook/deliveries?testId=${id}`)) as {
      data: { outcome: string; statusCode: number | null }[];
    };
    return data;
  }

  /** Makes each delivery that is to be repeated one of ten runs. */
  countTenRunsAtOnce(): void {
    withStore(this.server.folder, (database) => {
      const { applicationId } = this.tenant;
      const row = database.get<{ key: number }>(
        'SELECT application AS key FROM application WHERE id = ?',
        applicationId,
      );
      database.run(`CREATE TRIGGER ten_runs AFTER UPDATE OF state ON job
                    WHEN new.kind = 'deliver' AND new.state = 'waiting' AND new.application = ${row?.key}
                    BEGIN UPDATE job SET attempts = 10 WHERE id = new.id; END`);
    });
  }

  async sendSpan(request: Received, trace = traceOf(request)): Promise<void> {
    const attributes = [{ key: 'service.test.id', value: { stringValue: idOf(request) } }];
    await this.post('/v1/traces', jsonRequest(jsonSpan(trace, 'answer', { attributes })));
  }
}

const traceOf = ({ headers }: Received): string => String(headers['traceparent']).split('-')[1] as string;

const idOf = ({ body }: Received): string => (JSON.parse(body) as { testId: string }).testId;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ config: SETTINGS });
});
afterAll(() => server.close());

/** Whatever a test is sent to. */
interface Endpoint {
  url: string;
  /** How many requests reached it. */
  requests: () => number;
  close: () => Promise<void>;
}

const appThat = (behaviour: Behaviour) => async (): Promise<Endpoint> => {
  const app = await startCustomerApp();
  app.behave(behaviour);
  return { url: app.url, requests: () => app.received.length, close: app.close };
};

const socketThat =
  (serve: (connection: Connection) => unknown, certificate?: Certificate) => async (): Promise<Endpoint> => {
    const { port, connections, close } = await startHostileServer(serve, certificate && { certificate });
    const scheme = certificate === undefined ? 'http' : 'https';
    const requests = (): number => connections.filter(({ received }) => received.length > 0).length;
    return { url: `${scheme}://127.0.0.1:${port}/webhook`, requests, close };
  };

const named = (url: string) => async (): Promise<Endpoint> => ({
  url,
  requests: () => 0,
  close: async () => undefined,
});

const deaf = async (): Promise<Endpoint> => {
  const { port, close } = await startDeafServer();
  return { url: `http://127.0.0.1:${port}/webhook`, requests: () => 0, close };
};

const plainBehindHttps = async (): Promise<Endpoint> => {
  const app = await startCustomerApp();
  return { url: app.url.replace('http:', 'https:'), requests: () => app.received.length, close: app.close };
};

/** One byte after the other, forever. */
const dripping =
  (head: string) =>
  async (connection: Connection): Promise<void> => {
    await answering(head)(connection);
    const timer = setInterval(() => connection.socket.write('x'), 50);
    connection.socket.on('close', () => clearInterval(timer));
  };

const afterRequest =
  (end: (connection: Connection) => unknown) =>
  async (connection: Connection): Promise<void> => {
    await wholeRequest(connection);
    end(connection);
  };

interface Failing {
  endpoint: () => Promise<Endpoint>;
  timeoutMs?: number;
  code: string;
  message: RegExp;
  hint: RegExp;
  /** How many requests the app saw. */
  requests: number;
  attempts: number;
}

const SENT_ONCE = { requests: 1, attempts: 1 };
/** Sent again, since it surely never arrived. */
const NEVER_SENT = { requests: 0, attempts: 3 };
const LOST = { ...SENT_ONCE, code: 'delivery_unknown', hint: /check its log/ };
const LATE = { ...SENT_ONCE, timeoutMs: 3_000, code: 'webhook_timeout' };
const status = (code: number, hint: RegExp): Failing => ({
  ...SENT_ONCE,
  endpoint: appThat(answer(code, 'no')),
  code: 'webhook_status',
  message: new RegExp(`status ${code}: “no”`),
  hint,
});

const FAILURES: Record<string, Failing> = {
  'a name that does not exist': {
    ...NEVER_SENT,
    endpoint: named('https://nowhere.invalid/webhook'),
    code: 'webhook_unreachable',
    message: /nowhere\.invalid/,
    hint: /resolve names|can resolve it/,
  },
  'a port where nobody listens': {
    ...NEVER_SENT,
    endpoint: named(NOWHERE),
    code: 'webhook_unreachable',
    message: /refused the connection/,
    hint: /listens on this port/,
  },
  'an app that accepts no connection': {
    ...NEVER_SENT,
    endpoint: deaf,
    timeoutMs: 1_000,
    code: 'webhook_timeout',
    message: /no connection was opened/,
    hint: /firewall/,
  },
  'a certificate of an unknown authority': {
    ...NEVER_SENT,
    endpoint: socketThat(answering(OK), 'trusted'),
    code: 'webhook_unreachable',
    message: /authority that is not trusted/,
    hint: /NODE_EXTRA_CA_CERTS/,
  },
  'a self-signed certificate': {
    ...NEVER_SENT,
    endpoint: socketThat(answering(OK), 'self-signed'),
    code: 'webhook_unreachable',
    message: /self-signed/,
    hint: /NODE_EXTRA_CA_CERTS/,
  },
  'a port that does not speak TLS': {
    ...NEVER_SENT,
    endpoint: plainBehindHttps,
    code: 'webhook_unreachable',
    message: /does not speak TLS/,
    hint: /http:/,
  },
  'headers that never end': {
    ...LATE,
    endpoint: socketThat(dripping('HTTP/1.1 200 OK\r\nx-slow: ')),
    message: /no response arrived/,
    hint: /respond with 200 first/,
  },
  'a body that never ends': {
    ...LATE,
    endpoint: socketThat(dripping('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')),
    message: /the response was incomplete/,
    hint: /ends the response/,
  },
  'status 201': status(201, /exactly 200/),
  'status 400': status(400, /reads the body as JSON/),
  'status 401': status(401, /verifies the signature/),
  'status 429': status(429, /trigger fewer tests/),
  'status 500': status(500, /app's log/),
  'status 503': status(503, /overloaded/),
  'a reset after the request was read': {
    ...LOST,
    endpoint: socketThat(afterRequest(({ socket }) => socket.resetAndDestroy())),
    message: /closed the connection/,
  },
  'an end after the request was read': {
    ...LOST,
    endpoint: socketThat(afterRequest(({ socket }) => socket.end())),
    message: /closed the connection/,
  },
  'an end in the midst of the answer': {
    ...LOST,
    endpoint: socketThat(
      afterRequest(({ socket }) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nok')),
    ),
    message: /./,
  },
  'something that is not HTTP': {
    ...LOST,
    endpoint: socketThat(answering('SSH-2.0-OpenSSH_9.9\r\n')),
    message: /not valid HTTP/,
  },
  'headers without measure': {
    ...LOST,
    endpoint: socketThat(answering(`HTTP/1.1 200 OK\r\nx-big: ${'x'.repeat(MIB)}\r\n\r\n`)),
    message: /headers of .* exceed/,
  },
  'no span, as of an app whose traces are sampled out': {
    ...SENT_ONCE,
    endpoint: appThat(answer(200)),
    code: 'trace_missing',
    message: /no span of the test arrived within 2 s/,
    hint: /service\.test\.id/,
  },
  'no span after a body that is too big, which counts as an answer all the same': {
    ...SENT_ONCE,
    endpoint: appThat(answer(200, new Uint8Array(8 * MIB))),
    code: 'trace_missing',
    message: /responded with 200/,
    hint: /flush/,
  },
};

describe.concurrent('a test fails, and says why', () => {
  it.each(Object.entries(FAILURES))('%s', async (_name, { endpoint, timeoutMs, ...expected }) => {
    const { url, requests, close } = await endpoint();
    try {
      const caller = await Caller.new(server, url, timeoutMs);
      const id = await caller.trigger();
      const { status: end, failure, timeline } = await caller.over(id);
      expect({ end, code: failure?.code }).toEqual({ end: 'FAILED', code: expected.code });
      expect(failure?.message).toMatch(expected.message);
      expect(failure?.hint).toMatch(expected.hint);
      expect(timeline.at(-1)?.phase).toBe('done');
      expect(timeline.at(-1)?.detail).toContain(expected.code);
      expect(await caller.attempts(id)).toHaveLength(expected.attempts);
      expect(requests()).toBe(expected.requests);
    } finally {
      await close();
    }
  });

  it('a delivery that never came to its end, however often it was begun', async () => {
    const caller = await Caller.new(server, NOWHERE);
    caller.countTenRunsAtOnce();
    const id = await caller.trigger();
    const { failure } = await caller.over(id);
    expect(failure?.code).toBe('delivery_unknown');
    expect(failure?.message).toMatch(/10 runs/);
    expect(await caller.attempts(id)).toHaveLength(1);
  });
});

describe.concurrent('the spans of a test', () => {
  /** Triggers a test of an app of this kind; `run` gets its id. */
  async function withTest(
    behaviour: (caller: Caller) => Behaviour,
    run: (caller: Caller, id: string, app: CustomerApp) => Promise<void>,
  ): Promise<void> {
    const app = await startCustomerApp();
    try {
      const caller = await Caller.new(server, app.url);
      app.behave(behaviour(caller));
      await run(caller, await caller.trigger(), app);
    } finally {
      await app.close();
    }
  }

  it('may be in two traces', () =>
    withTest(
      (caller) => async (request, response) => {
        await caller.sendSpan(request);
        await caller.sendSpan(request, newTraceId());
        response.writeHead(200).end();
      },
      async (caller, id) => {
        const { status: end, traceIds } = await caller.over(id);
        expect(end).toBe('COMPLETED');
        expect(traceIds).toHaveLength(2);
      },
    ));

  it('do not complete it before its webhook is answered', () =>
    withTest(
      (caller) => async (request, response) => {
        await caller.sendSpan(request);
        await delay(3 * SETTINGS.quietMs);
        expect((await caller.read(idOf(request))).status).toBe('IN_PROGRESS');
        response.writeHead(200).end();
      },
      async (caller, id) => {
        const { status: end, timeline } = await caller.over(id);
        expect(end).toBe('COMPLETED');
        const phases = timeline.map(({ phase }) => phase);
        expect(phases.slice(-3)).toEqual(['delivered', 'trace_received', 'done']);
      },
    ));

  it('do not save it when the webhook gets an error', () =>
    withTest(
      (caller) => async (request, response) => {
        await caller.sendSpan(request);
        response.writeHead(500).end();
      },
      async (caller, id) => {
        expect((await caller.over(id)).failure?.code).toBe('webhook_status');
        await delay(3 * SETTINGS.quietMs);
        expect((await caller.read(id)).status).toBe('FAILED');
      },
    ));

  it('report that it had arrived when the response was lost', () =>
    withTest(
      (caller) => async (request, response) => {
        await caller.sendSpan(request);
        response.destroy();
      },
      async (caller, id, app) => {
        await until(async () => (await caller.read(id)).status === 'COMPLETED');
        expect(app.received).toHaveLength(1);
      },
    ));
});

/** With `%` for the port of the app. */
const BLOCKED: [where: string, url: string, message: RegExp][] = [
  ['loopback', 'http://127.0.0.1:%/webhook', /loopback/],
  ['loopback in decimal', 'http://2130706433:%/webhook', /loopback/],
  ['loopback in octal', 'http://0177.0.0.1:%/webhook', /loopback/],
  ['loopback in hexadecimal, cut short', 'http://0x7f.1:%/webhook', /loopback/],
  ['loopback of IPv6', 'http://[::1]:%/webhook', /loopback/],
  ['loopback mapped to IPv6', 'http://[::ffff:127.0.0.1]:%/webhook', /loopback/],
  ['this machine', 'http://0.0.0.0:%/webhook', /special use/],
  ['a private network', 'https://10.1.2.3/webhook', /private network/],
  ['the metadata of a cloud', 'http://169.254.169.254/latest/meta-data', /metadata/],
  ['the metadata of a cloud mapped to IPv6', 'http://[::ffff:a9fe:a9fe]/latest/meta-data', /metadata/],
];

describe('where loopback and what is private are closed', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'touchstone-'));
  const callers = new Map<string, Caller>();
  let app: CustomerApp;
  let closed: TestServer;

  beforeAll(async () => {
    app = await startCustomerApp();
    const outboundAllow = ['127.0.0.0/8', '::1', '0.0.0.0', '10.0.0.0/8', '169.254.169.254'];
    const open = await startServer({ config: { dataDir, outboundAllow } });
    const tenants = new Map<string, Tenant>();
    for (const [where, url] of [...BLOCKED, ['a name', 'http://localhost:%/webhook']] as const) {
      const tenant = await open.newTenant();
      tenants.set(where, tenant);
      await new Caller(open, tenant).post('/v0/webhook', { url: addressed(url) });
    }
    await open.close();
    closed = await startServer({ config: { ...SETTINGS, dataDir, publicUrl: 'https://touchstone.example' } });
    for (const [where, tenant] of tenants) callers.set(where, new Caller(closed, tenant));
  });
  afterAll(async () => {
    await closed.close();
    await app.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const addressed = (url: string): string => url.replace('%', new URL(app.url).port);

  it.each<[where: string, url: string, message: RegExp]>([
    ...BLOCKED,
    ['a name', 'http://localhost:%/webhook', /localhost:\d+ resolves to \S+, which is a loopback address/],
  ])('no test goes to %s', async (where, _url, message) => {
    const caller = callers.get(where) as Caller;
    const id = await caller.trigger();
    const { status: end, failure } = await caller.over(id);
    expect({ end, code: failure?.code }).toEqual({ end: 'FAILED', code: 'webhook_blocked_address' });
    expect(failure?.message).toMatch(message);
    expect(failure?.hint).toMatch(/TOUCHSTONE_OUTBOUND_ALLOW/);
    expect((await caller.attempts(id)).map(({ outcome }) => outcome)).toEqual(['not_sent']);
    expect(app.received).toHaveLength(0);
  });

  it.each(BLOCKED)('no webhook is set to %s', async (_where, url, message) => {
    const { headers } = await closed.newTenant();
    const body = { url: addressed(url) };
    const { status: code, text } = await closed.call('POST', '/v0/webhook', { headers, body });
    expect(code).toBe(422);
    expect(text).toMatch(message);
  });
});
