import { translatePattern } from './postgres-pattern.ts';
import type { Dialect } from './dialect.ts';

const elements = (array: string): string => `jsonb_array_elements_text((${array})::jsonb)`;
const numbered = (array: string, value: string): string =>
  `LATERAL (SELECT ${value} AS value, ordinality - 1 AS key FROM ${elements(array)} WITH ORDINALITY)`;
const timeOf = (milliseconds: string): string => `to_timestamp((${milliseconds}) / 1000.0)`;

/** An array or a row inside of another one is a part of it, and no text. */
const asJson = (value: string): string =>
  value.replace(/^((?:json_build_array|coalesce\(json_agg)\(.*\))::text$/s, '$1');

/** The words of PostgreSQL. */
export const POSTGRES: Dialect = {
  each: (array) => numbered(array, 'value'),
  eachNumber: (array) => numbered(array, 'value::int8'),
  valuesOf: (array) => `(SELECT ${elements(array)})`,
  numbersOf: (array) => `(SELECT value::int8 FROM ${elements(array)})`,
  eachField: (object) => `jsonb_each_text((${object})::jsonb)`,
  jsonField: (object, ...path) => `((${object})::jsonb #>> '{${path.join(',')}}')`,
  jsonNumber: (object, ...path) => `((${object})::jsonb #>> '{${path.join(',')}}')::float8`,
  withJsonField: (object, field, text) =>
    `jsonb_set((${object})::jsonb, '{${field}}', to_jsonb((${text})::text), false)::text`,
  arrayOf: (values) => `coalesce(json_agg(${asJson(values)}), '[]')::text`,
  digestOf: (text) => `md5(${text})`,
  rowOf: (...values) => `json_build_array(${values.map(asJson).join(', ')})::text`,
  hexOf: (bytes) => `encode(${bytes}, 'hex')`,
  bytesOf: (digits) => `decode(replace(${digits}, '-', ''), 'hex')`,
  uuidOf: (bytes) => `encode(${bytes}, 'hex')::uuid::text`,
  positionOf: (text, part) => `strpos(${text}, ${part})`,
  noBytes: `''::bytea`,
  bytesAt: (bytes, from, length) => `substr((${bytes})::bytea, (${from})::int4, ${length})`,
  takeKeys: (table, first, count) => `take_keys('${table}_tkey_seq', ${first}, ${count})`,
  lesser: (a, b) => `lesser(${a}, ${b})`,
  greater: (a, b) => `greater(${a}, ${b})`,
  leaseClock: (now) => `lease_clock(${now})`,
  totalOf: (values) => `coalesce(sum((${values})::float8), 0)`,
  percentileOf: (values, percent) =>
    `percentile_cont(${percent / 100}) WITHIN GROUP (ORDER BY (${values})::float8)`,
  isoTimeOf: (milliseconds) =>
    `to_char(${timeOf(milliseconds)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  isoDayOf: (milliseconds) => `to_char(${timeOf(milliseconds)} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
  truncated: (milliseconds, unit, zone) =>
    `(extract(epoch FROM date_trunc(${unit}, ${timeOf(milliseconds)} AT TIME ZONE ${zone}) AT TIME ZONE ${zone}) * 1000)::int8`,
  containsText: (part, ...texts) => `contains_text(${[part, ...texts].join(', ')})`,
  patternOf: translatePattern,
  matchesText: (source, flags, ...texts) => `matches_text(${[source, flags, ...texts].join(', ')})`,
  // The server stops a statement that takes too long.
  inTime: () => 'true',
  inTimeAtEach: () => 'true',
  orderedJoin: 'JOIN',
  byIndex: () => '',
  byKey: '',
  unindexed: (column) => column,
  RELEASE_PAGE: 'SELECT 1',
  COUNT_PAGES: 'SELECT pg_database_size(current_database()) / 4096 AS pages, 0 AS unused',
};
