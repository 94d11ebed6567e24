import type { Dialect } from './dialect.ts';

const fieldOf = (object: string, path: readonly string[]): string =>
  `${object} ->> '${path.length === 1 ? path[0] : `$.${path.join('.')}`}'`;

/** The words of SQLite. */
export const SQLITE: Dialect = {
  each: (array) => `json_each(${array})`,
  eachNumber: (array) => `json_each(${array})`,
  valuesOf: (array) => `(SELECT value FROM json_each(${array}))`,
  numbersOf: (array) => `(SELECT value FROM json_each(${array}))`,
  eachField: (object) => `json_each(${object})`,
  jsonField: (object, ...path) => fieldOf(object, path),
  jsonNumber: (object, ...path) => fieldOf(object, path),
  withJsonField: (object, field, text) => `json_replace(${object}, '$.${field}', ${text})`,
  arrayOf: (values) => `json_group_array(${values})`,
  digestOf: (text) => `md5(${text})`,
  rowOf: (...values) => `json_array(${values.join(', ')})`,
  hexOf: (bytes) => `lower(hex(${bytes}))`,
  bytesOf: (digits) => `unhex(${digits}, '-')`,
  uuidOf: (bytes) =>
    `lower(${[
      [1, 8],
      [9, 4],
      [13, 4],
      [17, 4],
      [21, 12],
    ]
      .map(([from, length]) => `substr(hex(${bytes}), ${from}, ${length})`)
      .join(` || '-' || `)})`,
  positionOf: (text, part) => `instr(${text}, ${part})`,
  noBytes: `x''`,
  bytesAt: (bytes, from, length) => `substr(${bytes}, ${from}, ${length})`,
  takeKeys: (table, first, count) =>
    `max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = '${table}'), 0) + 1, ${first}) + 0 * ${count}`,
  lesser: (a, b) => `min(${a}, ${b})`,
  greater: (a, b) => `max(${a}, ${b})`,
  leaseClock: (now) => now,
  totalOf: (values) => `total(${values})`,
  percentileOf: (values, percent) => `percentile(${values}, ${percent})`,
  isoTimeOf: (milliseconds) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${milliseconds} / 1000.0, 'unixepoch')`,
  isoDayOf: (milliseconds) => `strftime('%F', ${milliseconds} / 1000, 'unixepoch')`,
  truncated: (milliseconds, unit, zone) => `truncate_time(${milliseconds}, ${unit}, ${zone})`,
  containsText: (part, ...texts) => `contains_text(${[part, ...texts].join(', ')})`,
  patternOf: (source) => source,
  matchesText: (source, flags, ...texts) => `matches_text(${[source, flags, ...texts].join(', ')})`,
  inTime: (key) => `(random() & 255 OR in_time(${key}))`,
  inTimeAtEach: (key) => `in_time(${key})`,
  orderedJoin: 'CROSS JOIN',
  byIndex: (name) => `INDEXED BY ${name}`,
  byKey: 'NOT INDEXED',
  unindexed: (column) => `+${column}`,
  RELEASE_PAGE: 'PRAGMA incremental_vacuum(1)',
  COUNT_PAGES: `SELECT (SELECT page_count FROM pragma_page_count) AS pages,
  (SELECT freelist_count FROM pragma_freelist_count) AS unused`,
};
