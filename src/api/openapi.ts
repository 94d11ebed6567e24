import { ROUTE_GROUPS } from '../contract/route-group.ts';
import type { OpenApiDocument } from './document.ts';
import { Schemas } from './json-schema.ts';
import { metricsPath } from './metrics-path.ts';
import { type DescribedRoute, operationOf } from './operation.ts';
import { otlpPaths, otlpSchemas } from './otlp.ts';
import { errorResponses, responseHeaders } from './responses.ts';
import { serverRoutes } from './server-routes.ts';

const DESCRIPTION = `Evaluates and traces applications that use large language models.

Every request names its application in \`x-application-id\` and carries an API key of that application in \`x-api-key\`.
Lists accept \`skip\`, \`limit\`, \`orderBy\` and \`orderDir\`; filters with several values accept \`key=a&key=b\`,
\`key[]=a&key[]=b\` or \`key=a,b\`. Unknown query parameters and fields are rejected with 422 and the nearest known name.

A response has its record or its list in \`data\`, and lists have \`pagination\` beside it. The records of four resources have their
own name instead: \`task\`, \`test\`, \`run\` and \`document\`; their lists are in \`data\` too. What a person writes as a heading
is \`title\` (tasks, topics, documents, experiments, applications); what distinguishes a record among others is \`name\` (tags, keys,
definitions, spans, views).

The URL and the headers of a request may have 16 KiB together; every path rejects larger ones with 431.`;

/** Describes the REST API in OpenAPI 3.1, whose paths begin at `url`. The same routes make the same document. */
export function openApi(routes: readonly DescribedRoute[], url = '/'): OpenApiDocument {
  const schemas = new Schemas();
  const responses = errorResponses(schemas);
  const paths: OpenApiDocument['paths'] = { ...otlpPaths, ...metricsPath };
  for (const route of [...routes, ...serverRoutes])
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route, schemas);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Evaluation and Tracing Service API',
      version: '0.1.0',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url, description: 'The server that returned this document' }],
    security: [
      { apiKey: [], applicationId: [] },
      { login: [], csrf: [], applicationId: [] },
    ],
    tags: Object.entries(ROUTE_GROUPS).map(([name, description]) => ({ name, description })),
    paths: sorted(paths),
    components: {
      schemas: sorted({ ...schemas.byName, ...otlpSchemas }),
      responses,
      headers: responseHeaders,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        applicationId: {
          type: 'apiKey',
          in: 'header',
          name: 'x-application-id',
          description: 'The application that the API key belongs to, or one of those of the login.',
        },
        login: {
          type: 'apiKey',
          in: 'cookie',
          name: 'touchstone_login',
          description:
            'The cookie of a browser that is signed in: `__Host-touchstone_login` over https. A request with a key ignores it.',
        },
        csrf: {
          type: 'apiKey',
          in: 'header',
          name: 'x-csrf',
          description: 'The `csrf` of the login, which a page keeps in the storage of its origin.',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'The API key. For `/metrics` only.' },
      },
    },
  };
}

const sorted = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
