import type { OwnTraces } from '../runtime/own-traces/traces.ts';
import type { GuardedClient } from './guarded-client.ts';

/**
 * Returns the client with a span for each request, which has the host but neither path nor headers: both may contain
 * secrets. The request keeps its own `traceparent`, that of the test.
 */
export const traceClient = (client: GuardedClient, traces: OwnTraces): GuardedClient => ({
  request: (request) => {
    const { hostname, port } = URL.parse(request.url) ?? {};
    const attributes = {
      'http.request.method': request.method,
      'server.address': hostname,
      'server.port': port ? Number(port) : undefined,
    };
    return traces.child({ name: request.method, kind: 'client', attributes }, async (span) => {
      const outcome = await client.request(request);
      if (outcome.kind === 'answered') span.set({ 'http.response.status_code': outcome.status });
      else span.set({ 'error.type': outcome.kind });
      return outcome;
    });
  },
});
