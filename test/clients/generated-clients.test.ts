/** Clients generated from docs/openapi.json call every operation and parse its responses, without an unknown field. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type FilledRequest, type Harness, Scenario, startHarness } from '../conformance/harness.ts';
import { type ApiCall, type ApiRequest, apiCalls, callOf, exampleOf } from '../support/api-calls.ts';
import {
  createTenantFixture,
  type Outside,
  startOutside,
  type TenantFixture,
} from '../support/tenant-fixture.ts';
import { type ClientCall, clientCall, type GeneratedClient } from './client-calls.ts';
import { ISSUE_PRIORITIES, ISSUE_SOURCES, ISSUE_TYPES } from '../../src/resources/issues/contract.ts';
import { startPythonClient } from './python-client.ts';
import { ROWS } from './rows.ts';
import { loadTypeScriptClient } from './typescript-client.ts';

const OPENAPI = join(import.meta.dirname, '../../docs/openapi.json');
const SETUP_MS = 900_000;

let folder: string;
let harness: Harness;
let outside: Outside;
let clients: Readonly<Record<string, GeneratedClient>>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-clients-'));
  harness = await startHarness(['usual']);
  outside = await startOutside();
  const [typeScript, python] = await Promise.all([
    loadTypeScriptClient(OPENAPI, join(folder, 'typescript')),
    startPythonClient(OPENAPI, join(folder, 'python_client')),
  ]);
  clients = { TypeScript: typeScript, Python: python };
}, SETUP_MS);
afterAll(async () => {
  for (const client of Object.values(clients)) client.close();
  await outside.close();
  await harness.close();
  rmSync(folder, { recursive: true });
});

/** A row finds its operation by its path; ids in it are filled in. */
const rowOf = (call: ApiCall) => ROWS.find(({ request }) => callOf(request) === call);
const order = ['GET', 'POST', 'PUT', 'DELETE'];
const calls = apiCalls
  .toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method))
  .map((call) => [call.name, call] as const);

it('every row is a call', () => {
  expect(ROWS.filter(({ request }) => callOf(request) === undefined)).toEqual([]);
});

describe.each(['TypeScript', 'Python'])('in %s', (language) => {
  let fixture: TenantFixture;
  beforeAll(async () => {
    const server = harness.server('usual');
    fixture = await createTenantFixture(server, await server.newTenant(), outside);
  });

  it.each(calls)('%s', async (_name, call) => {
    const row = rowOf(call);
    let made: ClientCall;
    if (row) {
      const scenario = await Scenario.begin(harness, 'usual');
      onTestFinished(() => scenario.end());
      await scenario.prepare(row.given ?? []);
      made = clientCall(harness.server('usual').url, call, apiRequestOf(scenario.requestOf(row)), row.status);
    } else {
      const request = exampleOf(call, fixture.ids, fixture.texts);
      const headers = { ...request.headers, ...fixture.headers };
      const status = Object.keys(call.operation.responses)
        .map(Number)
        .find((one) => one < 300);
      made = clientCall(harness.server('usual').url, call, { ...request, headers }, status ?? 0);
    }
    const faults = await (clients[language] as GeneratedClient).call(made);
    expect(faults, faults.join('\n')).toEqual([]);
  });
});

/** Values of the fields of an issue that generated clients send. */
const ISSUE_VALUES = {
  source: ISSUE_SOURCES,
  type: ISSUE_TYPES,
  priority: ISSUE_PRIORITIES,
} as const;
const issueBodies = Object.entries(ISSUE_VALUES).flatMap(([field, values]) =>
  values.map((value) => ({ source: 'API', title: `${field} ${value}`, [field]: value })),
);

describe.each(['TypeScript', 'Python'])('an issue in %s', (language) => {
  it.each(issueBodies)('is created with the hosted body %j', async (body) => {
    const server = harness.server('usual');
    const call = callOf('POST /v0/issues') as ApiCall;
    const request = { method: 'POST', path: '/v0/issues', query: new URLSearchParams(), isForm: false };
    const made = clientCall(server.url, call, { ...request, headers: server.headers, body }, 201);
    expect(await (clients[language] as GeneratedClient).call(made)).toEqual([]);
  });
});

function apiRequestOf({ method, path, headers, body, form }: FilledRequest): ApiRequest {
  const { pathname, searchParams: query } = new URL(path, 'http://localhost');
  return {
    method,
    path: pathname,
    query,
    headers: Object.fromEntries(headers),
    body: form ?? body,
    isForm: form !== undefined,
  };
}
