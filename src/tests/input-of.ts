import { digestOf } from '../storage/dialect.ts';

/**
 * Returns SQL for a text that tests have in common if they sent the same input. An erased prompt is empty: the example of the test
 * tells it from others.
 */
export const inputOf = (table: string): string =>
  `CASE WHEN ${table}.prompt = '' THEN coalesce(${table}.example_id, '') ELSE ${digestOf(`${table}.prompt`)} END`;
