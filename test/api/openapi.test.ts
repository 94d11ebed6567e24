import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ApiOperation } from '../../src/api/document.ts';
import { openApi } from '../../src/api/openapi.ts';
import { type DescribedRoute, operationOf } from '../../src/api/operation.ts';
import { apiRoutes, type RouteDeps } from '../../src/api/routes.ts';
import { Schemas } from '../../src/api/json-schema.ts';
import { serverRoutes } from '../../src/api/server-routes.ts';
import { namedObject } from '../../src/contract/api-schema.ts';
import { isUpload, upload } from '../../src/contract/upload.ts';
import { schemaFaults } from '../fuzz/api-check.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

/** Their handlers are never called. */
const routes = apiRoutes({ config: {} } as RouteDeps);
const document = openApi(routes);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

/** Bodies that no example in JSON can show. */
const BINARY = new Set([
  'application/x-protobuf',
  'multipart/form-data',
  'application/octet-stream',
  'application/vnd.touchstone.span-index',
  'text/csv',
  'application/x-ndjson',
]);

describe('the document', () => {
  it('gives every operation a name of its own', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]+$/);
  });

  it('has examples that match its schemas, as generated clients check them', () => {
    const faults = operations.flatMap(({ method, path, operation: { requestBody, responses } }) =>
      [requestBody, ...Object.values(responses)].flatMap((body) => {
        const content = body && 'content' in body ? body.content?.['application/json'] : undefined;
        if (content?.example === undefined) return [];
        return schemaFaults(content.schema, content.example).map((fault) => `${method} ${path}: ${fault}`);
      }),
    );
    expect(faults).toEqual([]);
  });

  it('refers to nothing that is not there', () => {
    const targets = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
    expect(targets.length).toBeGreaterThan(100);
    for (const [, kind, name] of targets) {
      expect(Object.keys(document.components[kind as 'schemas']), `${kind}/${name}`).toContain(name);
    }
  });

  it('describes every parameter of a path', () => {
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const described = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      expect(described.map(({ name }) => name)).toEqual(inPath);
    }
  });

  it('gives every operation a group of the document and a summary', () => {
    const groups = new Set(document.tags.map(({ name }) => name));
    expect(groups.size).toBe(document.tags.length);
    for (const { operation } of operations) {
      expect(operation.tags, operation.operationId).toHaveLength(1);
      expect(groups).toContain(operation.tags[0]);
      expect(operation.summary, operation.operationId).toMatch(/^[A-Z].*[^.]$/);
    }
    const used = new Set(operations.flatMap(({ operation }) => operation.tags));
    expect(groups.difference(used)).toEqual(new Set());
  });

  it('shows an example of every JSON body and of every successful response', () => {
    const missing = operations.flatMap(({ operation: { operationId, requestBody, responses } }) => {
      const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      const bodies = [requestBody, ...successes.map(([, response]) => response)];
      return (
        bodies
          .flatMap((body) => (body && 'content' in body ? Object.entries(body.content ?? {}) : []))
          .filter(([type, { example }]) => !BINARY.has(type) && example === undefined)
          // The body may be the file itself.
          .filter(([, { schema }]) => schema['format'] !== 'binary')
          .map(([type]) => `${operationId}: ${type}`)
      );
    });
    expect(missing).toEqual([]);
  });

  it('gives every record that several operations return a name', () => {
    const uses = new Map<string, number>();
    JSON.parse(JSON.stringify(document.paths), (key, value: unknown) => {
      const properties = key === 'properties' ? JSON.stringify(value) : '';
      if (properties.length > 400) uses.set(properties, (uses.get(properties) ?? 0) + 1);
      return value;
    });
    expect([...uses].filter(([, count]) => count > 1).map(([text]) => text)).toEqual([]);
  });
});

describe('a server', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await sharedServer();
  });
  afterAll(() => server.close());

  it('returns the document', async () => {
    expect((await server.call('GET', '/openapi.json')).json).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it.each(operations.map(({ path, method }) => [method.toUpperCase(), path] as const))(
    'has an endpoint for %s %s',
    async (method, path) => {
      const address = path.replaceAll(/\{\w+\}/g, 'x');
      const { status } = await server.call(method, address, {
        headers: { 'x-api-key': null, 'x-application-id': null },
      });
      // Signing in needs no key, but a body.
      const isSignIn = path.startsWith('/v0/login');
      expect([200, 401, ...(isSignIn ? [400] : [])]).toContain(status);
    },
  );
});

