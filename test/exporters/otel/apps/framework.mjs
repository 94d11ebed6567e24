// A webhook in a server of another package. It prints its address, and its counts when its input ends.
import { createServer } from 'node:http';
import { trace } from '@opentelemetry/api';
import { createWebhookHandler, register, toFastifyPlugin, toNodeListener } from 'touchstone-otel';

const touchstone = register({ serviceName: 'framework' });
const handler = createWebhookHandler({
  secret: process.env.SECRET,
  touchstone,
  run: () =>
    trace.getTracer('app').startActiveSpan('root', async (root) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      trace.getTracer('app').startSpan('child').end();
      root.end();
    }),
});

const SERVERS = {
  express: async () => {
    const { default: express } = await import('express');
    const app = express();
    app.post('/', toNodeListener(handler));
    app.use(express.json());
    return listen(createServer(app));
  },
  fastify: async () => {
    const { default: fastify } = await import('fastify');
    const app = fastify();
    await app.register(toFastifyPlugin(handler), { prefix: '/' });
    return app.listen({ port: 0, host: '127.0.0.1' });
  },
  hono: async () => {
    const [{ Hono }, { createAdaptorServer }] = await Promise.all([
      import('hono'),
      import('@hono/node-server'),
    ]);
    const app = new Hono();
    app.post('/', ({ req }) => handler(req.raw));
    return listen(createAdaptorServer({ fetch: app.fetch }));
  },
  koa: async () => {
    const { default: Koa } = await import('koa');
    const app = new Koa();
    const listener = toNodeListener(handler);
    app.use((context) => {
      context.respond = false;
      listener(context.req, context.res);
    });
    return listen(createServer(app.callback()));
  },
};

const listen = (server) =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`));
  });

console.log(await SERVERS[process.env.FRAMEWORK]());
process.stdin.resume().on('end', () => {
  void touchstone.shutdown().then(() => {
    console.log(JSON.stringify(touchstone.stats()));
    process.exit();
  });
});
