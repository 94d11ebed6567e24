import { randomUUID } from 'node:crypto';
import { type IncomingMessage, maxHeaderSize } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Relay } from '../deliver/relay.ts';
import { AppError } from '../errors.ts';
import { withoutExtraSlashes } from '../ingest/otlp/paths.ts';
import type { FairShare } from '../runtime/fair-share.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Connections } from './connections.ts';
import { errorHandler } from './errors.ts';
import { addJsonParser } from './json-body.ts';
import { withoutPublicPath } from './public-path.ts';
import type { HttpTimeouts } from './timeouts.ts';

const REQUEST_ID = /^[\w.-]{1,64}$/;

/** Ends open streams when the server closes. Returns a function that reports whether it is closing. */
export function closeStreams(app: FastifyInstance, relay: Relay, connections: Connections): () => boolean {
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    relay.close();
    connections.close();
    done();
  });
  return () => isClosing;
}

/** Ends the connection of each request that begins while the server stops: its client or proxy opens the next one elsewhere. */
export function endConnections(app: FastifyInstance, draining: AbortSignal): void {
  app.addHook('onRequest', (_request, { raw }, done) => {
    if (draining.aborted) raw.setHeader('connection', 'close');
    done();
  });
}

/** Passes on requests that Node itself would reject without a body, or rejects them in the usual form. */
export function tolerateOddRequests(app: FastifyInstance): void {
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
export function newApp({ log, timeouts, connections, bodies, path }: AppOptions): FastifyInstance {
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
    // The schemas of the routes limit their parameters; the head of a request limits all of them.
    routerOptions: { maxParamLength: maxHeaderSize },
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

export function countRequests(app: FastifyInstance, { httpSeconds }: Pick<Metrics, 'httpSeconds'>): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? undefined : request.routeOptions.url;
    const labels = {
      http_request_method: request.method,
      ...(route !== undefined && { http_route: route }),
      http_response_status_code: reply.statusCode,
      url_scheme: 'http',
    };
    httpSeconds.observe(labels, reply.elapsedTime / 1000);
    done();
  });
}
