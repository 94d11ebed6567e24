import { isPostgres } from './engine.ts';
import { POSTGRES } from './dialect/postgres.ts';
import { SQLITE } from './dialect/sqlite.ts';

export const TRUNCATE_UNITS = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type TruncateUnit = (typeof TRUNCATE_UNITS)[number];

export const PAGE_BYTES = 4096;

/** The words of the engine of this process, explained in `Dialect`. */
export const {
  each,
  eachNumber,
  valuesOf,
  numbersOf,
  eachField,
  jsonField,
  jsonNumber,
  withJsonField,
  arrayOf,
  digestOf,
  rowOf,
  hexOf,
  bytesOf,
  uuidOf,
  positionOf,
  noBytes,
  bytesAt,
  takeKeys,
  lesser,
  greater,
  leaseClock,
  totalOf,
  percentileOf,
  isoTimeOf,
  isoDayOf,
  truncated,
  containsText,
  patternOf,
  matchesText,
  inTime,
  inTimeAtEach,
  orderedJoin,
  byIndex,
  byKey,
  unindexed,
  RELEASE_PAGE,
  COUNT_PAGES,
} = isPostgres ? POSTGRES : SQLITE;
