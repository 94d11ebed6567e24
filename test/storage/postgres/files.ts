import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { partOf, testFiles } from '../../support/parts.ts';
import { ROOT } from '../../support/sources.ts';

/** Files of tests that open stores of their own and pass on PostgreSQL without a change. */
export const POSTGRES_FILES: readonly string[] = [
  'test/deliver/interrupted.test.ts',
  'test/evaluate/applicable.test.ts',
  'test/evaluate/load-subject.test.ts',
  'test/filter/stored-patterns.test.ts',
  'test/jobs/properties.test.ts',
  'test/jobs/store.test.ts',
  'test/people/account-store.test.ts',
  'test/people/attempt-limit.test.ts',
  'test/storage/sets.test.ts',
  'test/tests/note-spans.test.ts',
  'test/tests/store.test.ts',
  'test/traces/delete.test.ts',
  'test/traces/described.test.ts',
  'test/traces/due-traces.test.ts',
  'test/traces/facets.test.ts',
  'test/traces/native-steps.long.test.ts',
  'test/traces/read-span.test.ts',
  'test/traces/read.test.ts',
  'test/traces/rewrite.long.test.ts',
  'test/traces/span-index/stored.test.ts',
  'test/traces/span-list.test.ts',
  'test/traces/store.test.ts',
  'test/traces/stored-sets.test.ts',
];

/** Files of tests of stores that run on SQLite only, and why. */
export const SQLITE_ONLY: Readonly<Record<string, string>> = {
  'test/evaluate/engine.test.ts': 'a statement of the test says INSERT OR REPLACE',
  'test/evaluate/eval-store.test.ts': 'a statement of the test says IS with a parameter',
  'test/evaluate/quality-metrics.long.test.ts': 'it takes minutes there, most of them for round trips',
  'test/jobs/claim.test.ts': 'it reads the plans of SQLite',
  'test/storage/record.test.ts': 'it has a table of its own, with types of SQLite',
};

const CAPTURED_FOLDERS =
  /^test\/(?:deliver|evaluate|ingest|jobs|masking|people|resources|storage|tests|traces)\//;
const USES_STORE = /\/(?:storage|support|[\w-]+-support|stored-\w+|tenant-fixture|subjects)\.ts'/;
/** Tests with a table of their own, which PostgreSQL lacks. */
const HAS_OWN_TABLE: ReadonlySet<string> = new Set(['test/storage/record.test.ts']);
/** Tests that start servers or threads from the build, whose statements cannot be seen. */
const USES_BUILD = /\/(?:server|build|judged|judged-server)\.ts'|e2e\//;

/** Long tests whose statements are prepared too. */
const CAPTURED_LONG: ReadonlySet<string> = new Set([
  'test/ingest/store-request.long.test.ts',
  'test/resources/reporting-report.long.test.ts',
  'test/storage/checkpoints.long.test.ts',
  'test/storage/log-damage.long.test.ts',
  'test/traces/conventions/mapping-properties.long.test.ts',
  'test/traces/largest-traces.long.test.ts',
]);

/** Returns the files of tests whose statements are prepared on PostgreSQL; the tests themselves run on SQLite. */
export const capturedFiles = (): string[] =>
  testFiles().filter((file) => {
    const isChosen = partOf(file) === 'quick' || CAPTURED_LONG.has(file);
    if (!CAPTURED_FOLDERS.test(file) || !isChosen || HAS_OWN_TABLE.has(file)) return false;
    const source = readFileSync(join(ROOT, file), 'utf8');
    return USES_STORE.test(source) && !USES_BUILD.test(source);
  });
