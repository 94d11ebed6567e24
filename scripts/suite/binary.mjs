// The single binary and the tests that run against it.
import { join } from 'node:path';

/** Tests over HTTP and gRPC, with kills and restarts, of both OpenTelemetry lines of the exporter, and of commands. */
export const BINARY_FILES = [
  'test/chaos/chaos.test.ts',
  'test/e2e/crash.test.ts',
  'test/e2e/crash-changes.test.ts',
  'test/e2e/gate-cases.test.ts',
  'test/e2e/judging-lanes.test.ts',
  'test/e2e/large-requests.test.ts',
  'test/e2e/listen.test.ts',
  'test/e2e/logs.test.ts',
  'test/e2e/odd-input.test.ts',
  'test/e2e/postgres.test.ts',
  'test/e2e/restart.test.ts',
  'test/e2e/variant-crash.test.ts',
  'test/e2e/webhook-crash.test.ts',
  'test/exporters/otel/faults.test.ts',
  'test/exporters/otel/lines.test.ts',
  'test/cli/export.test.ts',
  'test/cli/import.test.ts',
  'test/cli/migrate.test.ts',
  'test/cli/users.test.ts',
  'test/cli/verify.test.ts',
];

export const BUILD_BINARY = ['build of the single binary', 'scripts/binary.mjs'];

const PROGRAM = join('dist', process.platform === 'win32' ? 'touchstone.exe' : 'touchstone');

/** Makes tests start the binary, from the root of the repository, instead of the build. */
export const BINARY_ENVIRONMENT = { TOUCHSTONE_TEST_PROGRAM: join(import.meta.dirname, '../..', PROGRAM) };
