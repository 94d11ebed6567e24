import { createWithhold } from './traces/withheld/withhold.ts';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { apiRoutes, type RouteDeps } from './api/routes.ts';
import { createAuthenticator } from './auth.ts';
import type { Config } from './config.ts';
import type { Route } from './contract/route.ts';
import type { Principal } from './contract/scope.ts';
import { headOf } from './ingest/http-head.ts';
import type { AuthenticateSender } from './ingest/intake.ts';
import type { IngestReceiver } from './ingest/receiver.ts';
import type { LoginDeps } from './people/login-routes.ts';
import { findKey } from './resources/api-keys/calls.ts';
import { generateKey } from './resources/api-keys/key-text.ts';
import type { MaskingService } from './resources/masking/service.ts';
import { WebhookSender, type SenderOptions } from './resources/webhook/sender.ts';
import { eventStreams } from './runtime/event-streams.ts';
import type { Log } from './runtime/log.ts';
import type { Metrics } from './runtime/metrics.ts';
import type { Organisations } from './runtime/organisations.ts';
import type { OwnTraces } from './runtime/own-traces/traces.ts';
import { addRoute } from './server/add-route.ts';
import { allowOrigins } from './server/allow-origins.ts';
import { compressResponses } from './server/compress-responses.ts';
import { type Audit, createAudit } from './server/audit.ts';
import type { Connections } from './server/connections.ts';
import { DashboardFiles } from './server/dashboard-files.ts';
import { addDashboardRoutes, sendPage } from './server/dashboard-routes.ts';
import { addDocsRoutes } from './server/docs-routes.ts';
import { createClientAddress } from './server/local-caller.ts';
import { handleUnknown } from './server/not-found.ts';
import { addPackagesRoutes } from './server/packages-routes.ts';
import { addRootRoute } from './server/root-route.ts';
import { addAgentRoute } from './server/agent-route.ts';
import { addOwnRoutes } from './server/own-routes.ts';
import { publicPath } from './server/public-path.ts';
import { RejectedRequests } from './server/rejected-requests.ts';
import { chargeResponses } from './server/response-memory.ts';
import { createSignIn } from './server/sign-in.ts';
import type { HttpTimeouts } from './server/timeouts.ts';
import { traceRequests } from './server/trace-requests.ts';
import { describeRequest, watchCredentials } from './server/watch-credentials.ts';
import type { OrganisationUsage } from './server/organisation-usage.ts';
import type { HttpPools } from './server/pools.ts';
import type { Storage } from './storage/storage.ts';
import { callerCheck, keyLookup, openRateLimit, senderCheck, watchCalls } from './server/check-callers.ts';
import {
  closeStreams,
  countRequests,
  endConnections,
  newApp,
  tolerateOddRequests,
} from './server/new-app.ts';

/** Parts of the routes that the server itself creates. */
type OfServer =
  | keyof RestRouteParts['login']
  | keyof MaskingService['forRoutes']
  | 'read'
  | 'write'
  | 'openStream'
  | 'lastUnauthorized'
  | 'sender'
  | 'generateKey'
  | 'onRevoked'
  | 'onMembersChanged';

export interface ServerDeps extends Omit<RouteDeps, OfServer> {
  config: Config;
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
  /** Aborts when the server begins to stop. */
  draining: AbortSignal;
}

/** Measures durations; unlike the wall clock it is never adjusted. */
const elapsed = (): number => performance.now();

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
  endConnections(app, deps.draining);
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

  const signIn = createSignIn({ ...deps, authenticator, log, metrics, now, elapsed });
  app.addHook('onClose', () => signIn.close());
  storage.replicas.subscribe('key', authenticator.forget);
  storage.replicas.subscribe('members', signIn.forgetLogins);
  const audit = createAudit(storage.write, now);
  const guards = { ...signIn, forgetKey: authenticator.forget, audit, isClosing, rejected };
  const routes = restRoutes(deps, guards);
  const signedIn = async (headers: IncomingHttpHeaders): Promise<Principal> => {
    const principal = await signIn.authenticate(headers);
    deps.organisations.assign(principal.application, principal.organisation);
    return principal;
  };
  const authenticate = callerCheck(
    openRateLimit(app, deps),
    { ...signIn, authenticate: signedIn },
    { watch, watchCall },
  );
  const { record } = audit;
  void app.register((scope, _options, done) => {
    for (const route of routes)
      addRoute(scope, route, {
        authenticate,
        record,
        clientAddress: ({ headers, raw }) => addressOf({ headers, peer: raw.socket.remoteAddress ?? '' }),
        uploads: pools,
        withhold: createWithhold(storage.read, now),
      });
    const askStore = (): Promise<unknown> => storage.read(findKey, { keyId: '' });
    addOwnRoutes(scope, { config, authenticator, metrics, askStore, log, watch, draining: deps.draining });
    addAgentRoute(scope, { routes, authenticator, watch, watchCall, bodies: pools.bodies });
    addDocsRoutes(scope, routes, path);
    addPackagesRoutes(scope, path);
    addRootRoute(scope, files, path);
    if (files) addDashboardRoutes(scope, files);
    done();
  });
  return { app, authenticateSender };
}

interface RestRouteParts {
  forgetKey: (keyId: string) => void;
  forgetLogins: () => void;
  login: Omit<LoginDeps, 'read' | 'write' | 'now' | 'passwords'>;
  audit: Audit;
  isClosing: () => boolean;
  rejected: RejectedRequests;
}

function restRoutes(
  deps: ServerDeps,
  { forgetKey, forgetLogins, login, audit, isClosing, rejected }: RestRouteParts,
): Route[] {
  const { storage, log, metrics } = deps;
  const { read, replicas } = storage;
  const { publish } = replicas;
  const { write } = audit;
  return apiRoutes({
    ...deps,
    ...login,
    ...deps.masking.forRoutes,
    onMaskingChanged: (application) => {
      deps.masking.forRoutes.onMaskingChanged(application);
      publish('masking', String(application));
    },
    read,
    write,
    openStream: eventStreams({
      isClosing,
      log,
      open: metrics.streams,
      counts: deps.usage.streams,
    }),
    lastUnauthorized: (applicationId) => rejected.lastOf(applicationId),
    sender: new WebhookSender({ ...deps, read, write, finish: storage.write }),
    generateKey,
    onRevoked: (keyId) => {
      forgetKey(keyId);
      publish('key', keyId);
    },
    onMembersChanged: () => {
      forgetLogins();
      publish('members', '');
    },
  });
}
