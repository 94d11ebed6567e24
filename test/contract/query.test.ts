import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { paginate, paging } from '../../src/contract/paging.ts';
import {
  normaliseQuery,
  queryBoolean,
  queryInteger,
  queryNumber,
  several,
} from '../../src/contract/query.ts';

describe('a parameter with several values', () => {
  const schema = z.object({ key: several(z.enum(['a', 'b', 'c'])) });
  const parse = (query: Record<string, string | string[]>) => schema.parse(normaliseQuery(query)).key;

  it.each<[string, Record<string, string | string[]>]>([
    ['key=a&key=b', { key: ['a', 'b'] }],
    ['key[]=a&key[]=b', { 'key[]': ['a', 'b'] }],
    ['key=a,b', { key: 'a,b' }],
    ['key=a&key[]=b', { key: 'a', 'key[]': 'b' }],
    ['key= a,, b,', { key: ' a,, b,' }],
  ])('is the same as %s', (_text, query) => {
    expect(parse(query)).toEqual(['a', 'b']);
  });

  it('is absent when it is not given', () => {
    expect(parse({})).toBeUndefined();
  });

  it.each([{ key: '' }, { key: 'a,x' }, { 'key[]': 'x' }, { key: Array.from({ length: 101 }, () => 'a') }])(
    'is not %j',
    (query) => {
      expect(schema.safeParse(normaliseQuery(query)).success).toBe(false);
    },
  );

  it('reports which of its values is wrong', () => {
    const { error } = schema.safeParse(normaliseQuery({ key: 'a,x' }));
    expect(error?.issues[0]?.path).toEqual(['key', 1]);
  });
});

it('a query cannot touch prototypes', () => {
  const query = normaliseQuery(
    JSON.parse('{"__proto__":"x","constructor[]":["y"]}') as Record<string, string[]>,
  );
  expect(Object.getPrototypeOf(query)).toBe(Object.prototype);
});

describe('values as text', () => {
  it('are whole numbers within their bounds', () => {
    const schema = queryInteger(0, 10);
    for (const text of ['0', '10', '7']) expect(schema.parse(text)).toBe(Number(text));
    for (const text of ['', '-1', '11', '1.5', '1e1', '0x1', ' 1', 'NaN', '١', ['1', '2'], '9'.repeat(400)]) {
      expect(schema.safeParse(text).success).toBe(false);
    }
  });

  it('are numbers', () => {
    expect(queryNumber(0, 10).parse('1.25')).toBe(1.25);
    for (const text of ['', 'Infinity', '1.', '.5', '11', '1e0'])
      expect(queryNumber(0, 10).safeParse(text).success).toBe(false);
  });

  it('are true or false', () => {
    expect(queryBoolean.parse('true')).toBe(true);
    expect(queryBoolean.parse('false')).toBe(false);
    for (const text of ['', '1', 'TRUE', 'yes']) expect(queryBoolean.safeParse(text).success).toBe(false);
  });
});

describe('paging', () => {
  const schema = z.object(paging(['createdAt', 'name']));

  it('has defaults', () => {
    expect(schema.parse({})).toEqual({ skip: 0, limit: 25, orderBy: 'createdAt', orderDir: 'desc' });
  });
  it('has bounds', () => {
    expect(
      schema.parse({ skip: '9007199254740991', limit: '100', orderBy: 'name', orderDir: 'asc' }),
    ).toEqual({
      skip: Number.MAX_SAFE_INTEGER,
      limit: 100,
      orderBy: 'name',
      orderDir: 'asc',
    });
    for (const query of [
      { skip: '9007199254740992' },
      { skip: '-1' },
      { limit: '0' },
      { limit: '101' },
      { orderBy: 'x' },
      { orderDir: 'up' },
    ]) {
      expect(schema.safeParse(query).success).toBe(false);
    }
  });
  it('counts pages so that all entries are on one', () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.integer({ min: 1, max: 100 }), (total, limit) => {
        const { totalPages } = paginate({ skip: 0, limit }, total);
        expect(totalPages * limit).toBeGreaterThanOrEqual(total);
        expect((totalPages - 1) * limit).toBeLessThan(total || 1);
      }),
    );
  });
});
