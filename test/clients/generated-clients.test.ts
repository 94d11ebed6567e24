/** Clients generated from docs/openapi.json call every operation and parse its responses, without an unknown field. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '../conformance/harness.ts';
import { Scenarios } from '../conformance/scenarios.ts';
import { apiCalls } from '../support/api-calls.ts';
import { CLIENT_ROWS, clientCall, type ClientRow, type GeneratedClient } from './client-calls.ts';
import { startPythonClient } from './python-client.ts';
import { loadTypeScriptClient } from './typescript-client.ts';

const OPENAPI = join(import.meta.dirname, '../../docs/openapi.json');
const SETUP_MS = 900_000;

let folder: string;
let harness: Harness;
let scenarios: Scenarios;
let clients: Readonly<Record<string, GeneratedClient>>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-clients-'));
  harness = await startHarness(['usual']);
  scenarios = new Scenarios(harness);
  const [typeScript, python] = await Promise.all([
    loadTypeScriptClient(OPENAPI, join(folder, 'typescript')),
    startPythonClient(OPENAPI, join(folder, 'python_client')),
  ]);
  clients = { TypeScript: typeScript, Python: python };
}, SETUP_MS);
afterAll(async () => {
  for (const client of Object.values(clients)) client.close();
  await scenarios.close();
  await harness.close();
  rmSync(folder, { recursive: true });
});

it('make every call', () => {
  expect([...new Set(CLIENT_ROWS.map(({ call }) => call.name))]).toEqual(apiCalls.map(({ name }) => name));
});

const NAMED = CLIENT_ROWS.map((row) => ({ ...row, name: `${row.call.name}: ${row.row.name}` }));

describe.each(['TypeScript', 'Python'])('in %s', (language) => {
  it.concurrent.for<ClientRow & { name: string }>(NAMED)('$name', async (one, { onTestFinished }) => {
    const scenario = await scenarios.of(one.row, onTestFinished);
    const call = clientCall(harness.server('usual').url, one, scenario.requestOf(one.row));
    const faults = await (clients[language] as GeneratedClient).call(call);
    expect(faults, faults.join('\n')).toEqual([]);
  });
});
