import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { answer, type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { type Reply, startServer, type TestServer } from '../support/server.ts';

export type Json = Record<string, unknown>;
export type Made = Json & { webhookSecret: string };
export interface Delivery extends Json {
  id: string;
  testId: string;
}

export interface WebhookFixture {
  server: () => TestServer;
  app: () => CustomerApp;
  /** Makes the webhook with the address of the app, and answers it. */
  make: (body?: Json) => Promise<Made>;
  /** The `data` of an answer. */
  get: (path: string) => Promise<Json>;
  post: (path: string, body?: Json) => Promise<Reply>;
  deliveries: (query?: string) => Promise<Delivery[]>;
  /** Sends a sample; its delivery. */
  sampled: () => Promise<Delivery>;
}

/** A server and an app for the tests of one file; each test begins without a webhook, with an app that answers 200. */
export function useWebhook(): WebhookFixture {
  let server: TestServer;
  let app: CustomerApp;
  beforeAll(async () => {
    server = await startServer();
    app = await startCustomerApp();
  });
  afterAll(async () => {
    await server.close();
    await app.close();
  });
  beforeEach(async () => {
    app.behave(answer(200));
    await server.call('DELETE', '/v0/webhook');
  });

  const post: WebhookFixture['post'] = (path, body) => server.call('POST', path, { body });
  const deliveries: WebhookFixture['deliveries'] = async (query = '') =>
    (await server.ok('GET', `/v0/webhook/deliveries?${query.slice(1)}`)).data;
  return {
    server: () => server,
    app: () => app,
    make: async (body = {}) => {
      const { status, json } = await post('/v0/webhook', { url: app.url, ...body });
      expect(status).toBe(201);
      return (json as { data: Made }).data;
    },
    get: async (path) => ((await server.call('GET', path)).json as { data: Json }).data,
    post,
    deliveries,
    sampled: async () => {
      expect((await post('/v0/webhook/test')).status).toBe(200);
      const { testId } = JSON.parse(app.last().body) as { testId: string };
      return (await deliveries(`?testId=${testId}`))[0] as Delivery;
    },
  };
}
