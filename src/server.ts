import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import cors from '@fastify/cors';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { apiRoutes } from './api/routes.ts';
import { createAuthenticator, requireScope } from './auth.ts';
import type { Config } from './config.ts';
import { parseJsonBody } from './contract/body.ts';
import type { Scope } from './contract/scope.ts';
import type { AddressGuard } from './deliver/address-guard.ts';
import type { Relay } from './deliver/relay.ts';
import type { IngestDoor } from './ingest/door.ts';
import type { commands, queries } from './operations.ts';
import type { TestRouteDeps } from './resources/tests/routes.ts';
import { Sender, type SenderOptions } from './resources/webhook/sender.ts';
import type { Log } from './runtime/log.ts';
import { isLoopback } from './runtime/loopback.ts';
import type { Metrics } from './runtime/metrics.ts';
import { addRoute } from './server/add-route.ts';
import { addDocsRoutes } from './server/docs-routes.ts';
import { answerBrokenRequest, errorHandler } from './server/errors.ts';
import { answerUnknown } from './server/not-found.ts';
import { addOwnRoutes } from './server/own-routes.ts';
import { createRateLimit } from './server/rate-limit.ts';
import type { Storage } from './storage/storage.ts';

export interface ServerDeps {
  config: Pick<
    Config,
    'host' | 'corsOrigins' | 'maxConnections' | 'rateLimit' | 'webhookTimeoutMs' | 'webhookToleranceMs'
  >;
  storage: Storage<typeof commands, typeof queries>;
  log: Log;
  metrics: Metrics;
  registerIngest: IngestDoor['register'];
  secretBox: SenderOptions['secretBox'];
  guard: AddressGuard;
  clientFor: SenderOptions['clientFor'];
  relay: Relay;
  storeSpan: SenderOptions['storeSpan'];
  /** Ends the requests to webhooks that callers wait for. */
  stop: AbortSignal;
  onTriggered?: TestRouteDeps['onTriggered'];
  onCancelled?: TestRouteDeps['onCancelled'];
  now?: () => number;
}

/** Of REST; the ingest doors have a limit of their own. */
const MAX_JSON_BYTES = 1024 * 1024;
/** Calls a minute of one key, when the network can call and no setting says otherwise. */
const DEFAULT_RATE_LIMIT = 6_000;
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
  'x-explain',
  'prefer',
];

/** Every door of the server. Nothing here listens yet. */
export function buildServer({
  config,
  storage,
  log,
  metrics,
  registerIngest,
  secretBox,
  guard,
  clientFor,
  relay,
  storeSpan,
  stop,
  onTriggered = () => undefined,
  onCancelled = () => undefined,
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
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    relay.close();
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

  const sender = new Sender({ read, write, now, secretBox, clientFor, storeSpan, stop, log });
  const authenticate = authenticator.authenticate;
  const routes = apiRoutes({
    config,
    storage,
    now,
    log,
    secretBox,
    guard,
    relay,
    sender,
    authenticate,
    onRevoked: authenticator.forget,
    onTriggered,
    onCancelled,
    isClosing: () => isClosing,
  });
  const perMinute = config.rateLimit ?? (isLoopback(config.host) ? 0 : DEFAULT_RATE_LIMIT);
  const countCall = perMinute === 0 ? () => undefined : createRateLimit(perMinute, now);
  const admit = async ({ headers }: FastifyRequest): Promise<Scope> => {
    const scope = await authenticate(headers);
    countCall(scope.keyId);
    return scope;
  };
  void app.register((scope, _options, done) => {
    for (const route of routes) addRoute(scope, route, { authenticate: admit });
    addOwnRoutes(scope, {
      config,
      authenticator,
      metrics,
      askStore: () => read('findKey', { keyId: '' }),
      log,
    });
    addDocsRoutes(scope, routes);
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
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    try {
      done(null, request.routeOptions.config.takesBytes ? body : parseJsonBody(body));
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
    exposedHeaders: ['x-request-id', 'retry-after', 'x-run-ids'],
    maxAge: 86_400,
  });
}
