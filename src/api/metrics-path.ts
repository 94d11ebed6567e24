import type { RouteGroup } from '../contract/route-group.ts';
import type { OpenApiDocument } from './document.ts';
import { connectionReferences, errorReferences, success } from './responses.ts';

/** The one endpoint that returns text, and that also accepts the API key as a bearer token. */
export const metricsPath: OpenApiDocument['paths'] = {
  '/metrics': {
    get: {
      operationId: 'getMetrics',
      tags: ['Server' satisfies RouteGroup],
      summary: 'Get the metrics of the server',
      description:
        'For Prometheus. Requests from the server machine need no key while the server listens on loopback only, unless they were forwarded or have an unknown `Host`.\n\nScope: `read`.',
      security: [{ apiKey: [], applicationId: [] }, { bearer: [] }, {}],
      responses: {
        200: success(
          200,
          {},
          {
            'text/plain': {
              schema: { type: 'string' },
              example: 'touchstone_ingest_requests_total{endpoint="otlp",status="200"} 1\n',
            },
          },
        ),
        ...errorReferences(new Set(['bad_request', 'unauthorized', 'forbidden', 'internal', 'unavailable'])),
        ...connectionReferences,
      },
    },
  },
};
