/**
 * SQL that differs between engines, here for SQLite. SQLite and PostgreSQL both accept all other SQL; a test finds
 * exceptions. Arguments are SQL: columns, parameters such as `:ids`, expressions.
 */

/** Returns SQL for the values of a JSON array as rows with the column `value`. */
export const each = (array: string): string => `json_each(${array})`;

/** Returns SQL for the values of a JSON array, to follow IN. */
export const valuesOf = (array: string): string => `(SELECT value FROM json_each(${array}))`;

/** Returns SQL for the values of an array of numbers, to follow IN. */
export const numbersOf = (array: string): string => `(SELECT value FROM json_each(${array}))`;

/** Returns SQL for the fields of a JSON object as rows with the columns `key` and `value`. */
export const eachField = (object: string): string => `json_each(${object})`;

/** Returns SQL for a field of a JSON object, as text or number; NULL when absent. */
export const jsonField = (object: string, ...path: readonly string[]): string =>
  `${object} ->> '${path.length === 1 ? path[0] : `$.${path.join('.')}`}'`;

/** Returns SQL for a JSON object whose field has another text; an object without the field stays as it is. */
export const withJsonField = (object: string, field: string, text: string): string =>
  `json_replace(${object}, '$.${field}', ${text})`;

/** Returns SQL for the values of a group as a JSON array. */
export const arrayOf = (values: string): string => `json_group_array(${values})`;

/** Returns SQL for a digest of a text: equal texts have the same. */
export const digestOf = (text: string): string => `md5(${text})`;

/** Returns SQL for a JSON array of values of one row. */
export const rowOf = (...values: readonly string[]): string => `json_array(${values.join(', ')})`;

/** Returns SQL for bytes as lower-case hexadecimal digits. */
export const hexOf = (bytes: string): string => `lower(hex(${bytes}))`;

/** Returns SQL for the bytes of hexadecimal digits, which may contain dashes. */
export const bytesOf = (digits: string): string => `unhex(${digits}, '-')`;

/** Returns SQL for the text of a uuid of 16 bytes. */
export const uuidOf = (bytes: string): string =>
  `lower(${[
    [1, 8],
    [9, 4],
    [13, 4],
    [17, 4],
    [21, 12],
  ]
    .map(([from, length]) => `substr(hex(${bytes}), ${from}, ${length})`)
    .join(` || '-' || `)})`;

/** Returns SQL for the highest id that a table ever had, even if its row was deleted; NULL before the first row. */
export const lastIdOf = (table: string): string =>
  `(SELECT seq FROM sqlite_sequence WHERE name = '${table}')`;

/** Returns SQL for the lesser (below: the greater) of two values that are not NULL. */
export const lesser = (a: string, b: string): string => `min(${a}, ${b})`;
export const greater = (a: string, b: string): string => `max(${a}, ${b})`;

/** Returns SQL for the sum of a group as a floating-point number, which cannot overflow; 0 for no rows. */
export const totalOf = (values: string): string => `total(${values})`;

/** Returns SQL for the value that `percent` of a group's values do not exceed, interpolated between two values. */
export const percentileOf = (values: string, percent: number): string => `percentile(${values}, ${percent})`;

/** Returns SQL for Unix milliseconds as an ISO 8601 time in UTC (below: as a date). */
export const isoTimeOf = (milliseconds: string): string =>
  `strftime('%Y-%m-%dT%H:%M:%fZ', ${milliseconds} / 1000.0, 'unixepoch')`;
export const isoDayOf = (milliseconds: string): string =>
  `strftime('%F', ${milliseconds} / 1000, 'unixepoch')`;

export const TRUNCATE_UNITS = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type TruncateUnit = (typeof TRUNCATE_UNITS)[number];

/** Returns SQL for the start of the unit of time that contains Unix milliseconds, in an IANA zone. */
export const truncated = (milliseconds: string, unit: string, zone: string): string =>
  `truncate_time(${milliseconds}, ${unit}, ${zone})`;

/** Returns SQL for whether one of the texts contains `part`, ignoring case. */
export const containsText = (part: string, ...texts: readonly string[]): string =>
  `contains_text(${[part, ...texts].join(', ')})`;

/** Returns SQL for whether a pattern of a filter line, a source with flags, matches one of the texts. */
export const matchesText = (source: string, flags: string, ...texts: readonly string[]): string =>
  `matches_text(${[source, flags, ...texts].join(', ')})`;

/**
 * Returns the SQL condition that stops a reader's query when its time limit is exceeded. `key` is a column of the
 * scanned rows. It checks one row in 256, because checking each row would take longer than everything else.
 */
export const inTime = (key: string): string => `(random() & 255 OR in_time(${key}))`;

/** Returns the condition of `inTime` for each row, for queries whose single rows take long. */
export const inTimeAtEach = (key: string): string => `in_time(${key})`;

// Hints for the planner. It does not know how many rows meet a condition, so it may choose a slow plan without them.

/** JOIN that runs in the order in which it is written. */
export const orderedJoin = 'CROSS JOIN';

/** Returns the hint to search the preceding table with an index. */
export const byIndex = (name: string): string => `INDEXED BY ${name}`;

/** Hint to search the preceding table by its primary key only. */
export const byKey = 'NOT INDEXED';

/** Returns a column for which the planner chooses no index. */
export const unindexed = (column: string): string => `+${column}`;

/** Statement that gives one unused page of the database file back to the disk. */
export const RELEASE_PAGE = 'PRAGMA incremental_vacuum(1)';

/** Query for the pages of the database file, unused ones included, as `pages`, and for those that are unused as `unused`. */
export const COUNT_PAGES = `SELECT (SELECT page_count FROM pragma_page_count) AS pages,
  (SELECT freelist_count FROM pragma_freelist_count) AS unused`;
export const PAGE_BYTES = 4096;
