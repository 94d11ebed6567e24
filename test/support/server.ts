import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig, type Config } from '../../src/config.ts';
import { SCOPES, type ScopeName } from '../../src/contract/scope.ts';
import { generateKey } from '../../src/resources/api-keys/key-text.ts';
import { insertKey } from '../../src/resources/api-keys/store.ts';
import { withDefaults } from '../../src/resources/applications/contract.ts';
import { insertApplication } from '../../src/resources/applications/store.ts';
import { createLog } from '../../src/runtime/log.ts';
import type { HttpTimeouts } from '../../src/server/timeouts.ts';
import type { Database } from '../../src/storage/database.ts';
import { besideServer, leaveStore } from './beside-store.ts';
import { loadServe } from './build.ts';
import type { TypedCall } from './typed-call.ts';

/** Hashing passwords at their real cost would take half of the time of tests that sign in. */
const CHEAP_PASSWORDS = 2 ** 10;
/**
 * Time for which the server keeps an idle connection, longer than clients do. If both close it after the same time, and the process
 * was busy when that passed, a request may be sent on a connection that is being closed.
 */
const IDLE_MS = 15 * 60_000;

export interface Overrides {
  /** A `dataDir` given here is left behind, so that another server can start over it. */
  config?: Partial<Config>;
  timeouts?: Partial<HttpTimeouts>;
}

export interface Call {
  headers?: Readonly<Record<string, string | null>>;
  /** Sent as it is when it is text or bytes, else as JSON. */
  body?: unknown;
}

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  /** The JSON of the answer; undefined when it is none. */
  json: unknown;
}

export interface Tenant {
  applicationId: string;
  orgId: string;
  apiKey: string;
  headers: Readonly<Record<string, string>>;
}

export interface TestServer extends Tenant {
  url: string;
  /** Port of OTLP over gRPC; null unless the configuration has one. */
  grpcPort: number | null;
  folder: string;
  /** Everything that was logged, a line each. */
  logged: string[];
  /**
   * Makes a call with the headers of the first application; a header given as null is omitted. For calls that are rejected, and
   * for what `ok` does not return.
   */
  call: (method: string, path: string, call?: Call) => Promise<Reply>;
  /**
   * Makes a call that must succeed, and returns the body of its response with the type that the API document says:
   * `const { data } = await server.ok('POST', '/v0/tags', { body: { name: 'Urgent' } })`.
   */
  ok: TypedCall;
  /** Creates another application with an admin key, by default of the same organisation. */
  newTenant: (options?: { orgId?: string }) => Promise<Tenant>;
  /** A key of the first application with these scopes; headers to call with. */
  newKey: (
    scopes: readonly ScopeName[],
    more?: { expiresAt?: number },
  ) => Promise<Readonly<Record<string, string>>>;
  close: () => Promise<void>;
}

const headersOf = (apiKey: string, applicationId: string): Record<string, string> => ({
  'x-api-key': apiKey,
  'x-application-id': applicationId,
});

/**
 * Starts a complete server from the build, like `serve`, on a free port over a store of its own with one application
 * and its admin key.
 */
export async function startServer({
  config: given = {},
  timeouts = {},
}: Overrides = {}): Promise<TestServer> {
  const folder = given.dataDir ?? mkdtempSync(join(tmpdir(), 'touchstone-'));
  const presets = {
    bootstrapOrgId: 'org-1',
    bootstrapApplicationId: randomUUID(),
    bootstrapApiKey: generateKey().text,
    newOrganisations: 'yes' as const,
  };
  const { config: defaults } = readConfig(new Map(), {});
  const config = { ...defaults, ...presets, dataDir: folder, port: 0, grpcPort: 'off' as const, ...given };
  const { bootstrapApiKey: apiKey, bootstrapOrgId: orgId } = config as Config & typeof presets;
  const logged: string[] = [];
  const log = createLog({ level: 'debug', write: (line) => logged.push(line), forPeople: false });
  const { startServing } = await loadServe();
  const running = await startServing(config, {
    log,
    timeouts: { keepAliveMs: IDLE_MS, ...timeouts },
    passwordCost: CHEAP_PASSWORDS,
    onDeath: (error) => {
      throw error;
    },
  });
  const { applicationId } = running;
  const url = `http://127.0.0.1:${running.port}`;
  const close = async (): Promise<void> => {
    leaveStore(folder);
    await running.close();
    if (given.dataDir === undefined) rmSync(folder, { recursive: true, force: true });
  };
  const tenant = { applicationId, orgId, apiKey, headers: headersOf(apiKey, applicationId) };
  return serverOf({ url, grpcPort: running.grpcPort, folder, logged, close }, tenant);
}

