import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { apiRoutes, type RouteDeps } from './api/routes.ts';
import { createAuthenticator, type FindKey, requireScope } from './auth.ts';
import type { Config } from './config.ts';
import type { Route } from './contract/route.ts';
import type { Principal } from './contract/scope.ts';
import type { Relay } from './deliver/relay.ts';
import { AppError } from './errors.ts';
import { withoutExtraSlashes } from './ingest/otlp/paths.ts';
import { headOf } from './ingest/http-head.ts';
import type { AuthenticateSender } from './ingest/intake.ts';
import type { IngestReceiver } from './ingest/receiver.ts';
import type { LoginDeps } from './people/login-routes.ts';
import { findKey } from './resources/api-keys/calls.ts';
import { generateKey } from './resources/api-keys/key-text.ts';
import type { MaskingService } from './resources/masking/service.ts';
import { deliverableWebhook } from './resources/webhook/calls.ts';
import { WebhookSender, type SenderOptions } from './resources/webhook/sender.ts';
import { eventStreams } from './runtime/event-streams.ts';
import { OpenCalls, type WatchCall } from './runtime/open-calls.ts';
import type { FairShare } from './runtime/fair-share.ts';
import type { Log } from './runtime/log.ts';
import { isLoopback } from './runtime/loopback.ts';
import type { Metrics } from './runtime/metrics.ts';
import type { Organisations } from './runtime/organisations.ts';
import type { OwnTraces } from './runtime/own-traces/traces.ts';
import { addRoute, type AuthenticateCaller } from './server/add-route.ts';
import { allowOrigins } from './server/allow-origins.ts';
import { compressResponses } from './server/compress-responses.ts';
import { type Audit, createAudit } from './server/audit.ts';
import type { Connections } from './server/connections.ts';
import { DashboardFiles } from './server/dashboard-files.ts';
import { addDashboardRoutes, sendPage } from './server/dashboard-routes.ts';
import { addDocsRoutes } from './server/docs-routes.ts';
import { errorHandler } from './server/errors.ts';
import { addJsonParser } from './server/json-body.ts';
import { createClientAddress } from './server/local-caller.ts';
import { handleUnknown } from './server/not-found.ts';
import { addPackagesRoutes } from './server/packages-routes.ts';
import { addRootRoute } from './server/root-route.ts';
import { addAgentRoute } from './server/agent-route.ts';
import { addOwnRoutes } from './server/own-routes.ts';
import { publicPath, withoutPublicPath } from './server/public-path.ts';
import { createRateLimit } from './server/rate-limit.ts';
import { RejectedRequests } from './server/rejected-requests.ts';
import { chargeResponses } from './server/response-memory.ts';
import { createSignIn, type SignIn } from './server/sign-in.ts';
import type { HttpTimeouts } from './server/timeouts.ts';
import { traceRequests } from './server/trace-requests.ts';
import { describeRequest, watchCredentials } from './server/watch-credentials.ts';
import type { OrganisationUsage } from './server/organisation-usage.ts';
import type { HttpPools } from './server/pools.ts';
import type { Storage } from './storage/storage.ts';

/** Parts of the routes that the server itself creates. */
type OfServer =
  | keyof RestRouteParts['login']
  | keyof MaskingService['forRoutes']
  | 'read'
  | 'write'
  | 'openStream'
  | 'organisationsSeenBy'
  | 'lastUnauthorized'
  | 'emptyLog'
  | 'sender'
  | 'generateKey'
  | 'hasWebhook'
  | 'onRevoked'
  | 'onMembersChanged';

export interface ServerDeps extends Omit<RouteDeps, OfServer> {
  config: Pick<
    Config,
    | 'host'
    | 'publicUrl'
    | 'trustedProxies'
    | 'knownHosts'
    | 'corsOrigins'
    | 'maxConnections'
    | 'rateLimit'
    | 'webhookTimeoutMs'
    | 'webhookToleranceMs'
    | 'newOrganisations'
    | 'organisationApplications'
  >;
  storage: Storage;
  log: Log;
  metrics: Metrics;
  traces: OwnTraces;
  registerIngest: IngestReceiver['register'];
  pools: HttpPools;
  timeouts: HttpTimeouts;
  connections: Connections;
  organisations: Organisations;
  usage: OrganisationUsage;
  clientFor: SenderOptions['clientFor'];
  masking: MaskingService;
  storeSpan: SenderOptions['storeSpan'];
  /** Aborts the requests to webhooks that callers wait for. */
  stop: AbortSignal;
}

/** Requests per minute and API key, unless the server listens on loopback only or a setting says otherwise. */
const DEFAULT_RATE_LIMIT = 6_000;
/** Measures durations; unlike the wall clock it is never adjusted. */
const elapsed = (): number => performance.now();
const REQUEST_ID = /^[\w.-]{1,64}$/;

/** A server that does not listen yet. */
export interface BuiltServer {
  app: FastifyInstance;
  /** Authenticates senders of spans, whatever the protocol. */
  authenticateSender: AuthenticateSender;
}

