import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Operation } from '../../src/api/document.ts';
import { openApi } from '../../src/api/openapi.ts';
import { type DescribedRoute, operationOf } from '../../src/api/operation.ts';
import { operationNotes } from '../../src/api/operation-notes.ts';
import { apiRoutes, type RouteDeps } from '../../src/api/routes.ts';
import { Schemas } from '../../src/api/json-schema.ts';
import { schemaNames } from '../../src/api/schema-names.ts';
import { serverRoutes } from '../../src/api/server-routes.ts';
import { isUpload, upload } from '../../src/contract/upload.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Their handlers are never called. */
const routes = apiRoutes({ config: {}, storage: {} } as unknown as RouteDeps);
const document = openApi(routes);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

describe('the document', () => {
  it('tells every operation by a name of its own', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]+$/);
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

  it('gives every record that several operations answer a name', () => {
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
    server = await startServer();
  });
  afterAll(() => server.close());

  it('answers the document', async () => {
    expect((await server.call('GET', '/openapi.json')).json).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it.each(operations.map(({ path, method }) => [method.toUpperCase(), path] as const))(
    'has a door for %s %s',
    async (method, path) => {
      const address = path.replaceAll(/\{\w+\}/g, 'x');
      const { status } = await server.call(method, address, {
        headers: { 'x-api-key': null, 'x-application-id': null },
      });
      expect([200, 401]).toContain(status);
    },
  );
});

describe('the example of', () => {
  const described = [...routes, ...serverRoutes].map(
    (route) => [`${route.method} ${route.path}`, route] as const,
  );

  it('nothing that is not there', () => {
    const known = new Set<string>(described.map(([name]) => name));
    expect(Object.keys(operationNotes).filter((name) => !known.has(name))).toEqual([]);
  });

  it.each(described)('%s is what it takes and answers', (name, route) => {
    const note = operationNotes[name];
    expect(note, 'no note in src/api/notes').toBeDefined();
    const { response, documents } = route;
    const body = route.body === 'bytes' ? documents?.body : route.body;
    if (body !== undefined && !isUpload(body)) {
      const parsed = body.parse(note?.body) as object;
      expect(Object.keys(parsed)).toEqual(expect.arrayContaining(Object.keys(note?.body as object)));
    } else expect(note?.body).toBeUndefined();
    if (response === null) expect(note?.answer).toBeUndefined();
    else if (response === 'events') {
      const [, data = ''] = /^event: \w+\ndata: (.*)\n\n/.exec(String(note?.answer)) ?? [];
      expect(documents?.response?.parse(JSON.parse(data))).toEqual(JSON.parse(data));
    } else {
      const schema = response === 'bytes' ? documents?.response : response;
      expect(note?.answer).toBeDefined();
      expect(schema?.parse(note?.answer)).toEqual(note?.answer);
    }
  });
});

describe('an operation', () => {
  const route: DescribedRoute = {
    method: 'GET',
    path: '/v0/tags/{id}',
    summary: 'Get',
    scope: 'read',
    response: z.object({ name: z.string() }),
    status: 200,
  };
  const described = (more: Partial<DescribedRoute>): Operation =>
    operationOf({ ...route, ...more }, new Schemas(schemaNames));
  const statuses = (more: Partial<DescribedRoute>): string[] => Object.keys(described(more).responses);
  const always = ['400', '408', '431', '500'];
  const keyed = ['401', '403', '415', '429', '503', ...always];

  it.each<[rule: string, more: Partial<DescribedRoute>, statuses: string[]]>([
    ['without a key has no errors of keys', { scope: null }, ['200', ...always]],
    ['with a key has them', {}, ['200', ...keyed]],
    [
      'that stores is not counted',
      { scope: 'ingest' },
      ['200', ...keyed.filter((status) => status !== '429')],
    ],
    ['with a query may be given a wrong one', { query: z.object({}) }, ['200', '422', ...keyed]],
    ['with a path too, or one that names nothing', { params: z.object({}) }, ['200', '404', '422', ...keyed]],
    ['with a body may be given a wrong one', { body: z.object({}) }, ['200', '422', ...keyed]],
    ['that is not GET may be sent a large body', { method: 'DELETE' }, ['200', '413', ...keyed]],
    ['has errors of its own', { errors: ['not_found', 'conflict'] }, ['200', '404', '409', ...keyed]],
    ['may succeed in two ways', { status: 204, furtherStatuses: [200] }, ['200', '204', ...keyed]],
  ])('%s', (_rule, more, expected) => {
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

  it('refuses a name for two schemas', () => {
    const both = z.object({ count: z.int().default(1) });
    const schemas = new Schemas({ ...schemaNames, named: new Map([[both, 'Both']]) });
    schemas.of(both, 'body');
    expect(() => schemas.of(both, 'answer')).toThrow('Both');
  });
});
