import type { OpenApiDocument } from './document.ts';
import { groups } from './groups.ts';
import { Schemas } from './json-schema.ts';
import { metricsPath } from './metrics-path.ts';
import { type DescribedRoute, operationOf } from './operation.ts';
import { otlpPaths, otlpSchemas } from './otlp.ts';
import { answerHeaders, errorResponses } from './responses.ts';
import { schemaNames } from './schema-names.ts';
import { serverRoutes } from './server-routes.ts';

const DESCRIPTION = `Evaluates and traces applications that use large language models.

Every call names its application in \`x-application-id\` and carries one of the keys of it in \`x-api-key\`.
Lists take \`skip\`, \`limit\`, \`orderBy\` and \`orderDir\`; a filter that takes several values takes them as \`key=a&key=b\`,
\`key[]=a&key[]=b\` or \`key=a,b\`. Query parameters and fields that are not named here are ignored.

Address and headers together have room for 16 KiB; longer ones are answered 431 by every path.`;

/** All that can be called, in OpenAPI 3.1. The same routes make the same document. */
export function openApi(routes: readonly DescribedRoute[]): OpenApiDocument {
  const schemas = new Schemas(schemaNames);
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
    servers: [{ url: '/', description: 'The server that answers this document' }],
    security: [{ apiKey: [], applicationId: [] }],
    tags: groups,
    paths: sorted(paths),
    components: {
      schemas: sorted({ ...schemas.byName, ...otlpSchemas }),
      responses,
      headers: answerHeaders,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        applicationId: {
          type: 'apiKey',
          in: 'header',
          name: 'x-application-id',
          description: 'The application that the key is of.',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'The API key. For `/metrics` alone.' },
      },
    },
  };
}

const sorted = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