/** Adds all endpoints of the server. */
export function buildServer(deps: ServerDeps): BuiltServer {
  const { config, storage, log, metrics, pools, timeouts, connections, relay, now } = deps;
  const authenticator = createAuthenticator(keyLookup(deps), { now, elapsed });
  const path = publicPath(config.publicUrl);
  const app = newApp({ log, timeouts, connections, bodies: pools.bodies, path });
  app.server.maxConnections = config.maxConnections;
  tolerateOddRequests(app);
  const isClosing = closeStreams(app, relay, connections);
  traceRequests(app, deps.traces);
  countRequests(app, metrics);
  chargeResponses(app, pools.responses, pools.responseMemory.limit);
  compressResponses(app);
  const files = DashboardFiles.open(path);
  const addressOf = createClientAddress(config);
  const rejected = new RejectedRequests({ log, now });
  app.addHook('onClose', () => rejected.close());
  const describe = describeRequest(addressOf);
  handleUnknown(app, {
    sendPage: files && ((request, reply) => sendPage(files, request, reply)),
    onUnknown: (request, error) => rejected.rejectPath(describe(headOf(request), error)),
  });
  const watch = watchCredentials({ rejected, describe, findValidKey: authenticator.findValidKey });
  if (config.corsOrigins.length > 0) allowOrigins(app, config.corsOrigins);

  const watchCall = watchCalls(app, metrics);
  const authenticateSender = senderCheck(authenticator, watch, watchCall);
  deps.registerIngest(app, authenticateSender);

  const signIn = createSignIn({ config, storage, authenticator, log, metrics, now, elapsed });
  app.addHook('onClose', () => signIn.close());
  const audit = createAudit(storage.write, now);
  const guards = { ...signIn, forgetKey: authenticator.forget, audit, isClosing, rejected };
  const routes = restRoutes(deps, guards);
  const signedIn = async (headers: IncomingHttpHeaders): Promise<Principal> => {
    const principal = await signIn.authenticate(headers);
    deps.organisations.assign(principal.application, principal.organisation);
    return principal;
  };
  const authenticate = callerCheck(config, { ...signIn, authenticate: signedIn }, { watch, watchCall });
  const { record } = audit;
  void app.register((scope, _options, done) => {
    for (const route of routes)
      addRoute(scope, route, {
        authenticate,
        record,
        clientAddress: ({ headers, raw }) => addressOf({ headers, peer: raw.socket.remoteAddress ?? '' }),
        uploads: pools,
      });
    const askStore = (): Promise<unknown> => storage.read(findKey, { keyId: '' });
    addOwnRoutes(scope, { config, authenticator, metrics, askStore, log, watch });
    addAgentRoute(scope, { routes, authenticator, watch, watchCall, bodies: pools.bodies });
    addDocsRoutes(scope, routes, path);
    addPackagesRoutes(scope, path);
    addRootRoute(scope, files, path);
    if (files) addDashboardRoutes(scope, files);
    done();
  });
  return { app, authenticateSender };
}

/** Returns the look-up of keys, which notes the organisation of each. */
const keyLookup =
  ({ storage, organisations }: Pick<ServerDeps, 'storage' | 'organisations'>): FindKey =>
  async (keyId) => {
    const key = await storage.read(findKey, { keyId });
    if (key) organisations.assign(key.application, key.orgId);
    return key;
  };

/** Returns the check of senders, whose rejected credentials are kept for the diagnosis. */
const senderCheck =
  (
    authenticator: ReturnType<typeof createAuthenticator>,
    watch: ReturnType<typeof watchCredentials>,
    watchCall: WatchCall,
  ): AuthenticateSender =>
  async (head) => {
    const check = (): Promise<Principal> =>
      watch(head, async () => requireScope(await authenticator.authenticate(head.headers), 'ingest'));
    const { application, actor } = await check();
    return { sender: { application, keyId: actor.id }, call: watchCall(check) };
  };

/** Returns the check of callers of the API, whose calls count against the rate limit when they begin. */
function callerCheck(
  config: ServerDeps['config'],
  { authenticate, check }: Pick<SignIn, 'authenticate' | 'check'>,
  { watch, watchCall }: { watch: ReturnType<typeof watchCredentials>; watchCall: WatchCall },
): AuthenticateCaller {
  const limited = withRateLimit(config, authenticate);
  return async (request, needed) => {
    const head = headOf(request);
    const principal = await watch(head, async () => requireScope(await limited(request), needed));
    const again = async (): Promise<Principal> => requireScope(await check(request.headers), needed);
    return { principal, call: watchCall(() => watch(head, again)) };
  };
}

/** Checks calls in progress until the server closes. */
function watchCalls(app: FastifyInstance, metrics: Metrics): WatchCall {
  const calls = new OpenCalls(() => metrics.revokedCalls.inc());
  app.addHook('onClose', (_app, done) => {
    calls.close();
    done();
  });
  return calls.watch;
}