describe('the example of', () => {
  const described = [...routes, ...serverRoutes].map(
    (route) => [`${route.method} ${route.path}`, route] as const,
  );

  it.each(described)('%s is what it accepts and returns', (_name, { example = {}, ...route }) => {
    const { response, documents } = route;
    const body = route.body === 'bytes' ? documents?.body : route.body;
    if (body !== undefined && !isUpload(body)) {
      const parsed = body.parse(example.body) as object;
      expect(Object.keys(parsed)).toEqual(expect.arrayContaining(Object.keys(example.body as object)));
    } else expect(example.body).toBeUndefined();
    if (response === null) expect(example.response).toBeUndefined();
    else if (response === 'events') {
      const [, data = ''] = /^event: \w+\n(?:id: \d+\n)?data: (.*)\n\n/.exec(String(example.response)) ?? [];
      expect(documents?.response?.parse(JSON.parse(data))).toEqual(JSON.parse(data));
    } else if (response === 'stream' || route.mediaType !== undefined)
      expect(example.response).toBeUndefined();
    else {
      const schema = response === 'bytes' ? documents?.response : response;
      expect(example.response).toBeDefined();
      expect(schema?.parse(example.response)).toEqual(example.response);
    }
  });
});

describe('an operation', () => {
  const route: DescribedRoute = {
    method: 'GET',
    path: '/v0/tags/{id}',
    operationId: 'getThing',
    group: 'Tags',
    summary: 'Get',
    scope: 'read',
    response: z.object({ name: z.string() }),
    status: 200,
  };
  const described = (more: Partial<DescribedRoute>): ApiOperation =>
    operationOf({ ...route, ...more }, new Schemas());
  const statuses = (more: Partial<DescribedRoute>): string[] => Object.keys(described(more).responses);
  const always = ['400', '408', '431', '500'];
  const keyed = ['401', '403', '415', '421', '429', '503', ...always];

  it.each<[rule: string, more: Partial<DescribedRoute>, statuses: string[]]>([
    ['without a key has no errors of keys', { scope: null }, ['200', ...always]],
    ['with a key has them', {}, ['200', ...keyed]],
    [
      'that stores is not counted',
      { scope: 'ingest' },
      ['200', ...keyed.filter((status) => status !== '429' && status !== '421')],
    ],
    ['with a query may be given a wrong one', { query: z.object({}) }, ['200', '422', ...keyed]],
    ['with a path too, or one that names nothing', { params: z.object({}) }, ['200', '404', '422', ...keyed]],
    ['with a body may be given a wrong one', { body: z.object({}) }, ['200', '422', ...keyed]],
    ['that is not GET may be sent a large body', { method: 'DELETE' }, ['200', '413', ...keyed]],
    ['has errors of its own', { errors: ['not_found', 'conflict'] }, ['200', '404', '409', ...keyed]],
    ['may succeed in two ways', { status: 204, furtherStatuses: [200] }, ['200', '204', ...keyed]],
  ])('%s', (_definition, more, expected) => {
    expect(statuses(more).toSorted()).toEqual(expected.toSorted());
  });

  it('shows filters of several values as arrays, and what may be left out as such', () => {
    const list = operations.find(({ operation }) => operation.operationId === 'listTasks');
    expect(list?.operation.parameters?.find(({ name }) => name === 'topicId')).toEqual({
      name: 'topicId',
      in: 'query',
      required: false,
      description: 'Tasks of one of these topics.',
      schema: { type: 'array', maxItems: 100, items: { type: 'string', format: 'uuid' } },
    });
  });

  it('takes a form where there is a file', () => {
    const body = upload({ fields: z.object({ title: z.string() }), extensions: ['.csv'] });
    expect(described({ body }).requestBody?.content['multipart/form-data']?.schema).toEqual({
      type: 'object',
      properties: {
        title: { type: 'string' },
        file: { type: 'string', format: 'binary', description: 'Its name ends in .csv.' },
      },
      required: ['title', 'file'],
    });
  });

  it('rejects a name for two schemas', () => {
    const both = namedObject('Both', { count: z.int().default(1) });
    const schemas = new Schemas();
    schemas.of(both, 'body');
    expect(() => schemas.of(both, 'response')).toThrow('Both');
  });
});
