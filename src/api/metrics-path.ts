import type { OpenApiDocument } from './document.ts';
import { groupOf } from './groups.ts';
import { connectionReferences, errorReferences, success } from './responses.ts';

/** The one door that answers text, and that takes a key in another way too. */
export const metricsPath: OpenApiDocument['paths'] = {
  '/metrics': {
    get: {
      operationId: 'getMetrics',
      tags: [groupOf('/metrics')],
      summary: 'Read the metrics of the server',
      description:
        'For Prometheus. No key is needed on the machine of the server while it listens on loopback only, unless the request was forwarded or its `Host` is unknown.\n\nScope: `read`.',
      security: [{ apiKey: [], applicationId: [] }, { bearer: [] }, {}],
      responses: {
        200: success(
          200,
          {},
          {
            'text/plain': {
              schema: { type: 'string' },
              example: 'touchstone_http_requests_total{method="GET",route="/healthz",status="200"} 1\n',
            },
          },
        ),
        ...errorReferences(new Set(['bad_request', 'unauthorized', 'forbidden', 'internal', 'unavailable'])),
        ...connectionReferences,
      },
    },
  },
};
