/** Files of tests that open stores of their own and pass on PostgreSQL without a change. */
export const POSTGRES_FILES: readonly string[] = [
  'test/evaluate/applicable.test.ts',
  'test/evaluate/load-subject.test.ts',
  'test/jobs/properties.test.ts',
  'test/jobs/store.test.ts',
  'test/storage/sets.test.ts',
  'test/traces/delete.test.ts',
  'test/traces/described.test.ts',
  'test/traces/due-traces.test.ts',
  'test/traces/facets.test.ts',
  'test/traces/native-steps.test.ts',
  'test/traces/read-span.test.ts',
  'test/traces/read.test.ts',
  'test/traces/rewrite.test.ts',
  'test/traces/span-index/stored.test.ts',
  'test/traces/span-list.test.ts',
  'test/traces/store.test.ts',
];
