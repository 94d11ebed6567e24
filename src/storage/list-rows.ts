import { type PageQuery, paginate, type Pagination } from '../contract/paging.ts';
import type { Database } from './database.ts';
import { inTime, orderedJoin, unindexed } from './dialect.ts';
import type { SqlFragment } from './sql.ts';

export interface Listing<Field extends string> {
  application: number;
  /** A table with the columns `application` and `id`. */
  table: string;
  columns: string;
  /** Condition on a parent within the application, which is also a prefix of the list's indexes. */
  within?: SqlFragment;
  /** Conditions on rows besides the application. */
  where: readonly SqlFragment[];
  /** Column of each field that orders the list; none may be NULL. */
  order: Readonly<Record<Field, string>>;
  page: PageQuery & { orderBy: Field };
}

type Hint = (expression: string) => string;
const none: Hint = (expression) => expression;

/**
 * Number of matching rows up to which they are found by the conditions and then sorted. For more, the query follows
 * the index of the order.
 */
const FEW = 5_000;

/** Returns one page of the rows of an application, with ties ordered by id, and their total number. */
export function listRows<Row, Field extends string>(
  database: Database,
  { application, table, columns, within, where, order, page }: Listing<Field>,
): { rows: Row[]; pagination: Pagination } {
  const whole = { sql: 'application = ?', values: [application] };
  const place = within ? [whole, within] : [whole];
  const values = [...place, ...where].flatMap((fragment) => fragment.values);
  // Only conditions take long. Without any, checking the time limit would double the time of an index scan.
  const deadline = where.length > 0 ? [inTime('id')] : [];
  const matching = (hint: Hint): string =>
    [...place.map(({ sql }) => sql), ...deadline, ...where.map(({ sql }) => hint(`(${sql})`))].join(' AND ');
  const counted = database.get<{ n: number }>(
    `SELECT count(*) AS n FROM ${table} WHERE ${matching(none)}`,
    ...values,
  );
  const total = counted?.n ?? 0;
  const pagination = paginate(page, total);
  if (page.skip >= total) return { rows: [], pagination };
  const direction = page.orderDir === 'asc' ? 'ASC' : 'DESC';
  const orderBy = (hint: Hint): string =>
    `ORDER BY ${hint(order[page.orderBy])} ${direction}, id ${direction}`;
  const found =
    total <= FEW ? `${matching(none)} ${orderBy(unindexed)}` : `${matching(unindexed)} ${orderBy(none)}`;
  // The inner query sorts narrow rows, so that long texts are read for the rows of the page only.
  const rows = database.all<Row>(
    `SELECT ${columns} FROM (SELECT id FROM ${table} WHERE ${found} LIMIT ? OFFSET ?)
     ${orderedJoin} ${table} USING (id) WHERE application = ? ${orderBy(none)}`,
    ...values,
    page.limit,
    page.skip,
    application,
  );
  return { rows, pagination };
}
