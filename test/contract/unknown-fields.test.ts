import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { withAliases } from '../../src/contract/aliases.ts';
import { parseRequest, route } from '../../src/contract/route.ts';
import { AppError } from '../../src/errors.ts';

const step = z.object({ name: z.string(), weight: z.number().optional() });
const body = withAliases(
  z.object({
    title: z.string(),
    inputExamples: z.array(z.string()).default([]),
    metadata: z.record(z.string(), z.unknown()).nullable().default(null),
    steps: z.array(step).optional(),
    shown: z.preprocess((value) => value, step.nullable()).optional(),
    range: z.union([z.string(), z.object({ from: z.number() })]).optional(),
    loose: z.looseObject({ a: z.number() }).optional(),
  }),
  { headline: 'title' },
);
const example = route({
  method: 'POST',
  path: '/v0/things',
  operationId: 'createThing',
  group: 'Tags',
  summary: 'Create a thing',
  scope: 'write',
  query: withAliases(z.object({ sessionId: z.string().optional() }), { referenceId: 'sessionId' }),
  body,
  response: null,
  status: 204,
  handler: () => undefined,
});
const { query: _query, ...plain } = example;

function issuesOf(given: { body?: unknown; query?: Record<string, string> }, of = example): unknown[] {
  try {
    parseRequest(of, { params: {}, query: given.query ?? {}, body: given.body ?? { title: 'x' } });
  } catch (error) {
    if (error instanceof AppError) return error.issues.map(({ path, message }) => [path.join('.'), message]);
    throw error;
  }
  return [];
}

describe('a field that the schema lacks', () => {
  it.each([
    [{ title: 'x', inputs: ['a'] }, [['inputs', 'is unknown; did you mean `inputExamples`?']]],
    [{ title: 'x', Metadata: {} }, [['Metadata', 'is unknown; did you mean `metadata`?']]],
    [
      { title: 'x', steps: [{ name: 'a' }, { name: 'b', wieght: 1 }] },
      [['steps.1.wieght', 'is unknown; did you mean `weight`?']],
    ],
    [
      { title: 'x', shown: { name: 'a', other: 1 } },
      [['shown.other', 'is unknown; known fields: name, weight']],
    ],
    [{ title: 'x', range: { from: 1, to: 2 } }, [['range.to', 'is unknown; known fields: from']]],
    [
      { titel: 'x' },
      [
        ['titel', 'is unknown; did you mean `title`?'],
        ['title', 'Required'],
      ],
    ],
    [{ title: 'x', metadata: { anything: { at: 'all' } }, loose: { a: 1, b: 2 }, shown: null }, []],
  ])('is an issue with the nearest known name: %j', (sent, issues) => {
    expect(issuesOf({ body: sent })).toEqual(issues);
  });

  it('is an issue in a query, also of a path without parameters', () => {
    expect(issuesOf({ query: { sessionID: 'a' } })).toEqual([
      ['sessionID', 'is unknown; did you mean `sessionId`?'],
    ]);
    expect(issuesOf({ query: { limit: '1' } }, plain)).toEqual([['limit', 'is unknown']]);
  });

  it('is named at most ten times, whatever its length', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`${'x'.repeat(5_000)}${i}`, 1]));
    expect(issuesOf({ body: { title: 'x', ...many } })).toHaveLength(10);
  });
});

describe('an alias', () => {
  it('is another name of the field, in a body and in a query', () => {
    const sent = { params: {}, query: { referenceId: 'a' }, body: { headline: 'x' } };
    expect(parseRequest(example, sent)).toMatchObject({ query: { sessionId: 'a' }, body: { title: 'x' } });
  });

  it('is an issue beside the name of the field', () => {
    expect(issuesOf({ body: { headline: 'x', title: 'y' } })).toEqual([
      ['headline', 'is another name of `title`; send only one of them'],
    ]);
  });
});
