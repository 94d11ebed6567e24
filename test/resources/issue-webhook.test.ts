import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IssueMessage } from '../../src/api/generated/schema.ts';
import { besideServer } from '../support/beside-store.ts';
import {
  answer,
  type CustomerApp,
  NOWHERE,
  type Received,
  startCustomerApp,
} from '../support/customer-app.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';
import { applicationKey } from '../support/stored-tests.ts';
import { annotating } from './annotation-support.ts';

let server: TestServer;
let app: CustomerApp;
beforeAll(async () => {
  server = await startServer({
    config: { publicUrl: 'https://touchstone.example.com/', outboundAllow: ['127.0.0.1'] },
  });
  app = await startCustomerApp();
});
afterAll(async () => {
  await server.close();
  await app.close();
});

type Json = Record<string, unknown>;

/** An application with a webhook of issues, whose path is its own. */
async function receiving(more: Json = {}) {
  const tenant: Tenant = await server.newTenant();
  const { headers } = tenant;
  const path = `/${randomUUID()}`;
  const url = new URL(path, app.url).href;
  const made = await server.call('POST', '/v0/issue-webhook', { headers, body: { url, ...more } });
  expect([made.status, made.text]).toEqual([201, expect.anything()]);
  const { webhookSecret } = (made.json as { data: { webhookSecret: string } }).data;
  const call = (method: string, rest: string, body?: object) =>
    server.call(method, rest, { headers, ...(body && { body }) });
  const received = () => app.received.filter((one) => one.path === path);
  const bodies = () => received().map(({ body }) => JSON.parse(body) as Json & { issue: Json; event: Json });
  const messages = async (): Promise<IssueMessage[]> =>
    (await server.ok('GET', '/v0/issue-webhook/messages?orderDir=asc', { headers })).data;
  const settled = () =>
    expect.poll(async () => (await messages()).map(({ status }) => status)).not.toContain('PENDING');
  const issue = async (title = 'Promises'): Promise<{ id: string; number: number }> =>
    (await server.ok('POST', '/v0/issues', { headers, body: { source: 'API', title } })).data;
  return {
    tenant,
    headers,
    url,
    path,
    secret: webhookSecret,
    call,
    received,
    bodies,
    messages,
    settled,
    issue,
  };
}

const hmac = (secret: string, text: string) =>
  createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64')).update(text);

