/** Rows that many resources have. */
import type { Case } from './case.ts';
import { invalid, MESSAGE, page } from './records.ts';
import type { Shape } from './shapes.ts';

interface List {
  path: `/${string}`;
  /** Section of the interface; none of an auxiliary call. */
  section?: string;
  given: NonNullable<Case['given']>;
  /** How many entries are given; three or more. */
  total: number;
  fields: readonly string[];
  pagination?: typeof page;
}

/** Every field to order by in both directions, the defaults, the ranges and their ends, and what is beyond them. */
export function listCases({ path, section, given, total, fields, pagination = page }: List): Case[] {
  const [ask, joint] = [`GET ${path}` as const, path.includes('?') ? '&' : '?'];
  const line = (name: string): Pick<Case, 'line'> =>
    section === undefined ? {} : { line: `${section}.${name}` };
  const name = path.replace('/v0/', '').replaceAll(/\{\{|\}\}/g, '');
  const row = (query: string, status: number, contains: Shape, lines: string[]): Case => ({
    name: `${name} with ${query}`,
    line: lines,
    given: status === 200 || path.includes('{{') ? given : [],
    request: `${ask}${joint}${query}`,
    status,
    contains,
  });
  return [
    ...fields.flatMap((field) =>
      (['asc', 'desc'] as const).map(
        (direction): Case => ({
          name: `${name} by ${field}, ${direction}`,
          ...line(field),
          given,
          request: `${ask}${joint}orderBy=${field}&orderDir=${direction}`,
          status: 200,
          sorted: [field, direction],
        }),
      ),
    ),
    {
      name: `${name} by its defaults`,
      line: ['Lists.default order', 'Pagination.*', 'Lists.orderDir'],
      given,
      request: ask,
      status: 200,
      contains: { pagination: pagination(total) },
      sorted: ['createdAt', 'desc'],
    },
    row('limit=1', 200, { pagination: pagination(total, 0, 1) }, ['Lists.limit']),
    row('limit=100', 200, { pagination: pagination(total, 0, 100) }, ['Limits.limit']),
    row('limit=0', 422, invalid([['limit'], 'too_small']), ['Limits.limit']),
    row('limit=101', 422, invalid([['limit'], 'too_big']), ['Limits.limit']),
    row('limit=ten', 422, invalid([['limit'], 'invalid_type']), ['Lists.limit']),
    row('limit=1.5', 422, invalid([['limit'], 'invalid_type']), ['Lists.limit']),
    row('skip=0', 200, { pagination: pagination(total) }, ['Lists.skip']),
    row('skip=-1', 422, invalid([['skip'], 'too_small']), ['Limits.skip']),
    row('skip=9007199254740991', 200, { data: [], pagination: pagination(total, 9_007_199_254_740_991) }, [
      'Limits.skip',
    ]),
    row('skip=9007199254740992', 422, invalid([['skip'], 'too_big']), ['Limits.skip']),
    row('orderBy=nothing', 422, invalid([['orderBy'], 'invalid_enum_value']), ['Lists.orderBy']),
    row('orderDir=up', 422, invalid([['orderDir'], 'invalid_enum_value']), ['Lists.orderDir']),
    row('unknown=1', 422, invalid([['unknown'], 'custom']), []),
  ];
}

/** The call names what no application has. */
export const missing = (request: Case['request'], body?: unknown): Case => ({
  name: `${request} finds nothing`,
  request,
  ...(body !== undefined && { body }),
  status: 404,
  contains: MESSAGE,
});
