import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig, type Config } from '../../src/config.ts';
import { SCOPES, type ScopeName } from '../../src/contract/scope.ts';
import { openIngest } from '../../src/ingest/door.ts';
import type { commands, queries } from '../../src/operations.ts';
import { generateKey } from '../../src/resources/api-keys/key-text.ts';
import { insertKey } from '../../src/resources/api-keys/store.ts';
import { withDefaults } from '../../src/resources/applications/contract.ts';
import { insertApplication } from '../../src/resources/applications/store.ts';
import { createLog } from '../../src/runtime/log.ts';
import { MemoryBudget } from '../../src/runtime/memory-budget.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { buildServer } from '../../src/server.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/client.ts';
import { Database } from '../../src/storage/sqlite/database.ts';
import { openForWriting } from '../../src/storage/sqlite/open.ts';
import type { Storage } from '../../src/storage/storage.ts';

export interface Overrides {
  config?: Partial<Config>;
  now?: () => number;
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
  folder: string;
  storage: Storage<typeof commands, typeof queries>;
  /** Everything that was logged, a line each. */
  logged: string[];
  /** With the headers of the first application; a header given as null is left out. */
  call: (method: string, path: string, call?: Call) => Promise<Reply>;
  /** Makes another application with a key, of the same organisation unless told otherwise. */
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

/** A server on a free port over a store of its own, with one application and its admin key. */
export async function startServer({
  config: given = {},
  now = Date.now,
}: Overrides = {}): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
  const config: Config = { ...readConfig(new Map(), {}).config, dataDir: folder, port: 0, ...given };
  const file = join(folder, 'touchstone.db');
  const first = { application: 0, applicationId: randomUUID(), orgId: 'org-1', key: generateKey() };
  const database = new Database(openForWriting(file));
  first.application = insertApplication(database, {
    id: first.applicationId,
    orgId: first.orgId,
    fields: withDefaults({ title: 'First', type: 'CHATBOT' }),
    at: now(),
  });
  const { keyId, hash } = first.key;
  const { application } = first;
  insertKey(database, {
    application,
    id: randomUUID(),
    keyId,
    hash,
    name: 'First key',
    scopes: SCOPES,
    at: now(),
    expiresAt: null,
  });
  database.connection.close();

  const logged: string[] = [];
  const service = await wire(config, file, logged, now);
  const { url, storage } = service;
  const headers = headersOf(first.key.text, first.applicationId);

  return {
    url,
    folder,
    storage,
    logged,
    applicationId: first.applicationId,
    orgId: first.orgId,
    apiKey: first.key.text,
    headers,
    call: (method, path, call = {}) => send(url, method, path, headers, call),
    newTenant: async ({ orgId = first.orgId } = {}) => {
      const { text, keyId: id, hash: keyHash } = generateKey();
      const created = await storage.write('createApplication', {
        id: randomUUID(),
        orgId,
        fields: withDefaults({ title: 'Another', type: 'AGENT' }),
        at: now(),
        key: { id: randomUUID(), keyId: id, hash: keyHash, name: 'First key' },
      });
      return { applicationId: created.id, orgId, apiKey: text, headers: headersOf(text, created.id) };
    },
    newKey: async (scopes, { expiresAt = null }: { expiresAt?: number | null } = {}) => {
      const { text, ...key } = generateKey();
      await storage.write('createKey', {
        ...key,
        application,
        id: randomUUID(),
        name: 'Key',
        scopes,
        at: now(),
        expiresAt,
      });
      return headersOf(text, first.applicationId);
    },
    close: async () => {
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Storage, ingest and doors, put together as the `serve` command does. */
async function wire(config: Config, file: string, logged: string[], now: () => number) {
  const log = createLog({ level: 'debug', write: (line) => logged.push(line), forPeople: false });
  const onDeath = (error: Error): void => {
    throw error;
  };
  const storage = openSqliteStorage<typeof commands, typeof queries>(file, onDeath);
  const budget = new MemoryBudget(config.memoryBudgetBytes);
  const metrics = createMetrics({ storeNumbers: () => storage.stats(), memory: budget });
  const ingest = openIngest({
    connectWriter: () => storage.connectWriter(),
    write: storage.write,
    budget,
    maxBodyBytes: config.maxBodyBytes,
    metrics,
    log,
    onDeath,
  });
  const app = buildServer({ config, storage, log, metrics, registerIngest: ingest.register, now });
  await app.listen({ host: config.host, port: config.port });
  const { port } = app.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    storage,
    close: async () => {
      app.server.closeAllConnections();
      await app.close();
      await ingest.close();
      await storage.close();
    },
  };
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
