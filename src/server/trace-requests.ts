import type { FastifyInstance, FastifyRequest } from 'fastify';
import { OWN_TRACES_HEADER, type OwnSpan, type OwnTraces } from '../runtime/own-traces/traces.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Span of the request; null if it is not traced. */
    ownSpan: OwnSpan | null;
  }
}

/** Paths that machines request all the time. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/** Adds a span for each request, by OpenTelemetry's conventions for HTTP servers, if the server traces itself. */
export function traceRequests(app: FastifyInstance, traces: OwnTraces): void {
  if (!traces.isOn) return;
  app.decorateRequest('ownSpan', null);
  app.addHook('onRequest', (request, reply, done) => {
    const span = begin(request, traces);
    if (!span) {
      done();
      return;
    }
    request.ownSpan = span;
    const { raw } = reply;
    // Also of a request whose client left, which has no response.
    raw.once('close', () => {
      const status = raw.headersSent ? raw.statusCode : undefined;
      span.set({ 'http.response.status_code': status });
      if (raw.writableFinished) span.end(raw.statusCode >= 500 ? String(raw.statusCode) : undefined);
      else span.end('client_gone');
    });
    span.run(done);
  });
  // Parsers of bodies call back in the context of the connection.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.ownSpan) request.ownSpan.run(done);
    else done();
  });
}

function begin(request: FastifyRequest, traces: OwnTraces): OwnSpan | null {
  const { method, headers, raw } = request;
  const route = request.is404 ? undefined : request.routeOptions.url;
  if (headers[OWN_TRACES_HEADER] !== undefined || (route !== undefined && PROBES.has(route))) return null;
  const { traceparent } = headers;
  return traces.begin(
    {
      name: route === undefined ? method : `${method} ${route}`,
      kind: 'server',
      attributes: {
        'http.request.method': method,
        'http.route': route,
        // A path with parameters may contain ids, and an unknown one anything.
        'url.path': route?.includes(':') || route?.includes('*') ? undefined : route,
        'url.scheme': 'http',
        'network.protocol.version': raw.httpVersion,
      },
    },
    typeof traceparent === 'string' ? traceparent : undefined,
  );
}
