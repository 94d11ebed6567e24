import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOf } from '../fuzz/api-check.ts';
import { isExport, apiCalls, exampleOf, sendCall } from '../support/api-calls.ts';
import { anyCall } from '../support/any-calls.ts';
import { startServer, type TestServer } from '../support/server.ts';
import {
  createTenantFixture,
  type Outside,
  startOutside,
  type TenantFixture,
  FIXTURE_SETTINGS,
} from '../support/tenant-fixture.ts';
import { effort } from '../support/effort.ts';

/** Requests to each call. The report of a failure has the seed that repeats it. */
const RUNS = effort(3);

let server: TestServer;
let outside: Outside;
let own: TenantFixture;
let other: TenantFixture;
let before: string[];
beforeAll(async () => {
  server = await startServer({ config: FIXTURE_SETTINGS });
  outside = await startOutside();
  const tenant = await server.newTenant({ orgId: 'org-2' });
  [own, other] = await Promise.all([
    createTenantFixture(server, server, outside),
    createTenantFixture(server, tenant, outside),
  ]);
  before = await state(other);
});
afterAll(async () => {
  await server.close();
  await outside.close();
});

/** Calls whose answers change with time, or with what the server does. */
const CHANGES_BY_ITSELF = /\/(?:listen|stream|system|health|attention|retention)$/;

/** Everything that an application can read of itself. */
async function state({ ids, headers }: TenantFixture): Promise<string[]> {
  const answers: string[] = [];
  for (const call of apiCalls.filter(({ method, path }) => method === 'GET' && path.startsWith('/v0'))) {
    if (CHANGES_BY_ITSELF.test(call.path) || isExport(call)) continue;
    const { text } = await sendCall(server.url, exampleOf(call, ids), headers);
    answers.push(`${call.name} ${text}`);
  }
  return answers;
}

/** What deletes comes last, so that the others find something. */
const order = ['GET', 'POST', 'PUT', 'DELETE'];
const calls = apiCalls.toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method));

describe('anything sent to', () => {
  it.each(calls.map((call) => [call.name, call] as const))(
    '%s gets a documented response',
    async (_name, call) => {
      const known = { own: own.ids, other: other.ids, texts: own.texts };
      await fc.assert(
        fc.asyncProperty(anyCall(call, known), async (sent) => {
          const { address: path, ...more } = sent;
          const request = { method: call.method, path, query: new URLSearchParams(), ...more };
          const answer = await sendCall(server.url, request, own.headers);
          expect(faultsOf(call, sent, answer, other)).toEqual([]);
        }),
        { numRuns: RUNS },
      );
    },
  );
});

it('the server is as well as before', async () => {
  for (const path of ['/healthz', '/readyz'])
    await expect.poll(async () => (await server.call('GET', path)).status).toBe(200);
  expect(server.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

it('nothing of another application has changed', async () => {
  expect(await state(other)).toEqual(before);
});