interface RestRouteParts {
  forgetKey: (keyId: string) => void;
  forgetLogins: () => void;
  login: Omit<LoginDeps, 'read' | 'write' | 'now'>;
  audit: Audit;
  isClosing: () => boolean;
  rejected: RejectedRequests;
}

function restRoutes(
  deps: ServerDeps,
  { forgetKey, forgetLogins, login, audit, isClosing, rejected }: RestRouteParts,
): Route[] {
  const { storage, log, metrics } = deps;
  const { read } = storage;
  const { write } = audit;
  return apiRoutes({
    ...deps,
    ...login,
    ...deps.masking.forRoutes,
    read,
    write,
    openStream: eventStreams({
      isClosing,
      log,
      open: metrics.streams,
      counts: deps.usage.streams,
    }),
    organisationsSeenBy: (organisation) => deps.usage.seenBy(organisation),
    lastUnauthorized: (applicationId) => rejected.lastOf(applicationId),
    emptyLog: () => storage.emptyLog(),
    sender: new WebhookSender({ ...deps, read, write, finish: storage.write }),
    generateKey,
    hasWebhook: async (application) => (await read(deliverableWebhook, { application })) !== null,
    onRevoked: forgetKey,
    onMembersChanged: forgetLogins,
  });
}

/** Returns the authentication of requests that count against the rate limit of their API key. */
function withRateLimit(
  { rateLimit, host }: ServerDeps['config'],
  authenticate: (headers: IncomingHttpHeaders) => Promise<Principal>,
): (request: FastifyRequest) => Promise<Principal> {
  const perMinute = rateLimit ?? (isLoopback(host) ? 0 : DEFAULT_RATE_LIMIT);
  const countRequest = perMinute === 0 ? () => undefined : createRateLimit(perMinute, elapsed);
  return async ({ headers }) => {
    const principal = await authenticate(headers);
    countRequest(principal.actor.id);
    return principal;
  };
}

/** Ends open streams when the server closes. Returns a function that reports whether it is closing. */
function closeStreams(app: FastifyInstance, relay: Relay, connections: Connections): () => boolean {
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    relay.close();
    connections.close();
    done();
  });
  return () => isClosing;
}

/** Passes on requests that Node itself would reject without a body, or rejects them in the usual form. */
function tolerateOddRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => done(missingHost(request)));
  // An unknown expectation may be ignored; Node would reject it with 417.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
}

interface AppOptions {
  log: Log;
  timeouts: HttpTimeouts;
  connections: Connections;
  bodies: FairShare;
  /** Path of the public URL. */
  path: string;
}

/** Creates the framework, with its own error responses in the usual form. */
function newApp({ log, timeouts, connections, bodies, path }: AppOptions): FastifyInstance {
  const onError = errorHandler(log);
  const app = fastify({
    logger: false,
    return503OnClosing: false,
    keepAliveTimeout: timeouts.keepAliveMs,
    requestTimeout: timeouts.requestMs,
    http: {
      headersTimeout: Math.min(timeouts.headersMs, timeouts.requestMs),
      connectionsCheckingInterval: timeouts.checkMs,
      // Node's response to a missing Host has no body; `missingHost` responds in the usual form.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: 512 },
    rewriteUrl: ({ url = '/' }) => withoutExtraSlashes(withoutPublicPath(url, path)),
    genReqId: ({ headers }: IncomingMessage) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
    // `connections` handles client errors.
    clientErrorHandler: () => undefined,
    frameworkErrors: (error, request, reply) => {
      begin(request, reply);
      onError(error, request, reply);
    },
  });
  const begin = (request: FastifyRequest, reply: FastifyReply): void => {
    request.response = reply.raw;
    connections.begin(request.id, request.raw, reply.raw);
    void reply.header('x-request-id', request.id);
  };
  connections.watch(app.server);
  app.decorateRequest('principal', null);
  app.decorateRequest('revoked');
  app.decorateRequest('response');
  app.addHook('onRequest', (request, reply, done) => {
    begin(request, reply);
    done();
  });
  app.setErrorHandler(onError);
  addJsonParser(app, bodies);
  return app;
}

/** Returns an error for a missing Host header. HTTP/1.1 requires it, though it may be empty. */
const missingHost = ({ raw }: FastifyRequest): AppError | undefined =>
  raw.httpVersion === '1.1' && raw.headers.host === undefined
    ? new AppError('bad_request', 'The Host header is missing')
    : undefined;

function countRequests(app: FastifyInstance, { httpRequests, httpSeconds }: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');
    httpRequests.inc({ method, route, status: String(reply.statusCode) });
    const labels = {
      http_request_method: method,
      ...(route !== 'unknown' && { http_route: route }),
      http_response_status_code: reply.statusCode,
      url_scheme: 'http',
    };
    httpSeconds.observe(labels, reply.elapsedTime / 1000);
    done();
  });
}