let shared: Promise<TestServer> | undefined;

/**
 * Returns a server that all test files of this process share, with an application of the caller's own.
 * For tests that need no settings of the server and look at nothing beyond their application.
 */
export async function sharedServer(): Promise<TestServer> {
  shared ??= startShared();
  const server = await shared;
  const tenant = await server.newTenant();
  return serverOf({ ...server, close: () => Promise.resolve() }, tenant);
}

/** Starts a server that ends with the process. */
async function startShared(): Promise<TestServer> {
  const server = await startServer();
  process.on('exit', () => rmSync(server.folder, { recursive: true, force: true }));
  return server;
}

/** Returns a server as its users with the key of a tenant see it. */
function serverOf(
  {
    url,
    grpcPort,
    folder,
    logged,
    close,
  }: Omit<TestServer, keyof Tenant | 'call' | 'ok' | 'newTenant' | 'newKey'>,
  { applicationId, orgId, apiKey, headers }: Tenant,
): TestServer {
  return {
    url,
    grpcPort,
    folder,
    logged,
    applicationId,
    orgId,
    apiKey,
    headers,
    call: (method, path, call = {}) => send(url, method, path, headers, call),
    ok: async (method, address, call = {}) => {
      const { status, text, json } = await send(url, method, address, headers, call);
      if (status >= 300) throw new Error(`${method} ${address}: ${status} ${text}`);
      return json as never;
    },
    newTenant: async (options = {}) =>
      besideServer(folder, (database) => {
        const tenant = { applicationId: randomUUID(), orgId: options.orgId ?? orgId };
        const application = insertApplication(database, {
          id: tenant.applicationId,
          orgId: tenant.orgId,
          fields: withDefaults({ title: 'Another', type: 'AGENT' }),
          at: Date.now(),
        });
        const text = newKey(database, application, SCOPES, null);
        return { ...tenant, apiKey: text, headers: headersOf(text, tenant.applicationId) };
      }),
    newKey: async (scopes, { expiresAt = null }: { expiresAt?: number | null } = {}) =>
      besideServer(folder, (database) => {
        const row = database.get<{ key: number }>(
          'SELECT application AS key FROM application WHERE id = ?',
          applicationId,
        );
        const text = newKey(database, (row as { key: number }).key, scopes, expiresAt);
        return headersOf(text, applicationId);
      }),
    close,
  };
}

function newKey(
  database: Database,
  application: number,
  scopes: readonly ScopeName[],
  expiresAt: number | null,
): string {
  const { text, keyId, hash } = generateKey();
  const key = { id: randomUUID(), keyId, hash, name: 'Key', scopes, at: Date.now(), expiresAt };
  insertKey(database, { ...key, application });
  return text;
}

async function send(
  url: string,
  method: string,
  path: string,
  ownHeaders: Readonly<Record<string, string>>,
  { headers: given = {}, body }: Call,
): Promise<Reply> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const headers = new Headers(ownHeaders);
  if (body !== undefined) headers.set('content-type', 'application/json');
  for (const [name, value] of Object.entries(given)) {
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
  });
  const text = await response.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, text, json };
}
