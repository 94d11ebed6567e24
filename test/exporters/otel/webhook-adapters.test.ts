import express from 'express';
import fastify from 'fastify';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer, request as httpRequest } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createWebhookHandler } from '../../../exporters/otel/src/webhook.ts';
import { toFastifyPlugin } from '../../../exporters/otel/src/webhook-fastify.ts';
import { toNodeListener } from '../../../exporters/otel/src/webhook-node.ts';
import type { WebhookTest } from '../../../exporters/otel/src/webhook-payload.ts';
import { newDelivery, newSecret, post, serve, type Serving } from './support/webhook.ts';

const SECRET = newSecret();
const serving: Serving[] = [];
let tests: WebhookTest[] = [];
afterEach(async () => {
  tests = [];
  for (const server of serving.splice(0)) await server[Symbol.asyncDispose]();
});

const handler = () =>
  createWebhookHandler({ secret: SECRET, maxBodyBytes: 100_000, run: (test) => tests.push(test) });

/** The address of an app that hangs the handler in at /hook, and answers elsewhere with the JSON it was sent. */
const FRAMEWORKS: Record<string, () => Promise<string>> = {
  "Node's http": async () => {
    const listener = toNodeListener(handler());
    const echo = async (request: IncomingMessage, response: ServerResponse): Promise<void> =>
      void response.end(JSON.stringify({ got: await jsonOf(request) }));
    return listen((request, response) => {
      if (request.url === '/hook') listener(request, response);
      else void echo(request, response);
    });
  },
  Express: async () => {
    const app = express();
    app.use('/hook', toNodeListener(handler()));
    app.use(express.json());
    app.post('/other', (request, response) => void response.json({ got: request.body as unknown }));
    return listen(app);
  },
  'Express behind a parser that keeps the bytes': async () => {
    const app = express();
    const verify = (request: IncomingMessage, _: unknown, bytes: Buffer): void =>
      void Object.assign(request, { rawBody: bytes });
    app.use(express.json({ verify }));
    app.post('/hook', toNodeListener(handler()));
    app.post('/other', (request, response) => void response.json({ got: request.body as unknown }));
    return listen(app);
  },
  'Express with a raw body': async () => {
    const app = express();
    app.post('/hook', express.raw({ type: () => true }), toNodeListener(handler()));
    app.post(
      '/other',
      express.json(),
      (request, response) => void response.json({ got: request.body as unknown }),
    );
    return listen(app);
  },
  Fastify: async () => {
    const app = fastify({ forceCloseConnections: true });
    await app.register(toFastifyPlugin(handler()), { prefix: '/hook' });
    app.post('/other', (request) => ({ got: request.body }));
    const url = await app.listen({ port: 0 });
    serving.push({ url, [Symbol.asyncDispose]: () => app.close() });
    return url;
  },
};

async function listen(listener: Parameters<typeof serve>[0]): Promise<string> {
  const server = await serve(listener);
  serving.push(server);
  return server.url.slice(0, -1);
}

async function jsonOf(request: IncomingMessage): Promise<unknown> {
  return JSON.parse(Buffer.concat(await request.toArray()).toString());
}

describe.each(Object.entries(FRAMEWORKS))('behind %s', (_name, start) => {
  it('a delivery runs the app with the bytes as they were signed', async () => {
    const url = await start();
    const delivery = newDelivery(SECRET, { text: 'caf\u00e9 \u2603', list: [1.5, null] });
    expect(await post(`${url}/hook`, delivery)).toEqual({ status: 200, body: { ok: true } });
    expect(tests.map(({ payload }) => payload)).toEqual([JSON.parse(delivery.body)]);
  });

  it('a changed delivery is rejected', async () => {
    const url = await start();
    const delivery = newDelivery(SECRET);
    const changed = { ...delivery, body: `${delivery.body} ` };
    expect(await post(`${url}/hook`, changed)).toMatchObject({ status: 401 });
    expect(tests).toEqual([]);
  });

  it('the rest of the app parses JSON as before', async () => {
    const url = await start();
    const delivery = { body: '{"a":[1]}', headers: { 'content-type': 'application/json' } };
    expect(await post(`${url}/other`, delivery)).toEqual({ status: 200, body: { got: { a: [1] } } });
  });

  it('a body without content type is rejected', async () => {
    const url = await start();
    const { body, headers } = newDelivery(SECRET);
    const { 'content-type': _, ...others } = headers;
    const { status } = await fetch(`${url}/hook`, {
      method: 'POST',
      headers: others,
      body: Buffer.from(body),
    });
    expect(status).toBe(415);
  });

  it('a large delivery is rejected, by the handler or before', async () => {
    const url = await start();
    const delivery = newDelivery(SECRET, { filler: 'x'.repeat(3_000_000) });
    const { status } = await fetch(`${url}/hook`, { method: 'POST', ...delivery });
    expect(status).toBe(413);
    expect(tests).toEqual([]);
  });
});

it.each(["Node's http", 'Express', 'Fastify'])(
  '%s responds to other methods with 405, TRACE too',
  async (name) => {
    const url = await (FRAMEWORKS[name] as () => Promise<string>)();
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']) {
      const request = httpRequest(`${url}/hook`, { method }).end();
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.resume();
      expect([method, response.statusCode, response.headers.allow]).toEqual([method, 405, 'POST']);
    }
  },
);

describe('toNodeListener()', () => {
  it('says how to mount it when a parser has eaten the raw body', async () => {
    const app = express();
    app.use(express.json());
    app.post('/hook', toNodeListener(handler()));
    const url = await listen(app);
    expect(await post(`${url}/hook`, newDelivery(SECRET))).toEqual({
      status: 500,
      body: {
        message:
          'The signature is over the raw body, but a parser has read it: mount the webhook handler before express.json(), ' +
          'or keep the bytes with express.json({ verify: (req, res, bytes) => { req.rawBody = bytes; } })',
      },
    });
    expect(tests).toEqual([]);
  });

  it('responds with 500 for a handler that rejects', async () => {
    const url = await listen(toNodeListener(() => Promise.reject(new Error('secret detail'))));
    expect(await post(url, newDelivery(SECRET))).toEqual({
      status: 500,
      body: { message: 'The delivery could not be handled' },
    });
  });

  it('leaves a response alone that someone else sent meanwhile', async () => {
    const { promise: answered, resolve } = Promise.withResolvers<void>();
    const listener = toNodeListener(async () => {
      await answered;
      return Response.json({});
    });
    const url = await listen((request, response) => {
      listener(request, response);
      response.writeHead(503).end('{"message":"busy"}', () => resolve());
    });
    expect(await post(url, newDelivery(SECRET))).toEqual({ status: 503, body: { message: 'busy' } });
  });

  it('survives a sender that hangs up in the middle of the body', async () => {
    const { promise: isGone, resolve } = Promise.withResolvers<Response>();
    const inner = handler();
    const listener = toNodeListener(async (request) => {
      const response = await inner(request);
      resolve(response.clone());
      return response;
    });
    const server: Server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { body, headers } = newDelivery(SECRET);
    const { port } = server.address() as AddressInfo;
    const sending = httpRequest({
      port,
      method: 'POST',
      headers: { ...headers, 'content-length': body.length },
    });
    sending.on('error', () => undefined).write(body.slice(0, 20));
    await once(server, 'request');
    sending.destroy();
    expect((await isGone).status).toBe(400);
    expect(tests).toEqual([]);
    server.close();
  });
});
