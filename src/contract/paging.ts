import { z } from 'zod';
import { namedObject } from './api-schema.ts';
import { queryInteger } from './query.ts';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 25;

export interface PageQuery {
  skip: number;
  limit: number;
  orderBy: string;
  orderDir: 'asc' | 'desc';
}

/**
 * Parameters of a list, to spread into its query schema. The first of `columns` is the default order; `aliases` are other
 * names of columns that requests may use.
 */
export const paging = <const C extends readonly [string, ...string[]]>(
  columns: C,
  aliases: Readonly<Record<string, C[number]>> = {},
) => ({
  skip: queryInteger(0, Number.MAX_SAFE_INTEGER).default(0).describe('Number of entries to skip.'),
  limit: queryInteger(1, MAX_LIMIT).default(DEFAULT_LIMIT).describe('Largest number of entries to return.'),
  orderBy: z
    .preprocess(
      (value) => (typeof value === 'string' && Object.hasOwn(aliases, value) ? aliases[value] : value),
      z.enum(columns).default(columns[0] as never),
    )
    .describe('Field that the entries are ordered by.'),
  orderDir: z.enum(['asc', 'desc']).default('desc').describe('Direction of the order.'),
});

export const pagination = namedObject('Pagination', {
  skip: z.int(),
  limit: z.int(),
  total: z.int(),
  totalPages: z.int(),
});
export type Pagination = z.infer<typeof pagination>;

/** One page of a list. */
export interface ListOf<T> {
  data: T[];
  pagination: Pagination;
}

/** Pagination of the lists that show the total under a second name. */
export const paginationWithCount = z.object({
  ...pagination.shape,
  totalCount: z.int().describe('The same as `total`.'),
});
export type PaginationWithCount = z.infer<typeof paginationWithCount>;

/** Returns the pagination object of a response. */
export const paginate = ({ skip, limit }: Pick<PageQuery, 'skip' | 'limit'>, total: number): Pagination => ({
  skip,
  limit,
  total,
  totalPages: Math.ceil(total / limit),
});
