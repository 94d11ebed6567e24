/** A running server with two filled applications: one that is attacked, and one that must not be reached. */
import { apiCalls, exampleOf, isExport, sendCall } from '../support/api-calls.ts';
import { startServer, type TestServer } from '../support/server.ts';
import {
  createTenantFixture,
  type Outside,
  startOutside,
  type TenantFixture,
  FIXTURE_SETTINGS,
} from '../support/tenant-fixture.ts';

export interface Site extends AsyncDisposable {
  server: TestServer;
  own: TenantFixture;
  other: TenantFixture;
  outside: Outside;
  /** What is wrong with the server completely. */
  check: () => Promise<string[]>;
  /** Fills a new application to attack, when the records of the last one are worn out. */
  renew: () => Promise<TenantFixture>;
}

/** Calls whose answers change with time, or with what the server does. */
const CHANGES_BY_ITSELF = /\/(?:listen|stream|system|health|attention|retention)$/;

/** Reads everything that an application can read of itself. */
async function stateOf(url: string, { ids, headers }: TenantFixture): Promise<string[]> {
  const answers: string[] = [];
  for (const call of apiCalls.filter(({ method, path }) => method === 'GET' && path.startsWith('/v0'))) {
    if (CHANGES_BY_ITSELF.test(call.path) || isExport(call)) continue;
    const { text } = await sendCall(url, exampleOf(call, ids), headers);
    answers.push(`${call.name} ${text}`);
  }
  return answers;
}

export async function openSite(): Promise<Site> {
  const server = await startServer({ config: { ...FIXTURE_SETTINGS, logLevel: 'error' } });
  const outside = await startOutside();
  const fill = async (orgId: string): Promise<TenantFixture> =>
    createTenantFixture(server, await server.newTenant({ orgId }), outside);
  const [own, other] = [await fill('org-own'), await fill('org-other')];
  const before = await stateOf(server.url, other);
  let renewed = 0;
  return {
    server,
    own,
    other,
    outside,
    renew: () => fill(`org-own-${(renewed += 1)}`),
    check: async () => {
      const faults: string[] = [];
      for (const path of ['/healthz', '/readyz']) {
        const { status } = await server.call('GET', path);
        if (status !== 200) faults.push(`${path} answers ${status}`);
      }
      const after = await stateOf(server.url, other);
      for (const [i, text] of after.entries())
        if (text !== before[i]) faults.push(`another application changed: ${before[i]} became ${text}`);
      faults.push(...(await unsettled(server.url, own)));
      faults.push(...server.logged.filter((line) => line.includes('"level":"error"')));
      return faults;
    },
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await outside.close();
    },
  };
}

interface LedgerRow {
  received: number;
  stored: number;
  duplicate: number;
  replaced: number;
  rejected: number;
  reasons: Record<string, number>;
}

/** What does not add up in the ledger and the lists of an application. */
async function unsettled(url: string, { headers }: TenantFixture): Promise<string[]> {
  const faults: string[] = [];
  const read = async <T>(path: string): Promise<{ data: T[]; pagination: { total: number } }> => {
    const response = await fetch(url + path, { headers });
    if (!response.ok) throw new Error(`GET ${path} answers ${response.status}`);
    return (await response.json()) as { data: T[]; pagination: { total: number } };
  };
  const ledger = await read<LedgerRow>('/v0/ingest/ledger?limit=100');
  for (const row of ledger.data) {
    const reasons = Object.values(row.reasons).reduce((sum, count) => sum + count, 0);
    if (row.received !== row.stored + row.duplicate + row.replaced + row.rejected || reasons !== row.rejected)
      faults.push(`the ledger does not add up: ${JSON.stringify(row)}`);
  }
  const { data, pagination } = await read('/v0/traces?limit=100');
  if (data.length !== Math.min(100, pagination.total))
    faults.push(`a page of traces has ${data.length} of ${pagination.total}`);
  return faults;
}