describe('a change of an issue', () => {
  it('is reported once, in the order of changes', async () => {
    const ours = await receiving();
    const [first, second] = [await ours.issue('One'), await ours.issue('Two')];
    const change = async (path: string, body: object) =>
      expect((await ours.call('POST', `/v0/issues/${path}`, body)).status).toBe(200);
    await ours.settled();
    await change(`${first.number}/resolve`, { withoutEvidence: true, reason: 'Prompt 16' });
    await ours.settled();
    await change(`${first.number}/reopen`, {});
    await ours.settled();
    await change(`${first.number}/merge`, { into: String(second.number) });
    await ours.settled();
    expect((await ours.call('PUT', `/v0/issues/2`, { priority: 'HIGH' })).status).toBe(200);
    await change(`${second.number}/reject`, { reason: 'Expected' });
    await ours.settled();
    const types = ours.bodies().map(({ type }) => type);
    expect(types.slice(0, 2)).toEqual(['issue.created', 'issue.created']);
    expect(types.slice(2)).toEqual(['issue.resolved', 'issue.reopened', 'issue.merged', 'issue.rejected']);
    expect(ours.bodies()[2]).toMatchObject({
      applicationId: ours.tenant.applicationId,
      issue: {
        id: first.id,
        number: 1,
        title: 'One',
        status: 'RESOLVED',
        url: 'https://touchstone.example.com/issues/1',
        resolution: { reason: 'Prompt 16', withoutEvidence: true },
      },
      event: { kind: 'RESOLVED', reason: 'Prompt 16', withoutEvidence: true, by: { type: 'key' } },
    });
    expect(ours.bodies()[4]).toMatchObject({
      issue: { number: 1, status: 'REJECTED', mergedInto: { id: second.id, number: 2 } },
      event: { kind: 'MERGED', issue: { number: 2, isTarget: true } },
    });
  });

  it('is reported if the webhook names its kind', async () => {
    const ours = await receiving({ events: ['UPDATED', 'LINKED', 'UPDATED'] });
    const { data } = await server.ok('GET', '/v0/issue-webhook', { headers: ours.headers });
    expect(data.events).toEqual(['UPDATED', 'LINKED']);
    const { number } = await ours.issue();
    const [trace = ''] = await annotating(server, ours.headers).traces(1);
    await ours.call('PUT', `/v0/issues/${number}`, { priority: 'HIGH' });
    await ours.call('POST', `/v0/issues/${number}/links`, { selection: { ids: [trace] } });
    await expect
      .poll(() =>
        ours
          .bodies()
          .map(({ type }) => String(type))
          .toSorted((a, b) => a.localeCompare(b)),
      )
      .toEqual(['issue.linked', 'issue.updated']);
  });

  it('is signed with the secret, and with the one before it for a day', async () => {
    const ours = await receiving();
    await ours.issue();
    await ours.settled();
    const { headers, body } = ours.received()[0] as Received;
    const time = String(headers['x-service-timestamp']);
    expect(headers['x-service-signature']).toBe(hmac(ours.secret, `${time}.${body}`).digest('hex'));
    const [message] = await ours.messages();
    expect(message?.id).toBe(headers['webhook-id']);
    const standard = (one: Received['headers'], secret: string, text: string) =>
      `v1,${hmac(secret, `${String(one['webhook-id'])}.${String(one['webhook-timestamp'])}.${text}`).digest('base64')}`;
    expect(headers['webhook-signature']).toBe(standard(headers, ours.secret, body));
    const rotated = await server.ok('POST', '/v0/issue-webhook/rotate-secret', { headers: ours.headers });
    const newest = String(rotated.data.webhookSecret);
    await ours.issue();
    await ours.settled();
    const last = ours.received().at(-1) as Received;
    expect(last.headers['webhook-signature']).toBe(
      [newest, ours.secret].map((one) => standard(last.headers, one, last.body)).join(' '),
    );
  });

  it('is sent again with the same id until the receiver accepts it', async () => {
    const ours = await receiving();
    let left = 2;
    app.behave((request, response) => {
      const isRejected = request.path === ours.path && (left -= 1) >= 0;
      response.writeHead(isRejected ? 503 : 204).end();
    });
    await ours.issue();
    await expect.poll(async () => (await ours.messages())[0]?.error).toContain('status 503');
    expect((await ours.messages())[0]).toMatchObject({
      status: 'PENDING',
      statusCode: 503,
      finishedAt: null,
    });
    await ours.settled();
    expect(await ours.messages()).toMatchObject([
      { status: 'DELIVERED', attempts: 3, statusCode: 204, error: null, nextAttemptAt: null },
    ]);
    const ids = ours.received().map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
    const metrics = await server.call('GET', '/metrics');
    expect(metrics.text).toMatch(/touchstone_issue_messages_total\{outcome="retried"\} [2-9]/);
    app.behave(answer(200));
  });

  it('fails after the last attempt, and can be sent again', async () => {
    const ours = await receiving();
    app.behave(answer(500));
    await ours.issue();
    await expect.poll(async () => (await ours.messages())[0]?.attempts).toBe(1);
    besideServer(server.folder, (database) => {
      const application = applicationKey(database, ours.tenant.applicationId);
      database.run('UPDATE issue_message SET attempts = 7 WHERE application = :application', { application });
    });
    await ours.settled();
    const [message] = await ours.messages();
    expect(message).toMatchObject({ status: 'FAILED', attempts: 8, statusCode: 500, nextAttemptAt: null });
    app.behave(answer(200));
    const again = await ours.call('POST', `/v0/issue-webhook/messages/${message?.id}/replay`);
    expect(again.json).toMatchObject({ data: { status: 'PENDING', attempts: 0 } });
    await ours.settled();
    expect(await ours.messages()).toMatchObject([{ id: message?.id, status: 'DELIVERED', attempts: 1 }]);
  });

  it('is not sent when the webhook was disabled or deleted, or the issue deleted', async () => {
    const ours = await receiving({ url: NOWHERE });
    const { number } = await ours.issue();
    await expect.poll(async () => (await ours.messages())[0]?.attempts).toBeGreaterThan(0);
    expect((await ours.messages())[0]?.error).toContain('refused');
    await ours.call('DELETE', `/v0/issues/${number}`);
    await expect
      .poll(async () => (await ours.messages())[0])
      .toMatchObject({
        status: 'FAILED',
        error: 'The issue was deleted before the message was sent.',
      });
    await ours.issue();
    await ours.call('POST', '/v0/issue-webhook', { enabled: false });
    await ours.settled();
    expect((await ours.messages())[1]?.error).toContain('disabled');
    await ours.issue();
    expect(await ours.messages()).toHaveLength(2);
    expect((await ours.call('POST', '/v0/issue-webhook/test')).status).toBe(409);
    expect((await ours.call('DELETE', '/v0/issue-webhook')).status).toBe(204);
    expect((await ours.call('GET', '/v0/issue-webhook')).status).toBe(404);
    await ours.issue();
    expect(await ours.messages()).toHaveLength(2);
  });
});

