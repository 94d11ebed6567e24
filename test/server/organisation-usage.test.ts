import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newTraceId } from '../e2e/otlp-sender.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';
import { otlpRequest } from '../support/spans.ts';

interface Seen {
  id: string;
  quotas: { name: string; used: number; limit: number | null }[];
}

let operator: TestServer;
let tenant: Tenant;
let other: Tenant;
beforeAll(async () => {
  operator = await startServer({
    config: {
      operatorOrganisation: 'org-1',
      organisationApplications: 20,
      organisationUploads: 2,
      organisationDecodingSeconds: 600,
      organisationStoredBytes: 1e9,
      organisationJudgeDollarsPerDay: 5,
    },
  });
  tenant = await operator.newTenant({ orgId: 'org-2' });
  other = await operator.newTenant({ orgId: 'org-3' });
  for (const { headers } of [operator, tenant, other]) {
    await operator.call('POST', '/v1/traces', {
      headers: { ...headers, 'content-type': 'application/x-protobuf' },
      body: otlpRequest([{ trace: newTraceId(), id: 1, attributes: { note: 'x'.repeat(10_000) } }]),
    });
  }
});
afterAll(async () => {
  await operator.close();
});

const seenBy = async ({ headers }: Pick<Tenant, 'headers'>): Promise<Seen[]> => {
  return (await operator.ok('GET', '/v0/system', { headers })).data.organisations;
};

describe('what organisations use', () => {
  it('is shown to admins of each about their own, with its limits', async () => {
    const [own, ...rest] = await seenBy(tenant);
    expect(rest).toEqual([]);
    expect(own?.id).toBe('org-2');
    expect(Object.fromEntries((own?.quotas ?? []).map(({ name, limit }) => [name, limit]))).toEqual({
      applications: 20,
      streams: null,
      uploads: 2,
      decodingSecondsOfHour: 600,
      storedBytes: 1e9,
      judgeDollarsOfDay: 5,
      judgeDollarsOfMonth: null,
    });
    const used = Object.fromEntries((own?.quotas ?? []).map((quota) => [quota.name, quota.used]));
    expect(used).toMatchObject({ applications: 1, streams: 0, uploads: 0, judgeDollarsOfDay: 0 });
    expect(used['storedBytes']).toBeGreaterThan(1_000);
    expect(used['decodingSecondsOfHour']).toBeGreaterThan(0);
  });

  it('is shown to admins of the operators about all', async () => {
    expect((await seenBy(operator)).map(({ id }) => id).toSorted()).toEqual(['org-1', 'org-2', 'org-3']);
  });

  it('is in the metrics for a key of the organisation alone', async () => {
    for (const [{ headers }, own] of [
      [tenant, 'org-2'],
      [other, 'org-3'],
    ] as const) {
      const { text } = await operator.call('GET', '/metrics', { headers });
      const ids = [...text.matchAll(/\{organisation="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids)).toEqual(new Set([own]));
      for (const name of ['stored_bytes', 'judge_cost_dollars_total', 'quota_usage_ratio'])
        expect(text).toContain(`touchstone_organisation_${name}{organisation="${own}"`);
    }
  });

  it('is in the metrics about all for the operator on this machine', async () => {
    const { text } = await operator.call('GET', '/metrics', {
      headers: { 'x-api-key': null, 'x-application-id': null },
    });
    for (const id of ['org-1', 'org-2', 'org-3'])
      expect(text).toContain(`touchstone_organisation_stored_bytes{organisation="${id}"}`);
  });
});
