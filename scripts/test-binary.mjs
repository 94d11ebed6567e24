// Runs the tests that start the program as a process against the single binary, which it builds first:
//
//   npm run test:binary                          all of them
//   npm run test:binary -- test/e2e/crash.test.ts
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';

/** Tests over HTTP and gRPC, with kills and restarts, of both OpenTelemetry lines of the exporter, and of commands. */
const FILES = [
  'test/chaos/chaos.test.ts',
  'test/e2e/crash.test.ts',
  'test/e2e/crash-changes.test.ts',
  'test/e2e/gate-cases.test.ts',
  'test/e2e/judging-lanes.test.ts',
  'test/e2e/large-requests.test.ts',
  'test/e2e/listen.test.ts',
  'test/e2e/logs.test.ts',
  'test/e2e/odd-input.test.ts',
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

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const files = process.argv.length > 2 ? process.argv.slice(2) : FILES;
const program = join(root, 'dist', process.platform === 'win32' ? 'touchstone.exe' : 'touchstone');
const steps = [['scripts/binary.mjs'], ['node_modules/vitest/vitest.mjs', 'run', ...files]];
for (const [index, step] of steps.entries()) {
  const env = index === 0 ? process.env : { ...process.env, TOUCHSTONE_TEST_PROGRAM: program };
  process.exitCode = (await run(process.execPath, step, { cwd: root, env })).code;
  if (process.exitCode !== 0) break;
}
