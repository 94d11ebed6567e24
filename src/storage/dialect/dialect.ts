/**
 * SQL that differs between engines; both accept all other SQL, and a test finds exceptions. Arguments are SQL: columns,
 * parameters such as `:ids`, expressions.
 */
export interface Dialect {
  /** Returns SQL for the values of a JSON array as rows with the column `value`. */
  readonly each: (array: string) => string;
  /** Returns SQL for the numbers of a JSON array as rows with the column `value`. */
  readonly eachNumber: (array: string) => string;
  /** Returns SQL for the values of a JSON array, to follow IN. */
  readonly valuesOf: (array: string) => string;
  /** Returns SQL for the values of an array of numbers, to follow IN. */
  readonly numbersOf: (array: string) => string;
  /** Returns SQL for the fields of a JSON object as rows with the columns `key` and `value`. */
  readonly eachField: (object: string) => string;
  /** Returns SQL for a field of a JSON object, as text (in SQLite also as number); NULL when absent. */
  readonly jsonField: (object: string, ...path: readonly string[]) => string;
  /** Returns SQL for a number in a field of a JSON object; NULL when absent. */
  readonly jsonNumber: (object: string, ...path: readonly string[]) => string;
  /** Returns SQL for a JSON object whose field has another text; an object without the field stays as it is. */
  readonly withJsonField: (object: string, field: string, text: string) => string;
  /** Returns SQL for the values of a group as a JSON array. */
  readonly arrayOf: (values: string) => string;
  /** Returns SQL for a digest of a text: equal texts have the same. */
  readonly digestOf: (text: string) => string;
  /** Returns SQL for a JSON array of values of one row. */
  readonly rowOf: (...values: readonly string[]) => string;
  /** Returns SQL for bytes as lower-case hexadecimal digits. */
  readonly hexOf: (bytes: string) => string;
  /** Returns SQL for the bytes of hexadecimal digits, which may contain dashes. */
  readonly bytesOf: (digits: string) => string;
  /** Returns SQL for the text of a uuid of 16 bytes. */
  readonly uuidOf: (bytes: string) => string;
  /** Returns SQL for the place of a part in a text, counted from 1; 0 if the text does not contain it. */
  readonly positionOf: (text: string, part: string) => string;
  /** No bytes. */
  readonly noBytes: string;
  /** Returns SQL for `length` bytes of a parameter, the first of which has the place `from`, counted from 1. */
  readonly bytesAt: (bytes: string, from: string, length: number) => string;
  /**
   * Returns SQL for the first of `count` keys that no row of a table has or ever had, at least `first`. Processes that share the
   * store never get the same ones, even if they do not use them.
   */
  readonly takeKeys: (table: string, first: string, count: string) => string;
  /** Returns SQL for the lesser (below: the greater) of two values that are not NULL. */
  readonly lesser: (a: string, b: string) => string;
  readonly greater: (a: string, b: string) => string;
  /** Returns SQL for the time of leases, in Unix milliseconds: that of the store if processes share it, else that of the caller. */
  readonly leaseClock: (now: string) => string;
  /** Returns SQL for the sum of a group as a floating-point number, which cannot overflow; 0 for no rows. */
  readonly totalOf: (values: string) => string;
  /** Returns SQL for the value that `percent` of a group's values do not exceed, interpolated between two values. */
  readonly percentileOf: (values: string, percent: number) => string;
  /** Returns SQL for Unix milliseconds as an ISO 8601 time in UTC (below: as a date). */
  readonly isoTimeOf: (milliseconds: string) => string;
  readonly isoDayOf: (milliseconds: string) => string;
  /** Returns SQL for the start of the unit of time that contains Unix milliseconds, in an IANA zone. */
  readonly truncated: (milliseconds: string, unit: string, zone: string) => string;
  /** Returns SQL for whether one of the texts contains `part`, ignoring case. */
  readonly containsText: (part: string, ...texts: readonly string[]) => string;
  /** Returns the source of a pattern of a filter line as `matchesText` takes it. Throws `invalid` if the engine has none. */
  readonly patternOf: (source: string, flags: string) => string;
  /** Returns SQL for whether a pattern of a filter line, a source with flags, matches one of the texts. */
  readonly matchesText: (source: string, flags: string, ...texts: readonly string[]) => string;
  /**
   * Returns the SQL condition that stops a reader's query when its time limit is exceeded. `key` is a column of the
   * scanned rows. It checks one row in 256, because checking each row would take longer than everything else.
   */
  readonly inTime: (key: string) => string;
  /** Returns the condition of `inTime` for each row, for queries whose single rows take long. */
  readonly inTimeAtEach: (key: string) => string;
  /** JOIN that runs in the order in which it is written. */
  readonly orderedJoin: string;
  /** Returns the hint to search the preceding table with an index. */
  readonly byIndex: (name: string) => string;
  /** Hint to search the preceding table by its primary key only. */
  readonly byKey: string;
  /** Returns a column for which the planner chooses no index. */
  readonly unindexed: (column: string) => string;
  /** Statement that gives one unused page of the database file back to the disk. */
  readonly RELEASE_PAGE: string;
  /** Query for the pages of the database file, unused ones included, as `pages`, and for those that are unused as `unused`. */
  readonly COUNT_PAGES: string;
}
