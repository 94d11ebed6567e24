import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AttentionItem, CreateIssueBody } from '../../src/api/generated/schema.ts';
import { addPerson } from '../support/people.ts';
import { sharedServer, type TestServer } from '../support/server.ts';
import { annotating } from './annotation-support.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const needsOf = async ({ headers }: { headers: Record<string, string | null> }): Promise<AttentionItem[]> =>
  (await server.ok('GET', '/v0/attention', { headers })).data;

/** An application with its issues; each is created with the traces that show it. */
async function application() {
  const tenant = await server.newTenant();
  const { headers } = tenant;
  const { traces } = annotating(server, headers);
  const issue = async (given: Partial<CreateIssueBody>, shownBy = 0): Promise<number> => {
    const body = { source: 'API', title: 'Promises', ...given } as const;
    const { number } = (await server.ok('POST', '/v0/issues', { body, headers })).data;
    if (shownBy === 0) return number;
    const ids = await traces(shownBy);
    await server.ok('POST', `/v0/issues/${number}/links`, { body: { selection: { ids } }, headers });
    return number;
  };
  return { tenant, headers, issue, needs: () => needsOf(tenant) };
}

describe('what needs attention', () => {
  it('is nothing in a new application', async () => {
    expect(await needsOf(await server.newTenant())).toEqual([]);
  });

  it('is an open issue of high priority, by its page, and several by their list', async () => {
    const { issue, needs } = await application();
    await issue({ priority: 'MEDIUM' });
    expect(await needs()).toEqual([]);
    const first = await issue({ priority: 'HIGH' });
    expect(await needs()).toEqual([
      {
        kind: 'ISSUES',
        count: 1,
        title: '1 issue of high priority is open',
        detail: `#${first} Promises`,
        href: `/issues/${first}`,
      },
    ]);
    for (const title of ['Second', 'Third']) await issue({ priority: 'HIGH', title });
    expect(await needs()).toMatchObject([
      { count: 3, detail: '#4 Third · #3 Second · 1 more', href: '/issues?priority=HIGH' },
    ]);
  });

  it('is an issue that was opened again', async () => {
    const { headers, issue, needs } = await application();
    const number = await issue({});
    const change = (to: 'resolve' | 'reopen', more = {}) =>
      server.ok('POST', `/v0/issues/${number}/${to}`, { headers, body: { reason: 'Seen', ...more } });
    await change('resolve', { withoutEvidence: true });
    expect(await needs()).toEqual([]);
    await change('reopen');
    expect(await needs()).toMatchObject([{ kind: 'ISSUES_REOPENED', count: 1, href: `/issues/${number}` }]);
  });

  it('is an open issue with three traces that no evaluator detects', async () => {
    const { headers, issue, needs } = await application();
    await issue({}, 2);
    expect(await needs()).toEqual([]);
    const number = await issue({ title: 'Rude' }, 3);
    expect(await needs()).toMatchObject([
      { kind: 'ISSUE_WITHOUT_EVALUATOR', title: `Issue #${number} has no evaluator`, detail: 'Rude' },
    ]);
    await server.ok('POST', `/v0/issues/${number}/reject`, { body: { reason: 'Not ours' }, headers });
    expect(await needs()).toEqual([]);
  });

  it('is what the caller can review', async () => {
    const tenant = await server.newTenant();
    const editor = annotating(server, tenant.headers);
    const { id: queueId } = await editor.queue({ title: 'Refunds' });
    for (const traceId of await editor.traces(2)) await editor.item({ queueId, traceId });
    const seenBy = (role: 'annotator' | 'viewer') =>
      needsOf({ headers: { 'x-api-key': null, ...addPerson(server, tenant, { role }).headers } });
    expect(await seenBy('annotator')).toEqual([
      { kind: 'REVIEW', count: 2, title: '2 items to review', detail: 'Refunds', href: `/review/${queueId}` },
    ]);
    expect(await seenBy('viewer')).toEqual([]);
  });

  it('is a judge that has not reached the required agreement, until it is archived', async () => {
    const { headers, needs } = await application();
    const body = {
      name: 'Kind',
      type: 'CUSTOM',
      status: 'ACTIVE',
      globalConfig: { criterion: 'Is it kind?' },
      gate: { minKappa: 0.4, minAnnotations: 30 },
    } as const;
    const { id } = (await server.ok('POST', '/v0/definitions', { body, headers })).data;
    expect(await needs()).toMatchObject([
      { kind: 'EVALUATOR', title: '“Kind” is not verified', href: `/evaluators/${id}?tab=agreement` },
    ]);
    expect((await needs())[0]?.detail).toContain('30');
    await server.ok('PUT', `/v0/definitions/${id}`, { body: { status: 'ARCHIVED' }, headers });
    expect(await needs()).toEqual([]);
  });

  it('is a sender whose spans were rejected', async () => {
    const { headers, needs } = await application();
    await annotating(server, headers).traces(1);
    const span = { traceId: '00000000000000000000000000000000', spanId: '0102030405060708', name: 'a' };
    await server.call('POST', '/v1/traces', {
      headers,
      body: { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] },
    });
    expect(await needs()).toMatchObject([{ kind: 'SENDERS', href: '/health' }]);
  });
});
