import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseJsonBody } from '../../src/contract/body.ts';
import { parseRequest, route, serialise } from '../../src/contract/route.ts';
import { uuid } from '../../src/contract/values.ts';
import { AppError } from '../../src/errors.ts';

const inner = z.object({ id: z.string() });
const example = route({
  method: 'PUT',
  path: '/v0/things/{id}',
  operationId: 'updateThing',
  group: 'Tags',
  summary: 'Change a thing',
  scope: 'write',
  params: z.object({ id: uuid }),
  query: z.object({ limit: z.string().optional() }),
  body: z.object({ name: z.string() }),
  response: z.object({ data: inner, list: z.array(inner) }),
  status: 200,
  handler: ({ params, body }) => ({ data: { id: params.id + body.name }, list: [] }),
});
const id = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';

function failure(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a route', () => {
  it('takes a request apart', () => {
    const raw = {
      params: { id: id.toUpperCase() },
      query: { limit: '1' },
      body: { name: 'a' },
    };
    expect(parseRequest(example, raw)).toEqual({
      params: { id },
      query: { limit: '1' },
      body: { name: 'a' },
    });
  });

  it('reports everything that is wrong at once, each by its own name', () => {
    const raw = { params: { id: 'x' }, query: { limit: ['1', '2'] }, body: {} };
    const { code, issues } = failure(() => parseRequest(example, raw));
    expect(code).toBe('invalid');
    expect(issues.map(({ path }) => path)).toEqual([['id'], ['limit'], ['name']]);
  });

  it('needs a body where a field is required', () => {
    expect(failure(() => parseRequest(example, { params: { id }, query: {}, body: undefined })).code).toBe(
      'bad_request',
    );
  });

  it('lets nothing out that its schema does not name, at any level', () => {
    const secret = { hash: 'SECRET' };
    const text = serialise(example, { data: { id, ...secret }, list: [{ id, ...secret }], ...secret });
    expect(text).toBe(JSON.stringify({ data: { id }, list: [{ id }] }));
  });

  it('fails rather than respond with what its schema does not allow', () => {
    expect(() => serialise(example, { data: {}, list: [] })).toThrow(z.ZodError);
  });
});

describe('a body', () => {
  const parse = (text: string): unknown => parseJsonBody(Buffer.from(text));
  it.each([
    '{"a":1}',
    '[]',
    '"x"',
    'null',
    '{"constructor":1,"prototype":{}}',
    '{"text":"__proto__"}',
    `${'['.repeat(200)}${']'.repeat(200)}`,
    '"[[[[\\"[[["',
  ])('is JSON: %s', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });
  it('may be missing', () => {
    expect(parse('')).toBeUndefined();
  });
  it.each([
    '{',
    '{a:1}',
    "{'a':1}",
    'NaN',
    '{"a":1}x',
    '{"__proto__":{}}',
    '{"a":{"__proto__":1}}',
    '['.repeat(201),
  ])('is not %s', (text) => {
    expect(failure(() => parse(text)).code).toBe('bad_request');
  });
});
