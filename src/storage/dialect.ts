/**
 * SQL that differs between engines, here for SQLite. All other SQL is understood by SQLite and PostgreSQL alike; a
 * test finds what is not. Arguments are SQL: columns, parameters such as `:ids`, expressions.
 */

/** The values of a JSON array as rows with the column `value`. */
export const each = (array: string): string => `json_each(${array})`;

/** The values of a JSON array, to stand after IN. */
export const valuesOf = (array: string): string => `(SELECT value FROM json_each(${array}))`;

/** The same for an array of numbers. */
export const numbersOf = (array: string): string => `(SELECT value FROM json_each(${array}))`;

/** The fields of a JSON object as rows with the columns `key` and `value`. */
export const eachField = (object: string): string => `json_each(${object})`;

/** A field of a JSON object, as text or number; NULL where there is none. */
export const jsonField = (object: string, ...path: readonly string[]): string =>
  `${object} ->> '${path.length === 1 ? path[0] : `$.${path.join('.')}`}'`;

/** The values of a group as a JSON array. */
export const arrayOf = (values: string): string => `json_group_array(${values})`;

export const arrayLength = (array: string): string => `json_array_length(${array})`;

/** Bytes as hexadecimal digits in lower case. */
export const hexOf = (bytes: string): string => `lower(hex(${bytes}))`;

/** The bytes of hexadecimal digits, which may have dashes between them. */
export const bytesOf = (digits: string): string => `unhex(${digits}, '-')`;

/** The 16 bytes of a uuid as its text. */
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

/** The highest id that a table ever had, also when its row is deleted; NULL before the first. */
export const lastIdOf = (table: string): string =>
  `(SELECT seq FROM sqlite_sequence WHERE name = '${table}')`;

/** The lesser and the greater of two values that are not NULL. */
export const lesser = (a: string, b: string): string => `min(${a}, ${b})`;
export const greater = (a: string, b: string): string => `max(${a}, ${b})`;

/** The sum of a group as a floating-point number, which no sum is too large for; 0 of no rows. */
export const totalOf = (values: string): string => `total(${values})`;

/** The value that `percent` of a group's values do not exceed, between two of them if need be. */
export const percentileOf = (values: string, percent: number): string => `percentile(${values}, ${percent})`;

/** Unix milliseconds as ISO 8601 in UTC, and their day alone. */
export const isoTimeOf = (milliseconds: string): string =>
  `strftime('%Y-%m-%dT%H:%M:%fZ', ${milliseconds} / 1000.0, 'unixepoch')`;
export const isoDayOf = (milliseconds: string): string =>
  `strftime('%F', ${milliseconds} / 1000, 'unixepoch')`;

export const TRUNCATE_UNITS = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type TruncateUnit = (typeof TRUNCATE_UNITS)[number];

/** Time when the unit of time began that Unix milliseconds are in, by the clocks of an IANA zone. */
export const truncated = (milliseconds: string, unit: string, zone: string): string =>
  `truncate_time(${milliseconds}, ${unit}, ${zone})`;

/** Reports whether one of the texts contains `part`; upper and lower case are the same. */
export const containsText = (part: string, ...texts: readonly string[]): string =>
  `contains_text(${[part, ...texts].join(', ')})`;

/**
 * The condition that stops a reader's query when its time is up; `key` is a column of the rows that it goes through. To
 * ask for each row would take longer than all else: one in 256 does.
 */
export const inTime = (key: string): string => `(random() & 255 OR in_time(${key}))`;

/** Evaluates like `inTime`, but for each row: for rows that each take long. */
export const inTimeAtEach = (key: string): string => `in_time(${key})`;

// Hints. The planner knows nothing about how many rows meet a condition, so that left to itself it may choose a slow plan.

/** A JOIN made in the order in which it is written. */
export const orderedJoin = 'CROSS JOIN';

/** Selects the index with which the table before it is searched. */
export const byIndex = (name: string): string => `INDEXED BY ${name}`;

/** A column that no index is to be chosen for. */
export const unindexed = (column: string): string => `+${column}`;