describe('the webhook', () => {
  it('gets a test message once, also when it fails', async () => {
    const ours = await receiving();
    app.behave(answer(404));
    const sent = await ours.call('POST', '/v0/issue-webhook/test');
    expect([sent.status, sent.json]).toEqual([
      201,
      { data: expect.objectContaining({ type: 'issue.test', issueId: null, status: 'PENDING' }) as object },
    ]);
    await ours.settled();
    expect(await ours.messages()).toMatchObject([{ status: 'FAILED', attempts: 1, statusCode: 404 }]);
    expect(ours.bodies()).toMatchObject([{ type: 'issue.test', issue: null, event: null }]);
    app.behave(answer(200));
  });

  it.each(['http://169.254.169.254/latest', 'http://10.0.0.1/hook', 'ftp://app.example.com', 'nonsense'])(
    'cannot be %s',
    async (url) => {
      const ours = await receiving();
      const reply = await ours.call('POST', '/v0/issue-webhook', { url });
      expect([reply.status, reply.json]).toEqual([
        422,
        expect.objectContaining({ issues: [expect.objectContaining({ path: ['url'] })] }),
      ]);
    },
  );

  it('needs a URL at first, and keeps what a change leaves out', async () => {
    const { headers } = await server.newTenant();
    const body = { events: ['RESOLVED'] };
    expect((await server.call('POST', '/v0/issue-webhook', { headers, body })).status).toBe(422);
    const ours = await receiving(body);
    const changed = await ours.call('POST', '/v0/issue-webhook', { enabled: false });
    expect(changed.status).toBe(200);
    expect(changed.text).not.toContain('whsec_');
    expect(changed.json).toMatchObject({ data: { url: ours.url, events: ['RESOLVED'], enabled: false } });
  });

  it('is changed by administrators only, and seen by all', async () => {
    const headers = await server.newKey(['read', 'write', 'annotate']);
    const status = async (method: string, path: string) =>
      (await server.call(method, path, { headers, ...(method === 'POST' && { body: {} }) })).status;
    expect(await status('GET', '/v0/issue-webhook')).toBe(404);
    expect(await status('GET', '/v0/issue-webhook/messages')).toBe(200);
    expect(await status('POST', '/v0/issue-webhook')).toBe(403);
    expect(await status('POST', '/v0/issue-webhook/rotate-secret')).toBe(403);
    expect(await status('POST', '/v0/issue-webhook/test')).toBe(403);
    expect(await status('DELETE', '/v0/issue-webhook')).toBe(403);
  });

  it('keeps the latest 1,000 messages', async () => {
    const ours = await receiving();
    besideServer(server.folder, (database) => {
      const application = applicationKey(database, ours.tenant.applicationId);
      for (let index = 0; index < 1_000; index += 1)
        database.run(
          `INSERT INTO issue_message (id, application, type, status, attempts, created_at)
           VALUES (:id, :application, 'issue.test', 'FAILED', 1, :index)`,
          { application, id: randomUUID(), index },
        );
    });
    await ours.issue();
    const { pagination } = await server.ok('GET', '/v0/issue-webhook/messages', { headers: ours.headers });
    expect(pagination.total).toBe(1_000);
  });
});
