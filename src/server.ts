import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import cors from '@fastify/cors';
import fastify, { type FastifyInstance } from 'fastify';
import { createAuthenticator, requireScope } from './auth.ts';
import type { Config } from './config.ts';
import { parseJsonBody } from './contract/body.ts';
import type { Route } from './contract/route.ts';
import type { IngestDoor } from './ingest/door.ts';
import type { commands, queries } from './operations.ts';
import { generateKey } from './resources/api-keys/key-text.ts';
import { apiKeyRoutes } from './resources/api-keys/routes.ts';
import { applicationRoutes } from './resources/applications/routes.ts';
import { ingestRoutes } from './resources/ingest/routes.ts';
import { sessionRoutes } from './resources/sessions/routes.ts';
import { traceRoutes } from './resources/traces/routes.ts';
import type { Log } from './runtime/log.ts';
import type { Metrics } from './runtime/metrics.ts';
import { addRoute } from './server/add-route.ts';
import { answerBrokenRequest, errorHandler } from './server/errors.ts';
import { answerUnknown } from './server/not-found.ts';
import { addOwnRoutes } from './server/own-routes.ts';
import type { Storage } from './storage/storage.ts';

export interface ServerDeps {
  config: Pick<Config, 'host' | 'corsOrigins' | 'maxConnections'>;
  storage: Storage<typeof commands, typeof queries>;
  log: Log;
  metrics: Metrics;
  registerIngest: IngestDoor['register'];
  now?: () => number;
}

/** Of REST; the ingest doors have a limit of their own. */
const MAX_JSON_BYTES = 1024 * 1024;
const KEEP_ALIVE_MS = 72_000;
const HEADERS_MS = 30_000;
const REQUEST_MS = 120_000;
const REQUEST_ID = /^[\w.-]{1,64}$/;
const CORS_HEADERS = [
  'content-type',
  'content-encoding',
  'x-api-key',
  'x-application-id',
  'x-request-id',
  'traceparent',
  'tracestate',
  'idempotency-key',
];

/** Every door of the server. Nothing here listens yet. */
export function buildServer({
  config,
  storage,
  log,
  metrics,
  registerIngest,
  now = Date.now,
}: ServerDeps): FastifyInstance {
  const { read, write } = storage;
  const authenticator = createAuthenticator((keyId) => read('findKey', { keyId }), now);
  const app = newApp(log);
  app.server.maxConnections = config.maxConnections;
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  countRequests(app, metrics);
  answerUnknown(app);
  if (config.corsOrigins.length > 0) allowOrigins(app, config.corsOrigins);

  registerIngest(app, async (request) => {
    const scope = await authenticator.authenticate(request.headers);
    requireScope(scope, 'ingest');
    return { application: scope.application, keyId: scope.keyId };
  });

  const routes: Route[] = [
    ...apiKeyRoutes({ read, write, now, onRevoked: authenticator.forget }),
    ...applicationRoutes({ read, write, now, generateKey }),
    ...ingestRoutes({ read }),
    ...sessionRoutes({ read }),
    ...traceRoutes({ read, write, now }),
  ];
  void app.register((scope, _options, done) => {
    for (const route of routes)
      addRoute(scope, route, { authenticate: ({ headers }) => authenticator.authenticate(headers) });
    addOwnRoutes(scope, {
      config,
      authenticator,
      metrics,
      askStore: () => read('findKey', { keyId: '' }),
      log,
    });
    done();
  });
  return app;
}

/** The framework, told to speak our language in all it says by itself. */
function newApp(log: Log): FastifyInstance {
  const onError = errorHandler(log);
  const app = fastify({
    logger: false,
    bodyLimit: MAX_JSON_BYTES,
    return503OnClosing: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_MS,
    http: { headersTimeout: HEADERS_MS },
    routerOptions: { maxParamLength: 512 },
    genReqId: ({ headers }: IncomingMessage) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      void reply.header('x-request-id', request.id);
      onError(error, request, reply);
    },
  });
  app.decorateRequest('scope', null);
  app.setErrorHandler(onError);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body: Buffer, done) => {
    try {
      done(null, parseJsonBody(body));
    } catch (error) {
      done(error as Error);
    }
  });
  return app;
}

function countRequests(app: FastifyInstance, { httpRequests, httpSeconds }: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');
    httpRequests.inc({ method, route, status: String(reply.statusCode) });
    httpSeconds.observe({ method, route }, reply.elapsedTime / 1000);
    done();
  });
}

/** Pages of these origins may call; what they ask beforehand needs no key. */
function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  void app.register(cors, {
    origin: [...origins],
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: CORS_HEADERS,
    exposedHeaders: ['x-request-id', 'retry-after'],
    maxAge: 86_400,
  });
}
